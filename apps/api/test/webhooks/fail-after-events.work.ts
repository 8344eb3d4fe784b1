import type { TransactionWork } from "../../src/store/store.ts";
import { type NewEvent, writeEvents } from "../../src/webhooks/events/write-events.ts";

/** Writes events and then changes its mind. */
export const work: TransactionWork<{ events: NewEvent[]; nowMs: number }, never> = async (tx, { events, nowMs }) => {
  await writeEvents(tx, events, nowMs);
  throw new Error("the work changed its mind");
};
