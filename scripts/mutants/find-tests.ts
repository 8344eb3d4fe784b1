// Which test files reach a source, those nearest to it first.
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";

const importPattern = /(?:from|import|import\(|new URL\()\s*"([^"]+)"/g;
/** Fault suites take minutes each, browsers and other languages reach a source only from afar. */
const tooFar = /\.fault\.test\.ts$|^(?:apps\/dashboard\/e2e|clients|examples|bench|training|scripts)\//;

/** Reads the imports of all test files, however far they lead. */
export function createTestFinder(root: string): (source: string) => string[] {
  const tests = globSync("{apps,packages}/**/*.test.ts", { cwd: root, exclude: (path) => path.includes("node_modules") }).filter((file) => !tooFar.test(file));
  const importers = new Map<string, Set<string>>();
  const known = new Set<string>();

  function resolve(file: string, name: string): string {
    return name.startsWith(".") ? relative(root, join(root, dirname(file), name)) : name.replace(/^@assay\/([^/]+)\//, "packages/$1/src/");
  }

  function read(file: string): void {
    if (known.has(file) || !/\.tsx?$/.test(file) || !existsSync(join(root, file))) return;
    known.add(file);
    for (const [, name] of readFileSync(join(root, file), "utf8").matchAll(importPattern)) {
      const path = resolve(file, name!);
      if (!importers.has(path)) importers.set(path, new Set());
      importers.get(path)!.add(file);
      read(path);
    }
  }

  for (const test of tests) read(test);

  return (source) => {
    const distances = new Map([[source, 0]]);
    const queue = [source];
    for (const each of queue) {
      for (const importer of importers.get(each) ?? []) {
        if (distances.has(importer)) continue;
        distances.set(importer, distances.get(each)! + 1);
        queue.push(importer);
      }
    }
    const reaching = tests.filter((test) => distances.has(test));
    const rank = new Map(reaching.map((test) => [test, farness(source, test) * 100 + distances.get(test)!]));
    return reaching.toSorted((a, b) => rank.get(a)! - rank.get(b)! || a.localeCompare(b));
  };
}

const wordsOf = (path: string): Set<string> => new Set(path.split(/[^a-z]+/).filter((word) => word.length > 3 && !["apps", "packages", "test", "work", "table", "route"].includes(word)));

/** By name, then by folder, then by words in common. */
function farness(source: string, test: string): number {
  const stem = (path: string): string => basename(path).split(".")[0]!;
  if (stem(source) === stem(test)) return 0;
  if (dirname(source) === dirname(test)) return 1;
  const common = [...wordsOf(source)].filter((word) => wordsOf(test).has(word)).length;
  return common > 1 ? 2 : common > 0 ? 3 : 4;
}
