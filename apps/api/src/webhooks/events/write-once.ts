import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import type { Store } from "../../store/store.ts";
import type { NewEvent } from "./write-events.ts";
import type { OnceEvent, OnceOutcome } from "./write-once.work.ts";

const work = new URL("./write-once.work.ts", import.meta.url);

/**
 * For what has no transaction of its own, such as a limit that was reached: one event per audience and key, whichever
 * nodes notice it, however often.
 */
export const writeOnce = (store: Store, { audience, type, data }: NewEvent, { onceKey, nowMs }: { onceKey: string; nowMs: number }): Promise<OnceOutcome> =>
  store.transact<OnceEvent, OnceOutcome>(work, { id: timeOrderedId("evt", nowMs), audience, type, data: JSON.stringify(data), onceKey, nowMs });
