import cluster from "node:cluster";
import { type Config, ConfigError, readConfig } from "../config.ts";
import type { Machine } from "../deps.ts";
import type { RunningService } from "./serve.ts";

type Describe = (service: RunningService) => string;

/** Prints what an operator can mend as one line, and exits. Everything else is a bug. */
function refuseToStart(error: unknown): never {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`Assay cannot start: ${error.message}\n`);
  process.exit(1);
}

/** Drains on a signal or when the parent process ends. `stop` resolves with the exit code. */
function stopWhenTold(stop: () => Promise<number>): void {
  const end = () => {
    stop().then(
      (code) => process.exit(code),
      (error: unknown) => {
        process.stderr.write(`Assay did not stop cleanly: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, end);
  // scripts/bootstrap.mjs opens an IPC channel; it disconnects when that process ends.
  process.on("disconnect", end);
}

async function serveAlone(config: Config, describe: Describe, machine: Machine | undefined): Promise<void> {
  const { serve } = await import("./serve.ts");
  const service = await serve(config, machine);
  stopWhenTold(async () => {
    await service.stop();
    return 0;
  });
  // Last: a reader of the address may stop the service from that moment on.
  process.stdout.write(describe(service));
}

async function serveWithWorkers(config: Config): Promise<void> {
  // Loaded on demand, as the service is: a supervisor needs nothing of it.
  const { superviseWorkers } = await import("./supervise-workers.ts");
  const supervisor = superviseWorkers(config);
  stopWhenTold(supervisor.stop);
  process.stdout.write(await supervisor.whenReady);
  process.exit(await supervisor.whenGivenUp);
}

/** Starts the service, or the supervisor of its workers, and prints what `describe` returns. */
export async function runService(describe: Describe = (service) => service.welcome, machine?: Machine): Promise<void> {
  try {
    const config = readConfig();
    if (cluster.isWorker) await (await import("./work.ts")).work(config, describe, machine);
    else if (config.workers > 1) await serveWithWorkers(config);
    else await serveAlone(config, describe, machine);
  } catch (error) {
    refuseToStart(error);
  }
}
