// Imported before every test file. `--test-timeout` ends tests, not a file whose tests are over and whose
// process is kept alive, for example by the service that a failed `before` has left running.
import { isMainThread } from "node:worker_threads";

const limitMs = Number(process.env.ASSAY_TEST_FILE_MS_MAX);
/** The runner, which gets the same options, takes as long as all files together. */
const isTestFile = process.env.NODE_TEST_CONTEXT !== undefined && isMainThread;

function end(): void {
  console.error(`${process.argv[1]} did not end within ${limitMs / 60_000} minutes. Still active: ${process.getActiveResourcesInfo().join(", ")}.`);
  process.exit(1);
}

if (isTestFile) setTimeout(end, limitMs).unref();
