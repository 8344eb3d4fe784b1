// What `npm run test:faults` runs: the suites that kill processes, cut connections and load the machine.
import { globSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";

const usage = `npm run test:faults -- [NAME …] [--seed N] [--minutes N]

  NAME         part of a suite's file name, such as many-nodes or soak; absent: all fault suites
  --seed N     plays what this seed decides, and nothing else; each run prints its seed
  --minutes N  the long form of many-nodes (episode after episode, each with a new seed) and of soak

Without options each suite runs as it does in CI.`;

const root = dirname(import.meta.dirname);
const isWholeNumber = (text: string | undefined): boolean => text === undefined || /^[1-9]\d{0,9}$/.test(text);

function stop(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

function readCommandLine() {
  try {
    const options = { seed: { type: "string" }, minutes: { type: "string" }, help: { type: "boolean" } } as const;
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
if (!isWholeNumber(values.seed) || !isWholeNumber(values.minutes)) stop(`--seed and --minutes take whole numbers.\n\n${usage}`);
const all = globSync("{apps,packages}/**/*.fault.test.ts", { cwd: root, exclude: (path) => path.split("/").includes("node_modules") });
const files = all.filter((file) => positionals.length === 0 || positionals.some((name) => basename(file).includes(name)));
if (files.length === 0) stop(`No fault suite is called ${positionals.join(" or ")}: there are ${all.map((file) => basename(file, ".fault.test.ts")).join(", ")}.`);

if (values.seed !== undefined) process.env.ASSAY_TEST_SEED = values.seed;
if (values.minutes !== undefined) process.env.ASSAY_TEST_MINUTES = values.minutes;
// As if `npm test` had been asked for these files: it finds the servers, and says how it went.
process.argv.splice(2, Number.POSITIVE_INFINITY, ...files.toSorted().map((file) => join(root, file)));
await import("./test.ts");
