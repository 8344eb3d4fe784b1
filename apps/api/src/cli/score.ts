import type { Command } from "commander";
import { defineCommand } from "./define-command.ts";
import type { ScoreOptions } from "./score-file.ts";

async function runScoreCommand(path: string, options: ScoreOptions): Promise<void> {
  // Loaded on demand: all other commands start faster without the model and the contract's schemas.
  const { runScore } = await import("./score-file.ts");
  await runScore(path, options);
}

export function addScoreCommand(program: Command): void {
  defineCommand(program, {
    name: "score",
    summary: "score a CSV of signals offline",
    example: "score sessions.csv --out scored.csv",
  })
    .argument("<file.csv>", "CSV with the six signals as columns in any order; leave cells of unobserved signals empty")
    .option("--model <version>", "score with this model instead of the newest (model list shows all)")
    .option("--out <file>", "write the scored lines to this file instead of standard output")
    .addHelpText("after", "\nA column called label (0, 1) adds AUC and calibration to the summary.")
    .action(runScoreCommand);
}
