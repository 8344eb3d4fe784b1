import { deleteChangesBefore } from "../access/keys/keys.table.ts";
import { deleteOldRequests } from "../access/requests/delete-old-requests.ts";
import { deleteOffersBefore, deleteSessionOffersBefore } from "../ads/serving/offers.table.ts";
import { deleteTrackingKeysRetiredBefore } from "../ads/serving/tracking-keys.table.ts";
import { deleteOldAttestation, deleteOldSalts } from "../attestation/delete-old-attestation.ts";
import { msPerDay, msPerHour } from "../formats/time.ts";
import { lowestIdAt } from "../ids/time-ordered-id.ts";
import { idempotencyHours } from "../money/ledger/charge-batch.ts";
import { deleteAnswersBefore, deleteAttestedSessionsBefore } from "../money/ledger/ledger.table.ts";
import { deleteEvidenceBefore, deleteNoticesBefore } from "../money/evidence/evidence.table.ts";
import { deleteByShorterRetention } from "../scoring/sessions/delete-old-sessions.ts";
import { deleteSettledEvidence, keepEvidence } from "../scoring/sessions/keep-evidence.ts";
import { deleteOutcomesBefore, deleteRecordsBefore } from "../scoring/sessions/sessions.table.ts";
import { readCheckedTo } from "../scoring/traffic/watch-sessions.ts";
import { deleteMarksBefore } from "../scoring/traffic/integrity.table.ts";
import { deleteHoursBefore } from "../scoring/traffic/traffic.table.ts";
import { deleteBatchesBefore } from "../store/commit-batches.table.ts";
import { addUpDeleted, type Deleted, deleteInSteps } from "../store/delete-in-steps.ts";
import type { Store } from "../store/store.ts";
import { deleteOldWebhooks } from "../webhooks/deliveries/erase-webhooks.ts";
import { offersKeptDays } from "./make-partitions.ts";

/** Hourly rollups do not identify a session. They answer the longest window and the one before it. */
const hoursKeptDays = 190;
/** Sessions of accounts are compared over this time. */
const marksKeptDays = 35;
/** What checks found, without the sessions. */
const evidenceKeptDays = 400;
/** An older session is no longer trusted and gets no more offers: see ads/serving/session-trust.ts. */
const sessionOffersKeptMs = msPerHour;

/** By then every token of a session has expired: a session lasts a day, and a token is good for half an hour after its last beat. */
const attestedSessionsKeptMs = 48 * msPerHour;

/**
 * Deletes expired rows. On PostgreSQL whole daily partitions were dropped before (make-partitions.ts), so for sessions
 * and offers this only finds rows in the default partition. A session record stays until its day was checked. The ledger
 * is never touched.
 */
export async function deleteExpired(store: Store, options: { nowMs: number; retentionDays: number; isOver: () => boolean }): Promise<Deleted> {
  const { db } = store;
  // First, so that no backlog of copies delays it.
  await deleteOldSalts(store, options.nowMs);
  if (!(await keepEvidence(store, options))) return { deleted: 0, isMore: true };
  const { nowMs, retentionDays, isOver } = options;
  const checkedToMs = await readCheckedTo(store, nowMs);
  const oldestRecord = lowestIdAt("sess", Math.min(checkedToMs, nowMs - retentionDays * msPerDay));
  const oldestOffer = lowestIdAt("ad", nowMs - offersKeptDays * msPerDay);
  const oldestSession = lowestIdAt("sess", nowMs - sessionOffersKeptMs);
  const usedBefore = { id: lowestIdAt("vis", nowMs - attestedSessionsKeptMs), atMs: nowMs - attestedSessionsKeptMs };
  // Outcomes after their sessions: the database refuses the opposite order.
  const steps = [
    await deleteInSteps((limit) => deleteRecordsBefore(db, { id: oldestRecord, limit }).executeTakeFirst(), isOver),
    await deleteInSteps((limit) => deleteOutcomesBefore(db, { id: oldestRecord, limit }).executeTakeFirst(), isOver),
    await deleteInSteps((limit) => deleteHoursBefore(db, { hourMs: nowMs - hoursKeptDays * msPerDay, limit }).executeTakeFirst(), isOver),
    await deleteInSteps((limit) => deleteAnswersBefore(db, { atMs: nowMs - idempotencyHours * msPerHour, limit }).executeTakeFirst(), isOver),
    await deleteInSteps((limit) => deleteAttestedSessionsBefore(db, { ...usedBefore, limit }).executeTakeFirst(), isOver),
    await deleteInSteps((limit) => deleteOffersBefore(db, { id: oldestOffer, limit }).executeTakeFirst(), isOver),
    await deleteInSteps((limit) => deleteSessionOffersBefore(db, { id: oldestSession, limit }).executeTakeFirst(), isOver),
    await deleteOldRequests(store, { nowMs, isOver }),
    await deleteByShorterRetention(store, { nowMs, checkedToMs, isOver }),
    await deleteSettledEvidence(store, { isOver }),
    await deleteInSteps((limit) => deleteMarksBefore(db, { day: nowMs - marksKeptDays * msPerDay, limit }).executeTakeFirst(), isOver),
    await deleteInSteps((limit) => deleteNoticesBefore(db, { day: nowMs - evidenceKeptDays * msPerDay, limit }).executeTakeFirst(), isOver),
    await deleteInSteps((limit) => deleteEvidenceBefore(db, { day: nowMs - evidenceKeptDays * msPerDay, limit }).executeTakeFirst(), isOver),
    ...(await deleteOldWebhooks(store, { nowMs, isOver })),
    ...(await deleteOldAttestation(store, { nowMs, isOver })),
  ];
  // Commit fences are bookkeeping, not stored records: they are not counted.
  const deleteFences = (limit: number) => deleteBatchesBefore(db, { atMs: nowMs - msPerHour, limit }).executeTakeFirst();
  if (store.dialect === "postgres") steps.push({ ...(await deleteInSteps(deleteFences, isOver)), deleted: 0 });
  await deleteChangesBefore(db, nowMs - msPerHour).execute();
  await deleteTrackingKeysRetiredBefore(db, nowMs - (offersKeptDays + 1) * msPerDay).execute();
  return addUpDeleted(steps);
}
