/** What the supervisor and its workers say to each other over the IPC channel. */
import type { WorkerMetrics, WorkersStatus } from "../operations/siblings.ts";
import type { DrainStep } from "./pace-drain.ts";

export type ToWorker =
  | { kind: "drain"; step: DrainStep }
  | { kind: "status"; status: WorkersStatus }
  /** Send what you count. */
  | { kind: "report"; id: number }
  /** What all workers counted, for the worker that asked. */
  | { kind: "gathered"; id: number; metrics: WorkerMetrics[] }
  /** Ask so many callers to connect anew: another worker has more time for them. */
  | { kind: "hand_over"; connections: number };

/** How busy a worker's event loop was lately, from 0 to 1, and its open connections. */
export type WorkerLoad = { utilization: number; connections: number };

export type FromWorker =
  /** It serves. `text` is what the service prints after a start. */
  | { kind: "ready"; text: string }
  /** It cannot start, for a reason that an operator can mend. */
  | { kind: "refused"; reason: string }
  | { kind: "drained"; step: DrainStep }
  | { kind: "gather"; id: number }
  | { kind: "reported"; id: number; metrics: WorkerMetrics }
  | { kind: "load"; load: WorkerLoad };
