import { parseArgs } from "node:util";
import { readOptionalSessionFile, readSessionFile } from "./read-sessions.ts";
import { runTraining } from "./run-training.ts";
import { writeOutputs } from "./write-outputs.ts";

const usage = "usage: train --data FOLDER [--out FOLDER] [--replace]\nWithout transfer.csv in the data folder, --out is needed: figures are missing then.";

/** Prints each step with the elapsed time to standard error; standard output is for the report. */
function showProgress(): (step: string) => void {
  const startedMs = performance.now();
  return (step) => {
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1).padStart(5);
    process.stderr.write(`${seconds} s  ${step}\n`);
  };
}

const { values } = parseArgs({
  options: { data: { type: "string" }, out: { type: "string" }, replace: { type: "boolean", default: false } },
});
if (values.data === undefined) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}
const progress = showProgress();
progress("reading sessions");
const transfer = readOptionalSessionFile(values.data, "transfer.csv");
// A card without the transfer figures must not replace the published one.
if (transfer.sessions.length === 0 && values.out === undefined) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}
const run = runTraining({ train: readSessionFile(values.data, "train.csv"), transfer }, progress);
const written = writeOutputs(run, { root: values.out ?? new URL("..", import.meta.url).pathname, replace: values.replace });
for (const path of written) progress(`wrote ${path}`);
process.stdout.write(run.report);
