import { deleteTrackingKeysRetiredBefore } from "../ads/tracking-keys.table.ts";
import { idempotencyHours } from "../billing/charge-batch.ts";
import { keepDashboard } from "../dashboard/keep-dashboard.ts";
import { deleteChangesBefore } from "../keys/keys.table.ts";
import { addUpDeleted, type Deleted, deleteInSteps } from "../store/delete-in-steps.ts";
import type { Store } from "../store/store.ts";
import { lowestIdAt } from "../store/time-ordered-id.ts";
import { offersKeptDays } from "./keep-partitions.ts";
import {
  deleteAnswersBefore,
  deleteBatchesBefore,
  deleteHoursBefore,
  deleteOffersBefore,
  deleteOutcomesBefore,
  deleteRecordsBefore,
  deleteSessionOffersBefore,
} from "./keep-store.table.ts";

const msPerHour = 3_600_000;
const msPerDay = 24 * msPerHour;
/** Sums of whole hours tell of no session; the longest window and the one before it are answered from them. */
const hoursKeptDays = 190;
/** A session that is no longer trusted asks for no more offers: see ads/session-trust.ts. */
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
    await keepDashboard(store, { nowMs, isOver }),
  ];
  // Fences of commits tell of nothing that anybody kept: they are not counted.
  const deleteFences = (limit: number) => deleteBatchesBefore(db, { atMs: nowMs - msPerHour, limit }).executeTakeFirst();
  if (store.dialect === "postgres") steps.push({ ...(await deleteInSteps(deleteFences, isOver)), deleted: 0 });
  await deleteChangesBefore(db, nowMs - msPerHour).execute();
  await deleteTrackingKeysRetiredBefore(db, nowMs - (offersKeptDays + 1) * msPerDay).execute();
  return addUpDeleted(steps);
}
