/** Starts the workers that serve one port, replaces those that die, and drains all of them at the same moment. */
import cluster, { type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { type Config, ConfigError, workerNumberVariable } from "../config.ts";
import { createLog } from "../operations/log.ts";
import { createMetricsGathering } from "./gather-metrics.ts";
import { drainMsMax, type DrainStep, paceDrain } from "./pace-drain.ts";
import { prepareDataDir } from "./prepare-data-dir.ts";
import { shareLoad } from "./share-load.ts";
import type { FromWorker, ToWorker, WorkerLoad } from "./worker-messages.ts";

/** For each step of a drain: a worker that hangs must not keep the others from draining. */
const stepMsMax = 2_000;
/** The rest of a drain beside what drainMsMax bounds. */
const drainMarginMs = 5_000;
/** The first restart is immediate; each further one in a row waits twice as long as the one before. */
const restartMs = { first: 250, max: 8_000 };
/** A worker that has run for so long is not in a row with its predecessor. */
const steadyMs = 10_000;
/** Longer, with their pauses, than a failover of the database takes. */
const failedStartsMax = 8;

type Slot = {
  number: number;
  worker: Worker | undefined;
  isReady: boolean;
  startedMs: number;
  /** Deaths in a row, and those of them before it was ready. */
  deaths: number;
  failedStarts: number;
  /** Why it could not start, as far as it could tell. */
  reason: string | undefined;
  load: WorkerLoad | undefined;
};

export type Supervisor = {
  /** Resolves with what a worker prints after the start, when all of them serve. */
  whenReady: Promise<string>;
  /** Resolves with an exit code when the workers cannot be kept running. */
  whenGivenUp: Promise<number>;
  /** Drains all workers. Resolves with the exit code. */
  stop(): Promise<number>;
};

const pauseMsOf = (deaths: number): number => (deaths <= 1 ? 0 : Math.min(restartMs.max, restartMs.first * 2 ** (deaths - 2)));

/** A message to a worker that has just died is lost, and its exit is handled anyway. */
function tell(slot: Slot, message: ToWorker): void {
  if (slot.worker?.isConnected()) slot.worker.send(message, () => {});
}

export function superviseWorkers(config: Config): Supervisor {
  const lock = prepareDataDir(config.dataDir);
  const log = createLog(config.logLevel);
  // Each worker accepts by itself from the one queue of the port: see docs/decisions/0036.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ serialization: "advanced" });
  const slots: Slot[] = Array.from({ length: config.workers }, (_, index) => ({
    number: index + 1,
    worker: undefined,
    isReady: false,
    startedMs: 0,
    deaths: 0,
    failedStarts: 0,
    reason: undefined,
    load: undefined,
  }));
  const readySlots = () => slots.filter(({ isReady }) => isReady);
  const gathering = createMetricsGathering<Slot>({ reporters: readySlots, tell });
  const started = Promise.withResolvers<string>();
  const givenUp = Promise.withResolvers<number>();
  let text: string | undefined;
  let restarts = 0;
  let isStarted = false;
  let stopping: Promise<number> | undefined;

  function tellStatus(): void {
    const status = { configured: config.workers, ready: readySlots().length, restarts };
    for (const slot of slots) tell(slot, { kind: "status", status });
  }

  function noteReady(slot: Slot, printed: string): void {
    slot.isReady = true;
    slot.failedStarts = 0;
    slot.reason = undefined;
    text ??= printed;
    tellStatus();
    if (isStarted) log.info({ worker: slot.number, pid: slot.worker!.process.pid }, "a worker is ready");
    // The first one migrates and makes what the others find.
    else if (slot.number === 1) for (const each of slots.slice(1)) start(each);
    if (!isStarted && readySlots().length === slots.length) {
      isStarted = true;
      started.resolve(text);
    }
  }

  function hear(slot: Slot, message: FromWorker): void {
    if (message.kind === "ready") noteReady(slot, message.text);
    else if (message.kind === "refused") slot.reason = message.reason;
    else if (message.kind === "gather") gathering.gather(slot, message.id);
    else if (message.kind === "reported") gathering.note(slot, message);
    else if (message.kind === "load") {
      slot.load = message.load;
      for (const { of, connections } of shareLoad(readySlots())) tell(of, { kind: "hand_over", connections });
    }
  }

  function start(slot: Slot): void {
    if (stopping) return;
    slot.startedMs = performance.now();
    const worker = cluster.fork({ [workerNumberVariable]: String(slot.number) });
    slot.worker = worker;
    worker.on("message", (message: FromWorker) => hear(slot, message));
    worker.on("error", (error) => log.warn({ worker: slot.number, error: error.message }, "a worker could not be reached"));
    worker.on("exit", (code, signal) => noteExit(slot, { code, signal }));
  }

  /** Why it could not start: what it said itself, or how it ended. */
  const reasonOf = ({ number, reason }: Slot, ended: string): string => reason ?? `worker ${number} ${ended} while it started`;

  function noteExit(slot: Slot, { code, signal }: { code: number | null; signal: string | null }): void {
    const wasReady = slot.isReady;
    Object.assign(slot, { worker: undefined, isReady: false, load: undefined });
    gathering.keep(slot);
    if (stopping) return;
    tellStatus();
    const ended = signal === null ? `exited with ${code}` : `was killed by ${signal}`;
    if (!isStarted) {
      started.reject(new ConfigError(reasonOf(slot, ended)));
      return;
    }
    const ranMs = performance.now() - slot.startedMs;
    slot.deaths = wasReady && ranMs >= steadyMs ? 1 : slot.deaths + 1;
    slot.failedStarts += wasReady ? 0 : 1;
    if (slot.failedStarts >= failedStartsMax) {
      process.stderr.write(`Assay stops: worker ${slot.number} could not start ${slot.failedStarts} times in a row: ${reasonOf(slot, ended)}\n`);
      void stop().then(() => givenUp.resolve(1));
      return;
    }
    restarts += 1;
    const pauseMs = pauseMsOf(slot.deaths);
    log.error({ worker: slot.number, reason: slot.reason, pauseMs }, `a worker ${ended}; it is started again`);
    setTimeout(() => start(slot), pauseMs);
  }

  /** Orders a step of the drain and waits until every worker has done it, died, or taken too long. */
  async function order(step: DrainStep): Promise<void> {
    const done = readySlots().map((slot) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      slot.worker!.on("message", (message: FromWorker) => {
        if (message.kind === "drained" && message.step === step) resolve();
      });
      slot.worker!.once("exit", () => resolve());
      tell(slot, { kind: "drain", step });
      return promise;
    });
    await Promise.race([Promise.all(done), sleep(stepMsMax, undefined, { ref: false })]);
  }

  async function drainAll(): Promise<number> {
    const running = slots.flatMap(({ worker }) => (worker ? [worker] : []));
    // One that still starts has accepted nothing that it could answer.
    for (const { worker, isReady } of slots) if (worker && !isReady) worker.process.kill("SIGKILL");
    const ended = Promise.all(running.map((worker) => new Promise<number | null>((resolve) => worker.once("exit", resolve))));
    await paceDrain({ announce: () => order("announce"), hold: () => order("hold"), closePort: () => order("closePort"), finish: () => order("finish") });
    const overdue = setTimeout(() => {
      for (const worker of running) worker.process.kill("SIGKILL");
    }, drainMsMax + drainMarginMs);
    const codes = await ended;
    clearTimeout(overdue);
    lock.release();
    return codes.every((code) => code === 0) ? 0 : 1;
  }

  const stop = (): Promise<number> => (stopping ??= drainAll());

  start(slots[0]!);
  return {
    whenReady: started.promise.catch(async (error: unknown) => {
      await stop();
      throw error;
    }),
    whenGivenUp: givenUp.promise,
    stop,
  };
}
