import type { MetricObjectWithValues, MetricValue } from "prom-client";

/** What one worker counts, as it travels between processes. */
export type WorkerMetrics = MetricObjectWithValues<MetricValue<string>>[];

export type WorkersStatus = {
  /** WORKERS. */
  configured: number;
  /** How many of them serve calls. */
  ready: number;
  /** How many were started again since the start of the service. */
  restarts: number;
};

/** The other processes that serve the same port. */
export type Siblings = {
  /** From 1 to WORKERS; undefined where one process serves alone. */
  number: number | undefined;
  status: () => WorkersStatus;
  /** What all workers count, this one included. Undefined where there is only this one. */
  gatherMetrics: (() => Promise<WorkerMetrics[]>) | undefined;
  /** Tells how to read what this worker counts, for when another one gathers. */
  setReport: (report: () => Promise<WorkerMetrics>) => void;
};

export const alone: Siblings = {
  number: undefined,
  status: () => ({ configured: 1, ready: 1, restarts: 0 }),
  gatherMetrics: undefined,
  setReport: () => {},
};
