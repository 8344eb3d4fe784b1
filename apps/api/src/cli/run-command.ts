import { ConfigError } from "../config.ts";
import { buildProgram } from "./program.ts";
import { Refusal } from "./refusal.ts";

/** Runs one command. A failure is one line on standard error, and the exit code 1. */
export async function runCommand(words: readonly string[]): Promise<void> {
  try {
    await buildProgram().parseAsync(words, { from: "user" });
  } catch (error) {
    const isExpected = error instanceof Refusal || error instanceof ConfigError;
    const text = isExpected ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`error: ${text}\n`);
    process.exitCode = 1;
  }
}
