import type { SignalVector } from "../evidence/day-result.ts";

/** What was counted, as it is stored. */
export type WaitingDetail =
  | { kind: "repeated_session"; settled: number; sessions: readonly { vector: SignalVector; calls: number }[] }
  | { kind: "unexamined"; analyses: number; settled: number; calls: number; stored: number }
  | { kind: "crowded_network"; clicks: number; settled: number };
