// Prints the SQL of every query function of the *.table.ts files and of the two hot paths, for both databases, into
// docs/sql/, so that a change of a query shows in its diff.
//   npm run sql              writes the files
//   npm run sql -- --check   fails if a file is stale, missing or obsolete
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { makeOffers } from "../apps/api/src/ads/serving/make-offers.postgres.ts";
import { statements as offerStatements } from "../apps/api/src/ads/serving/make-offers.sqlite.ts";
import { statements as chargeStatements } from "../apps/api/src/money/ledger/charge-batch.sqlite.ts";
import { chargeCalls, chargeCallsFunction } from "../apps/api/src/money/ledger/charge-calls.function.ts";
import { compileOnly } from "../apps/api/src/store/compile-only.ts";
import type { Db } from "../apps/api/src/store/schema.ts";

type Statement = { compile(): { sql: string } };
type QueryFunction = (db: Db, ...rest: unknown[]) => Statement | Statement[];

const root = dirname(import.meta.dirname);
const sourceFolder = join(root, "apps", "api", "src");
const printedFolder = join(root, "docs", "sql");

const databaseNames = { sqlite: "SQLite", postgres: "PostgreSQL" } as const;

const clauseStart =
  /(?<!^delete) (?=(?:from|(?:inner|left) join|where|group by|order by|limit|values|on conflict|returning|union(?: all)?) )/g;

/** Kysely generates one line; one clause per line is easier to compare. */
const layOut = (statement: Statement): string => `${statement.compile().sql.replaceAll(clauseStart, "\n  ")};`;

function printFunction(name: string, query: QueryFunction, rest: unknown[]): string {
  const parts = (["sqlite", "postgres"] as const).map((dialect) => {
    const result = query(compileOnly[dialect], ...rest);
    const statements = Array.isArray(result) ? result : [result];
    return `-- ${databaseNames[dialect]}\n${statements.map(layOut).join("\n")}\n`;
  });
  return `-- ${name}\n\n${parts.join("\n")}`;
}

const samplesOf = (file: string): string => file.replace(/\.table\.ts$/, ".samples.ts");

async function readSamples(file: string): Promise<Record<string, unknown[]>> {
  const path = join(sourceFolder, samplesOf(file));
  if (!existsSync(path)) throw new Error(`${file} needs ${samplesOf(file)} with sample arguments for its query functions`);
  return ((await import(pathToFileURL(path).href)) as { samples: Record<string, unknown[]> }).samples;
}

async function printTableFile(file: string): Promise<string> {
  const module = (await import(pathToFileURL(join(sourceFolder, file)).href)) as Record<string, unknown>;
  const known = await readSamples(file);
  const functions = Object.entries(module).filter(([, value]) => typeof value === "function");
  const gone = Object.keys(known).filter((name) => typeof module[name] !== "function");
  const missing = functions.map(([name]) => name).filter((name) => !known[name]);
  if (missing.length > 0) throw new Error(`${samplesOf(file)} has no sample arguments for ${missing.join(", ")}`);
  if (gone.length > 0) throw new Error(`${samplesOf(file)} has sample arguments for ${gone.join(", ")}, which ${file} does not export`);
  // Sorted by position in the source: a module namespace lists its exports alphabetically.
  const source = readFileSync(join(sourceFolder, file), "utf8");
  const positionOf = (name: string): number => source.search(new RegExp(`export (async )?(function|const) ${name}\\b`));
  const sorted = functions.toSorted(([one], [other]) => positionOf(one) - positionOf(other));
  const head = `-- Made by "npm run sql" from apps/api/src/${file}; do not edit.\n`;
  return [head, ...sorted.map(([name, query]) => printFunction(name, query as QueryFunction, known[name]!))].join("\n");
}

type HotPath = { sqlite: Record<string, string>; postgres: Record<string, string> };

/** Written by hand, for speed, and built from the fields of a charge or an offer. */
const hotPaths: Record<string, HotPath> = {
  "money/ledger/charge-batch": { sqlite: chargeStatements, postgres: { function: chargeCallsFunction, call: chargeCalls.text } },
  "ads/serving/make-offers": { sqlite: offerStatements, postgres: { makeOffers: makeOffers.text } },
};

function printHotPath(file: string, path: HotPath): string {
  const head = `-- Made by "npm run sql" from apps/api/src/${file}.*; do not edit.\n`;
  const parts = (["sqlite", "postgres"] as const).map((dialect) => {
    const texts = Object.entries(path[dialect]).map(([name, text]) => `-- ${name}\n${text.trim()};\n`);
    return `-- ${databaseNames[dialect]}\n\n${texts.join("\n")}`;
  });
  return [head, ...parts].join("\n");
}

/** `money/ledger/ledger.table.ts` is printed into `money-ledger-ledger.sql`. */
const printedNameOf = (file: string): string => `${file.replace(/\.table\.ts$/, "").replaceAll(/[/\\]/g, "-")}.sql`;

async function printAll(): Promise<Map<string, string>> {
  const files = globSync("**/*.table.ts", { cwd: sourceFolder }).toSorted();
  if (files.length === 0) throw new Error("no *.table.ts files found");
  const left = globSync("**/*.samples.ts", { cwd: sourceFolder }).filter((file) => !files.includes(file.replace(/\.samples\.ts$/, ".table.ts")));
  if (left.length > 0) throw new Error(`sample files without a *.table.ts file: ${left.join(", ")}`);
  const printed = new Map<string, string>();
  for (const file of files) printed.set(printedNameOf(file), await printTableFile(file));
  for (const [file, path] of Object.entries(hotPaths)) printed.set(printedNameOf(file), printHotPath(file, path));
  return printed;
}

function readPrinted(): Map<string, string> {
  mkdirSync(printedFolder, { recursive: true });
  const names = readdirSync(printedFolder).filter((name) => name.endsWith(".sql"));
  return new Map(names.map((name) => [name, readFileSync(join(printedFolder, name), "utf8")]));
}

const shown = (name: string): string => relative(root, join(printedFolder, name));

async function main(): Promise<void> {
  const wanted = await printAll();
  const present = readPrinted();
  const stale = [...wanted].filter(([name, text]) => present.get(name) !== text).map(([name]) => name);
  const obsolete = [...present.keys()].filter((name) => !wanted.has(name));
  if (process.argv.includes("--check")) {
    if (stale.length + obsolete.length === 0) return;
    for (const name of stale) console.log(`${shown(name)} is stale`);
    for (const name of obsolete) console.log(`${shown(name)} has no *.table.ts file`);
    console.log("Run: npm run sql");
    process.exitCode = 1;
    return;
  }
  for (const name of stale) {
    writeFileSync(join(printedFolder, name), wanted.get(name)!);
    console.log(`${shown(name)} written`);
  }
  for (const name of obsolete) {
    rmSync(join(printedFolder, name));
    console.log(`${shown(name)} removed`);
  }
  if (stale.length + obsolete.length === 0) console.log("docs/sql is up to date.");
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
