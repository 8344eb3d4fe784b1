// Writes the types of the clients in Python, Go, PHP and Java from packages/contract:  node scripts/print-client-types.ts [--check]
// With --check it writes nothing, and fails if a committed file is out of date.
import { readFileSync, writeFileSync } from "node:fs";
import { describeClientTypes } from "./client-types/describe-types.ts";
import { printGoTypes } from "./client-types/print-go-types.ts";
import { printJavaTypes } from "./client-types/print-java-types.ts";
import { printPhpTypes } from "./client-types/print-php-types.ts";
import { printPythonTypes } from "./client-types/print-python-types.ts";

function printFiles(): { file: URL; text: string }[] {
  const types = describeClientTypes();
  const inClients = (path: string) => new URL(`../clients/${path}`, import.meta.url);
  return [
    { file: inClients("python/src/assay/types.py"), text: printPythonTypes(types) },
    { file: inClients("go/types.go"), text: printGoTypes(types) },
    { file: inClients("php/src/Types.php"), text: printPhpTypes(types) },
    ...[...printJavaTypes(types)].map(([name, text]) => ({ file: inClients(`java/src/main/java/dev/assay/${name}`), text })),
  ];
}

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
  return printFiles().filter(({ file, text }) => readIfThere(file) !== text).map(({ file }) => file.pathname);
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes("--check")) {
    const outdated = findOutdatedClientTypes();
    for (const path of outdated) console.error(`${path} is out of date: node scripts/print-client-types.ts`);
    process.exitCode = outdated.length === 0 ? 0 : 1;
  } else {
    for (const { file, text } of printFiles()) writeFileSync(file, text);
  }
}
