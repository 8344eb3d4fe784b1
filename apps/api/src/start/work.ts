/** One of several processes that serve the same port, under a supervisor. */
import cluster from "node:cluster";
import { performance } from "node:perf_hooks";
import { type Config, ConfigError } from "../config.ts";
import type { Machine } from "../deps.ts";
import { msPerSecond } from "../formats/time.ts";
import type { Siblings, WorkerMetrics, WorkersStatus } from "../operations/siblings.ts";
import { type RunningService, serve } from "./serve.ts";
import type { FromWorker, ToWorker } from "./worker-messages.ts";

const loadEveryMs = msPerSecond;
/** Longer than the supervisor waits for a worker that does not report. */
const gatherMsMax = 5_000;

/** A message to a supervisor that is gone is lost: this worker drains anyway. */
function tell(message: FromWorker): void {
  if (process.connected) process.send!(message, undefined, undefined, () => {});
}

type Waiting = { resolve: (metrics: WorkerMetrics[]) => void; reject: (error: Error) => void };

/** What this worker knows of the others, from the supervisor. */
function openSiblings(config: Config) {
  let status: WorkersStatus = { configured: config.workers, ready: 0, restarts: 0 };
  let report: () => Promise<WorkerMetrics> = async () => [];
  let asked = 0;
  const waiting = new Map<number, Waiting>();
  const siblings: Siblings = {
    number: config.workerNumber,
    status: () => status,
    setReport(read) {
      report = read;
    },
    async gatherMetrics() {
      asked += 1;
      const id = asked;
      const { promise, resolve, reject } = Promise.withResolvers<WorkerMetrics[]>();
      const late = setTimeout(() => reject(new Error("the supervisor does not answer")), gatherMsMax);
      waiting.set(id, { resolve, reject });
      tell({ kind: "gather", id });
      return promise.finally(() => {
        clearTimeout(late);
        waiting.delete(id);
      });
    },
  };
  return {
    siblings,
    async hear(message: ToWorker): Promise<void> {
      if (message.kind === "status") ({ status } = message);
      else if (message.kind === "report") tell({ kind: "reported", id: message.id, metrics: await report().catch(() => []) });
      else if (message.kind === "gathered") waiting.get(message.id)?.resolve(message.metrics);
    },
  };
}

/** Tells the supervisor once a second how busy this worker is. */
function startTellingLoad(service: RunningService): void {
  let before = performance.eventLoopUtilization();
  async function tellLoad(): Promise<void> {
    const connections = await service.countConnections();
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    tell({ kind: "load", load: { utilization, connections } });
  }
  setInterval(() => void tellLoad(), loadEveryMs).unref();
}

function exitWhen(done: Promise<void>): void {
  done.then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`Assay did not stop cleanly: ${String(error)}\n`);
      process.exit(1);
    },
  );
}

async function followDrain(service: RunningService, message: ToWorker & { kind: "drain" }): Promise<void> {
  const { step } = message;
  if (step === "finish") exitWhen(Promise.resolve(service.drain.finish()));
  else await service.drain[step]();
  tell({ kind: "drained", step });
}

/** Serves until the supervisor tells it to drain, or is gone. */
export async function work(config: Config, describe: (service: RunningService) => string, machine: Machine | undefined): Promise<void> {
  // Otherwise Node ends a worker at once, with its calls, when its supervisor is killed.
  cluster.worker!.exitedAfterDisconnect = true;
  // A terminal sends its signals to every process of the group; the supervisor drains all workers at the same moment.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
  const { siblings, hear } = openSiblings(config);
  let service: RunningService | undefined;
  process.on("message", (message: ToWorker) => {
    if (service && message.kind === "drain") void followDrain(service, message);
    else if (service && message.kind === "hand_over") service.handOver(message.connections);
    else void hear(message);
  });
  process.on("disconnect", () => {
    if (service) exitWhen(service.stop());
    else process.exit(1);
  });
  try {
    service = await serve(config, machine, siblings);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const refusal: FromWorker = { kind: "refused", reason: error.message };
    process.send!(refusal, undefined, undefined, () => process.exit(1));
    return;
  }
  startTellingLoad(service);
  tell({ kind: "ready", text: describe(service) });
}
