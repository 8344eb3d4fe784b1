import { Worker } from "node:worker_threads";
import { type WriteTrouble, writeTroubleOf } from "./sqlite-trouble.ts";
import type { WorkerReply, WorkerRequest, WorkerSettings } from "./sqlite-worker.ts";

type Unnumbered<Request> = Request extends { id: number } ? Omit<Request, "id"> : never;

/** A SQLite connection on its own thread. */
export type SqliteThread = {
  ask<Result>(request: Unnumbered<WorkerRequest>): Promise<Result>;
  close(): Promise<void>;
};

/** The statement or the whole closed write took no effect. */
export class SqliteError extends Error {
  /** SQLite's result code; undefined if the work itself threw. */
  readonly errcode: number | undefined;
  constructor(message: string, errcode: number | undefined) {
    super(message);
    this.name = "SqliteError";
    this.errcode = errcode;
  }

  get trouble(): WriteTrouble | undefined {
    return writeTroubleOf(this.errcode);
  }
}

/** The disk failed during COMMIT: it is unknown whether the write took effect. */
export class SqliteOutcomeUnknown extends Error {
  readonly trouble: WriteTrouble | undefined;
  constructor(message: string, errcode: number | undefined) {
    super(message);
    this.name = "SqliteOutcomeUnknown";
    this.trouble = writeTroubleOf(errcode);
  }
}

export function startSqliteThread(settings: WorkerSettings): SqliteThread {
  const worker = new Worker(new URL("./sqlite-worker.ts", import.meta.url), {
    workerData: settings,
    // Objects are short-lived here, so a small young generation suffices and keeps the thread small.
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  });
  /** By the id of the request. Not a Map, whose tables would outlive what passes through it (see queues/fair-queue.ts). */
  const waiting: ({ resolve(value: unknown): void; reject(error: Error): void } | undefined)[] = [];
  const freeIds: number[] = [];
  let ended: Error | undefined;

  function end(error: Error) {
    ended ??= error;
    for (const each of waiting.splice(0)) each?.reject(ended);
  }

  worker.on("message", (reply: WorkerReply) => {
    const caller = waiting[reply.id];
    waiting[reply.id] = undefined;
    freeIds.push(reply.id);
    if (reply.ok) caller?.resolve(reply.result);
    else caller?.reject(reply.outcome === "unknown" ? new SqliteOutcomeUnknown(reply.message, reply.errcode) : new SqliteError(reply.message, reply.errcode));
  });
  worker.on("error", (error: Error) => end(error));
  worker.on("exit", () => end(new Error("the SQLite thread has ended")));

  function ask<Result>(request: Unnumbered<WorkerRequest>): Promise<Result> {
    if (ended) return Promise.reject(ended);
    const id = freeIds.pop() ?? waiting.length;
    return new Promise<Result>((resolve, reject) => {
      waiting[id] = { resolve, reject };
      worker.postMessage({ ...request, id });
    });
  }

  return {
    ask,
    async close() {
      if (!ended) await ask({ type: "close" });
      await worker.terminate();
    },
  };
}
