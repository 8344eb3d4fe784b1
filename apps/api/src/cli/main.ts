/** `npm run -s assay -- COMMAND`: the operator's commands. They work whether or not the service runs. */
import { ConfigError } from "../config.ts";
import { buildProgram } from "./program.ts";
import { Refusal } from "./refusal.ts";

/** 128 + SIGPIPE, as shells report it. */
const brokenPipeExitCode = 141;

/** `… | head` closes the pipe while we write: not an error, and nothing is left to do. */
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
