// npm run test:faults: the suites that kill processes, cut connections and load the machine.
import { globSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";

const usage = `npm run test:faults -- [NAME …] [--seed N] [--minutes N] [--rounds N]

  NAME         part of a suite's file name, such as many-nodes or soak; default: all fault suites
  --seed N     replays only what this seed determines; each run prints its seed
  --minutes N  runs many-nodes and all-faults (episode after episode, each with a new seed) and soak for this long
  --rounds N   inflicts each fault of failover, and that of kill, this many times; behind-pgbouncer then runs every test for both stores

Without options each suite runs as it does in CI.`;

const root = dirname(import.meta.dirname);
const isPositiveInteger = (text: string | undefined): boolean => text === undefined || /^[1-9]\d{0,9}$/.test(text);

function stop(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

function readCommandLine() {
  try {
    const options = { seed: { type: "string" }, minutes: { type: "string" }, rounds: { type: "string" }, help: { type: "boolean" } } as const;
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    return stop(`${(error as Error).message}\n\n${usage}`);
  }
}

const { values, positionals } = readCommandLine();
if (values.help) {
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}
if (![values.seed, values.minutes, values.rounds].every(isPositiveInteger)) stop(`--seed, --minutes and --rounds take positive integers.\n\n${usage}`);
const all = globSync("{apps,packages}/**/*.fault.test.ts", { cwd: root, exclude: (path) => path.split("/").includes("node_modules") });
const files = all.filter((file) => positionals.length === 0 || positionals.some((name) => basename(file).includes(name)));
if (files.length === 0) stop(`No fault suite matches ${positionals.join(" or ")}. Suites: ${all.map((file) => basename(file, ".fault.test.ts")).join(", ")}.`);

if (values.seed !== undefined) process.env.ASSAY_TEST_SEED = values.seed;
if (values.minutes !== undefined) process.env.ASSAY_TEST_MINUTES = values.minutes;
if (values.rounds !== undefined) process.env.ASSAY_TEST_ROUNDS = values.rounds;
// Same as `npm test` with these files: it finds the servers and prints the summary.
process.argv.splice(2, Number.POSITIVE_INFINITY, ...files.toSorted().map((file) => join(root, file)));
await import("./test.ts");
