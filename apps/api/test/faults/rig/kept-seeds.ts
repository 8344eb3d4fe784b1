import type { FaultName } from "./inflict-fault.ts";

/** A seed that is played on every run: because it failed once, or because it shows what must go well. */
export type KeptSeed = {
  seed: number;
  why: string;
  /** Absent: all. The seed decides their order. */
  faults?: readonly FaultName[];
  stoppedMs?: number;
};

/**
 * Played one after the other on one installation, and together within 100 s of two processors: of a seed that failed, only
 * the faults that it failed at. Only one of them can upgrade: there is one next version.
 */
export const keptSeeds: readonly KeptSeed[] = [
  {
    // PostgreSQL's death was a 500 to everybody at the dashboard, and to every free read.
    seed: 7,
    why: "every fault once; a database that is gone is no error of ours",
  },
  {
    // Two at once: an outcome that was answered 503 had been stored, and a node that had stood still found its
    // transactions ended, which people who looked at an ad were told.
    seed: 1_126_424_295,
    why: "what is answered 503 and is free may be stored; what was ended before its COMMIT is done again",
    faults: ["stop_postgres", "stop_node"],
  },
  {
    // The same as the first, by another name: a connection that could not be had was none of the errors that were known.
    seed: 1_171_961_067,
    why: "a pool that gives no connection is a database that is gone",
    faults: ["kill_postgres"],
  },
];
