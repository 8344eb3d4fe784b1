import type { Store } from "./store.ts";

/** How often the time is asked for again: quartz drifts by milliseconds in that time, and a suspended machine wakes up late. */
const readEveryMs = 10_000;
/** An answer that took longer says too little about when it was true. */
const roundTripMsMax = 1_000;

const readTime = "SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms";

/** What time it is for everything that nodes write down and compare. */
export type StoreClock = { nowMs: () => number; stop(): void };

export type StoreClockSettings = {
  /** The clock of the machine, which may jump. */
  machineNowMs: () => number;
  /** Runs evenly and tells no time of day. */
  monotonicMs: () => number;
  onError: (error: unknown) => void;
};

export type ClockReading = { askedMs: number; answeredMs: number; storeMs: number };

/** What is to be added to the monotonic clock: the store looked at its own somewhere between question and answer. */
export const offsetOf = ({ askedMs, answeredMs, storeMs }: ClockReading): number => storeMs - (askedMs + answeredMs) / 2;

/**
 * Nodes that share a database go by its clock, carried on by their own monotonic one. A machine whose clock is
 * wrong, or is put right by an hour, would otherwise pull whole accounts with it: an entry is never older than the
 * one before. An embedded store has one machine, and takes its clock.
 */
export async function openStoreClock(store: Store, settings: StoreClockSettings): Promise<StoreClock> {
  if (store.dialect === "sqlite") return { nowMs: settings.machineNowMs, stop: () => {} };
  const { pool } = store;
  const { monotonicMs, onError } = settings;

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
