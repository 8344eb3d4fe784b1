import { ConfigError, readConfig } from "../config.ts";
import type { MachineClock } from "../deps.ts";
import { type RunningService, serve } from "./serve.ts";

/**
 * Starts, prints the address (or what `describe` makes of it), and drains when told to: by a signal, or by
 * the end of the parent.
 */
export async function runService(
  describe = (service: RunningService): string => service.welcome,
  machine?: MachineClock,
): Promise<void> {
  try {
    const service = await serve(readConfig(), machine);
    const stop = () => {
      service.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`Assay did not stop cleanly: ${String(error)}\n`);
          process.exit(1);
        },
      );
    };
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, stop);
    // The channel that scripts/bootstrap.mjs opens ends with it.
    process.on("disconnect", stop);
    // Last: whoever reads the address may stop the service from that moment on.
    process.stdout.write(describe(service));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`Assay cannot start: ${error.message}\n`);
    process.exit(1);
  }
}
