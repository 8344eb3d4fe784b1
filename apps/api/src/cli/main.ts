/** `npm run -s assay -- COMMAND`: what operators do to an installation, while the service runs or not. */
import { ConfigError } from "../config.ts";
import { buildProgram } from "./program.ts";
import { Refusal } from "./refusal.ts";

/** What a shell reports of a program whose reader went away. */
const brokenPipeExitCode = 141;

/** `… | head` closes our output while we write: nothing is wrong, and nothing is left to do. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(brokenPipeExitCode);
});

try {
  await buildProgram().parseAsync();
} catch (error) {
  const isExpected = error instanceof Refusal || error instanceof ConfigError;
  const text = isExpected ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`error: ${text}\n`);
  process.exitCode = 1;
}
