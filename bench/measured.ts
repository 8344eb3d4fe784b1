/** bench/measured.json: what benchmarks and fault suites measured, the input of bench/capacity.ts. */

/** Mean cost of one call. */
export type Cost = { nodeMicroseconds: number; databaseMicroseconds: number; redisMicroseconds: number; logBytes: number; diskBytes: number };

/** Several workers in relation to one process on the same machine: node bench/workers.ts --save. */
type WorkersMeasured = { count: number; throughputRatio: number; cpuRatio: number; databaseCpuRatio: number };

/** Seconds without service of one kind of fault, as callers saw them: the median and the longest of so many faults. */
export type FailoverMeasured = { fault: string; times: number; medianSeconds: number; longestSeconds: number };

export type Measured = {
  machine: string;
  call: Cost;
  callWithKey: Cost;
  adRequest: Cost;
  /** Calls per second of a single account, whose chain is written sequentially. */
  hotAccountPerSecond: number;
  nodeResidentMiB: number;
  workers?: WorkersMeasured;
  failover?: FailoverMeasured[];
};
