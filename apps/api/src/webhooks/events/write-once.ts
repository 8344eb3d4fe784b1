import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import type { Store } from "../../store/store.ts";
import { selectOnce } from "./events.table.ts";
import type { NewEvent } from "./write-events.ts";
import type { OnceEvent, OnceOutcome } from "./write-once.work.ts";

const work = new URL("./write-once.work.ts", import.meta.url);

/**
 * For what has no transaction of its own, such as a limit that was reached: one event per audience and key, whichever
 * nodes notice it, however often.
 */
export async function writeOnce(store: Store, { audience, type, data }: NewEvent, { onceKey, nowMs }: { onceKey: string; nowMs: number }): Promise<OnceOutcome> {
  // Without the writer, because most of what is noticed again and again was told long ago.
  if (await selectOnce(store.db, { audience, onceKey }).executeTakeFirst()) return "already_written";
  return store.transact<OnceEvent, OnceOutcome>(work, { id: timeOrderedId("evt", nowMs), audience, type, data: JSON.stringify(data), onceKey, nowMs });
}
