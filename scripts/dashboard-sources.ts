/** What the build of the pages reads, and whether the pages that stand there were built from it. */
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = dirname(import.meta.dirname);
export const dist = join(root, "apps", "dashboard", "dist");
const stamp = join(dist, ".sources");

/** Changes to other files do not trigger a build. */
const sources = [
  "THIRD-PARTY-NOTICES.txt",
  "apps/dashboard/{build,clients,dashboard,docs,model-card,public,src}/**/*",
  "apps/dashboard/{index.html,package.json,tsconfig.json,vite.config.ts}",
  "clients/{go,java,kotlin,php,python,swift}/**/*",
  "docs/{errors,model-card}.md",
  "docs/openapi.json",
  "docs/model/*.svg",
  "package-lock.json",
  "packages/{collector,react-native,sdk}/{README.md,CHANGELOG.md,LICENSE,package.json,tsconfig.json,tsdown.config.ts}",
  "packages/*/src/**/*.{ts,tsx}",
  "scripts/build-dashboard.ts",
  "scripts/clients/*.ts",
];

export function hashSources(): string {
  const hash = createHash("sha256");
  const files = globSync(sources, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes(".test."))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  for (const file of files) hash.update(`${file.slice(root.length)}\0`).update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

export const isBuilt = (hash: string): boolean => existsSync(stamp) && readFileSync(stamp, "utf8") === hash;

/** `npm test` builds once before its first test. A test that built too would replace what others are reading. */
export function requirePages(): void {
  if (!isBuilt(hashSources())) throw new Error("the pages are not built from these sources: node scripts/build-dashboard.ts");
}
