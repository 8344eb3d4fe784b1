// Which test files need no server, no browser and no process of their own: what `npm test -- --quick` runs.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Whatever reaches one of these starts something. */
const starters = new Set([
  "apps/api/test/start-postgres.ts",
  "apps/api/test/start-service.ts",
  "apps/api/test/access/start-redis.ts",
  "node:child_process",
  "@playwright/test",
]);

const importPattern = /(?:from|import|import\(|new URL\()\s*"([^"]+)"/g;

/** The test files that reach no starter, however many imports away. */
export function findQuickTests(root: string, files: readonly string[]): string[] {
  const known = new Map<string, readonly string[]>();

  function importsOf(file: string): readonly string[] {
    const found = known.get(file);
    if (found) return found;
    const names = [...readFileSync(join(root, file), "utf8").matchAll(importPattern)].map(([, name]) => name!);
    const paths = names.map((name) => (name.startsWith(".") ? relative(root, join(root, dirname(file), name)) : name));
    known.set(file, paths);
    return paths;
  }

  function reaches(file: string, seen: Set<string>): boolean {
    if (starters.has(file)) return true;
    if (seen.has(file) || !file.endsWith(".ts") || !existsSync(join(root, file))) return false;
    seen.add(file);
    return importsOf(file).some((each) => reaches(each, seen));
  }

  return files.filter((file) => !reaches(file, new Set()));
}
