import type { Store } from "./store.ts";

/** Crystals drift by milliseconds in this time, and a suspended machine resumes with a large offset. */
const readEveryMs = 10_000;
/** The first one often waits for a connection, and says little. */
const readingsAtStart = 3;

const readTime = "SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms";

/** The time for everything that nodes store and compare. */
export type StoreClock = { nowMs: () => number; stop(): void };

type ClockReading = { askedMs: number; answeredMs: number; storeMs: number };

/** The offset to the monotonic clock. The store read its clock at some time between question and answer. */
export const offsetOf = ({ askedMs, answeredMs, storeMs }: ClockReading): number => storeMs - (askedMs + answeredMs) / 2;

/** The nearest offset that the reading allows: a slow answer proves nothing, and must not set the time back. */
export const correctOffset = (offsetMs: number, { askedMs, answeredMs, storeMs }: ClockReading): number =>
  Math.min(storeMs - askedMs, Math.max(storeMs - answeredMs, offsetMs));

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
  const correct = async () => {
    offsetMs = correctOffset(offsetMs, await read());
  };
  for (let readings = 1; readings < readingsAtStart; readings += 1) await correct();
  const timer = setInterval(() => void correct().catch(onError), readEveryMs).unref();
  return { nowMs: () => Math.round(offsetMs + monotonicMs()), stop: () => clearInterval(timer) };
}
