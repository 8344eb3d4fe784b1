import { deleteTrackingKeysRetiredBefore } from "../ads/serving/tracking-keys.table.ts";
import { idempotencyHours } from "../money/ledger/charge-batch.ts";
import { deleteByShorterRetention } from "../scoring/sessions/delete-old-sessions.ts";
import { deleteOldRequests } from "../access/requests/delete-old-requests.ts";
import { deleteChangesBefore } from "../access/keys/keys.table.ts";
import { addUpDeleted, type Deleted, deleteInSteps } from "../store/delete-in-steps.ts";
import type { Store } from "../store/store.ts";
import { lowestIdAt } from "../ids/time-ordered-id.ts";
import { offersKeptDays } from "./make-partitions.ts";
import { deleteOutcomesBefore, deleteRecordsBefore } from "../scoring/sessions/sessions.table.ts";
import { deleteHoursBefore } from "../scoring/traffic/traffic.table.ts";
import { deleteAnswersBefore } from "../money/ledger/ledger.table.ts";
import { deleteBatchesBefore } from "../store/commit-batches.table.ts";
import { deleteOffersBefore, deleteSessionOffersBefore } from "../ads/serving/offers.table.ts";
import { msPerDay, msPerHour } from "../formats/time.ts";

/** Sums of whole hours tell of no session; the longest window and the one before it are answered from them. */
const hoursKeptDays = 190;
/** A session that is no longer trusted asks for no more offers: see ads/serving/session-trust.ts. */
const sessionOffersKeptMs = msPerHour;

export type Deletion = { nowMs: number; retentionDays: number; isOver: () => boolean };

/**
 * Deletes what is past its time, row by row. On PostgreSQL whole days have gone before (keep-partitions.ts), so of
 * sessions and offers this finds only the rows of no partition. The ledger is never touched.
 */
export async function deleteExpired(store: Store, order: Deletion): Promise<Deleted> {
  const { db } = store;
  const { nowMs, isOver } = order;
  const oldestRecord = lowestIdAt("sess", nowMs - order.retentionDays * msPerDay);
  const oldestOffer = lowestIdAt("ad", nowMs - offersKeptDays * msPerDay);
  const oldestSession = lowestIdAt("sess", nowMs - sessionOffersKeptMs);
  // Outcomes after the sessions that they are about: the database refuses it the other way round.
  const steps = [
    await deleteInSteps((limit) => deleteRecordsBefore(db, { id: oldestRecord, limit }).executeTakeFirst(), isOver),
    await deleteInSteps((limit) => deleteOutcomesBefore(db, { id: oldestRecord, limit }).executeTakeFirst(), isOver),
    await deleteInSteps((limit) => deleteHoursBefore(db, { hourMs: nowMs - hoursKeptDays * msPerDay, limit }).executeTakeFirst(), isOver),
    await deleteInSteps((limit) => deleteAnswersBefore(db, { atMs: nowMs - idempotencyHours * msPerHour, limit }).executeTakeFirst(), isOver),
    await deleteInSteps((limit) => deleteOffersBefore(db, { id: oldestOffer, limit }).executeTakeFirst(), isOver),
    await deleteInSteps((limit) => deleteSessionOffersBefore(db, { id: oldestSession, limit }).executeTakeFirst(), isOver),
    await deleteOldRequests(store, { nowMs, isOver }),
    await deleteByShorterRetention(store, { nowMs, isOver }),
  ];
  // Fences of commits tell of nothing that anybody kept: they are not counted.
  const deleteFences = (limit: number) => deleteBatchesBefore(db, { atMs: nowMs - msPerHour, limit }).executeTakeFirst();
  if (store.dialect === "postgres") steps.push({ ...(await deleteInSteps(deleteFences, isOver)), deleted: 0 });
  await deleteChangesBefore(db, nowMs - msPerHour).execute();
  await deleteTrackingKeysRetiredBefore(db, nowMs - (offersKeptDays + 1) * msPerDay).execute();
  return addUpDeleted(steps);
}
