/** `npm run -s assay -- COMMAND`: the operator's commands. They work whether or not the service runs. */
import { runCommand } from "./run-command.ts";

/** 128 + SIGPIPE, as shells report it. */
const brokenPipeExitCode = 141;

/** `… | head` closes the pipe while we write: not an error, and nothing is left to do. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(brokenPipeExitCode);
});

await runCommand(process.argv.slice(2));
