import type { Store } from "./store.ts";

/** Crystals drift by milliseconds in this time, and a suspended machine resumes with a large offset. */
const readEveryMs = 10_000;
/** The reading of a longer round trip is too inexact. */
const roundTripMsMax = 1_000;

const readTime = "SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms";

/** The time for everything that nodes store and compare. */
export type StoreClock = { nowMs: () => number; stop(): void };

type ClockReading = { askedMs: number; answeredMs: number; storeMs: number };

/** The offset to the monotonic clock. The store read its clock at some time between question and answer. */
export const offsetOf = ({ askedMs, answeredMs, storeMs }: ClockReading): number => storeMs - (askedMs + answeredMs) / 2;

/**
 * Nodes that share a database use its clock, extrapolated with their own monotonic one. Ledger entries never go back in
 * time, so a machine with a wrong clock, or one that is corrected by an hour, would otherwise shift whole accounts. An
 * embedded store has one machine and uses its clock, which may jump.
 */
export async function openStoreClock(
  store: Store,
  context: { machineNowMs: () => number; monotonicMs: () => number; onError: (error: unknown) => void },
): Promise<StoreClock> {
  if (store.dialect === "sqlite") return { nowMs: context.machineNowMs, stop: () => {} };
  const { pool } = store;
  const { monotonicMs, onError } = context;

  async function read(): Promise<ClockReading> {
    const askedMs = monotonicMs();
    const { rows } = await pool.query<{ ms: number }>(readTime);
    return { askedMs, answeredMs: monotonicMs(), storeMs: rows[0]!.ms };
  }

  let offsetMs = offsetOf(await read());
  const timer = setInterval(() => {
    read().then((reading) => {
      if (reading.answeredMs - reading.askedMs <= roundTripMsMax) offsetMs = offsetOf(reading);
    }, onError);
  }, readEveryMs).unref();
  return { nowMs: () => Math.round(offsetMs + monotonicMs()), stop: () => clearInterval(timer) };
}
