import type { Command } from "commander";
import { defineCommand } from "./define-command.ts";
import type { ScoreOptions } from "./score-file.ts";

async function runScoreCommand(path: string, options: ScoreOptions): Promise<void> {
  // Loaded here: every other command starts sooner without the model and the contract's schemas.
  const { runScore } = await import("./score-file.ts");
  await runScore(path, options);
}

export function addScoreCommand(program: Command): void {
  defineCommand(program, {
    name: "score",
    summary: "score a CSV of signals offline",
    example: "score sessions.csv --out scored.csv",
  })
    .argument("<file.csv>", "a header with the six signals in any order; empty cells are signals that were not observed")
    .option("--out <file>", "where the lines go with their scores; without it standard output")
    .addHelpText("after", "\nA column called label (0, 1) adds AUC and calibration to what is printed at the end.")
    .action(runScoreCommand);
}
