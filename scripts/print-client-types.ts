// Writes the types of the Python and Go clients from packages/contract:  node scripts/print-client-types.ts [--check]
// With --check it writes nothing, and fails if a committed file is out of date.
import { readFileSync, writeFileSync } from "node:fs";
import { describeClientTypes } from "./client-types/describe-types.ts";
import { printGoTypes } from "./client-types/print-go-types.ts";
import { printPythonTypes } from "./client-types/print-python-types.ts";

const files = [
  { file: new URL("../clients/python/src/assay/types.py", import.meta.url), print: printPythonTypes },
  { file: new URL("../clients/go/types.go", import.meta.url), print: printGoTypes },
];

function readIfThere(file: URL): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Paths of the files that differ from what the contract says. */
export function findOutdatedClientTypes(): string[] {
  const types = describeClientTypes();
  return files.filter(({ file, print }) => readIfThere(file) !== print(types)).map(({ file }) => file.pathname);
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes("--check")) {
    const outdated = findOutdatedClientTypes();
    for (const path of outdated) console.error(`${path} is out of date: node scripts/print-client-types.ts`);
    process.exitCode = outdated.length === 0 ? 0 : 1;
  } else {
    const types = describeClientTypes();
    for (const { file, print } of files) writeFileSync(file, print(types));
  }
}
