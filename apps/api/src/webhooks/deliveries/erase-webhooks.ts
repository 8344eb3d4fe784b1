import { msPerDay } from "../../formats/time.ts";
import { lowestIdAt } from "../../ids/time-ordered-id.ts";
import { type Deleted, deleteInSteps } from "../../store/delete-in-steps.ts";
import type { Store, Transaction } from "../../store/store.ts";
import { deleteEventsBefore, deleteEventsOfAudience, deleteHeadOfAudience, lockHead } from "../events/events.table.ts";
import { deleteAttemptsBefore, deleteAttemptsOfAudience, deleteDeliveriesBefore, deleteDeliveriesOfAudience } from "./deliveries.table.ts";
import { deleteEndpointsOfAudience, lockEndpointsOfAudience } from "./sending-endpoints.table.ts";

/** The log shows this much, and as much can be sent again. */
export const webhooksKeptDays = 30;

/**
 * Everything of an audience: endpoints, events, and what was sent. The locks keep out what is being written: an attempt
 * that ends now, and an event.
 */
export async function eraseWebhooks(tx: Transaction, audience: string): Promise<void> {
  const { db } = tx;
  await tx.run(lockEndpointsOfAudience(db, audience));
  const statements = [
    lockHead(db, audience),
    deleteAttemptsOfAudience(db, audience),
    deleteDeliveriesOfAudience(db, audience),
    deleteEndpointsOfAudience(db, audience),
    deleteEventsOfAudience(db, audience),
    deleteHeadOfAudience(db, audience),
  ];
  for (const statement of statements) await tx.change(statement);
}

/** Deletes what is past retention. A delivery that waits for a paused endpoint goes with its event. */
export async function deleteOldWebhooks({ db }: Store, { nowMs, isOver }: { nowMs: number; isOver: () => boolean }): Promise<Deleted[]> {
  const atMs = nowMs - webhooksKeptDays * msPerDay;
  const id = lowestIdAt("evt", atMs);
  return [
    await deleteInSteps((limit) => deleteAttemptsBefore(db, { atMs, limit }).executeTakeFirst(), isOver),
    await deleteInSteps((limit) => deleteDeliveriesBefore(db, { eventId: id, limit }).executeTakeFirst(), isOver),
    await deleteInSteps((limit) => deleteEventsBefore(db, { id, limit }).executeTakeFirst(), isOver),
  ];
}
