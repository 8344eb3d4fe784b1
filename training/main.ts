import { parseArgs } from "node:util";
import { readSessionFile } from "./read-sessions.ts";
import { runTraining } from "./run-training.ts";
import { writeOutputs } from "./write-outputs.ts";

const usage = "usage: train --data FOLDER [--out FOLDER] [--replace]";

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
const run = runTraining(
  { train: readSessionFile(values.data, "train.csv"), transfer: readSessionFile(values.data, "transfer.csv") },
  progress,
);
const written = writeOutputs(run, { root: values.out ?? new URL("..", import.meta.url).pathname, replace: values.replace });
for (const path of written) progress(`wrote ${path}`);
process.stdout.write(run.report);
