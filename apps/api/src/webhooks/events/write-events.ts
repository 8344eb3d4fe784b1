import { neverChosen } from "@assay/contract/never-chosen.ts";
import type { EventData, EventType } from "@assay/contract/webhooks.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import type { Db } from "../../store/schema.ts";
import type { ClosedWrite, Transaction } from "../../store/store.ts";
import { advanceHead, insertDeliveries, insertEvent } from "./events.table.ts";

/** The audience of what concerns those who run the installation. An account's own audience is its id. */
export const operators = "operators";

/** Something that happened and that its audience is told of, without personal data. */
export type NewEvent = { [Each in EventType]: { audience: string; type: Each; data: EventData<Each> } }[EventType];

/** For a closed write: the event, and a delivery for each endpoint that wants it. They come before the audit note. */
export function eventStatements(db: Db, event: NewEvent, { nowMs, onceKey = null }: { nowMs: number; onceKey?: string | null }): ClosedWrite {
  const { audience, type } = event;
  const id = timeOrderedId("evt", nowMs);
  return [
    advanceHead(db, audience),
    insertEvent(db, { id, audience, type, data: JSON.stringify(event.data), onceKey, nowMs }),
    ...(neverChosen.has(type) ? [] : [insertDeliveries(db, { id, audience, type, nowMs })]),
  ];
}

const byAudience = (one: NewEvent, other: NewEvent): number => (one.audience === other.audience ? 0 : one.audience < other.audience ? -1 : 1);

/** The same for several: heads are locked in the order of their audiences. */
export const statementsOf = (db: Db, events: readonly NewEvent[], nowMs: number): ClosedWrite =>
  events.toSorted(byAudience).flatMap((event) => eventStatements(db, event, { nowMs }));

/**
 * In the transaction of what they tell: an event leaves if, and only if, that is committed. Called after everything but
 * the audit note has been written. A transaction that tells several accounts calls it once.
 */
export async function writeEvents(tx: Transaction, events: readonly NewEvent[], nowMs: number): Promise<void> {
  for (const statement of statementsOf(tx.db, events, nowMs)) await tx.change(statement);
}
