import { deleteTrackingKeysRetiredBefore } from "../ads/tracking-keys.table.ts";
import { idempotencyHours } from "../billing/charge-batch.ts";
import { deleteChangesBefore } from "../keys/keys.table.ts";
import type { PostgresStore, Store } from "../store/store.ts";
import { lowestIdAt } from "../store/time-ordered-id.ts";
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
/** So far ahead partitions exist; a node that was down for less finds today's in place. */
const daysAhead = 7;
/** Sums of whole hours tell of no session; the longest window and the one before it are answered from them. */
const hoursKeptDays = 190;
const deletesAtOnce = 2_000;
const roundsMax = 1_000;

/** Offers are looked up by those who click late; a tracking key is of use as long as the offers that it signed. */
const offersKeptDays = 30;
/** A session that is no longer trusted asks for no more offers: see ads/session-trust.ts. */
const sessionOffersKeptMs = msPerHour;

/** A table with a partition for each day of its ids, which are ordered by time. */
type DailyTable = { name: "session_records" | "offers"; idPrefix: string; retentionDays: number };

const partitionName = ({ name }: DailyTable, dayMs: number) => `${name}_d${new Date(dayMs).toISOString().slice(0, 10).replaceAll("-", "")}`;

/** Creates the days to come and drops those that are past retention, on PostgreSQL. */
async function keepPartitions(store: PostgresStore, table: DailyTable, nowMs: number): Promise<void> {
  const { name, idPrefix, retentionDays } = table;
  const today = nowMs - (nowMs % msPerDay);
  for (let day = today; day <= today + daysAhead * msPerDay; day += msPerDay) {
    const bounds = `FROM ('${lowestIdAt(idPrefix, day)}') TO ('${lowestIdAt(idPrefix, day + msPerDay)}')`;
    await store.pool
      .query(`CREATE TABLE IF NOT EXISTS ${partitionName(table, day)} PARTITION OF ${name} FOR VALUES ${bounds}`)
      // Rows that were kept by the default partition hold the day there; retention deletes them row by row.
      .catch((error: { code?: string }) => {
        if (error.code !== "23514" && error.code !== "42P07" && error.code !== "23505") throw error;
      });
  }
  const partitions = await store.pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = '${name}'::regclass AND c.relname LIKE '${name}\\_d2%' AND c.relname < $1`,
    [partitionName(table, today - retentionDays * msPerDay)],
  );
  for (const old of partitions.rows) await store.pool.query(`DROP TABLE IF EXISTS ${old.name}`);
}

/** Deletes in small steps, so that no call waits long behind it. */
async function deleteInSteps(step: () => Promise<{ numDeletedRows: bigint }>): Promise<number> {
  let deleted = 0;
  for (let round = 0; round < roundsMax; round += 1) {
    const { numDeletedRows } = await step();
    deleted += Number(numDeletedRows);
    if (numDeletedRows < deletesAtOnce) break;
  }
  return deleted;
}

/** One round of upkeep: what is past its time goes, what will be needed is made. The ledger is never touched. */
export async function keepStore(store: Store, settings: { nowMs: number; retentionDays: number }): Promise<void> {
  const { nowMs, retentionDays } = settings;
  if (store.dialect === "postgres") {
    await keepPartitions(store, { name: "session_records", idPrefix: "sess", retentionDays }, nowMs);
    await keepPartitions(store, { name: "offers", idPrefix: "ad", retentionDays: offersKeptDays }, nowMs);
    await deleteBatchesBefore(store.db, nowMs - msPerHour).execute();
  }
  const oldestRecord = lowestIdAt("sess", nowMs - retentionDays * msPerDay);
  await deleteInSteps(() => deleteRecordsBefore(store.db, { id: oldestRecord, limit: deletesAtOnce }).executeTakeFirst());
  await deleteInSteps(() => deleteOutcomesBefore(store.db, { id: oldestRecord, limit: deletesAtOnce }).executeTakeFirst());
  const oldestHourMs = nowMs - hoursKeptDays * msPerDay;
  await deleteInSteps(() => deleteHoursBefore(store.db, { hourMs: oldestHourMs, limit: deletesAtOnce }).executeTakeFirst());
  const oldestAnswerMs = nowMs - idempotencyHours * msPerHour;
  await deleteInSteps(() => deleteAnswersBefore(store.db, { atMs: oldestAnswerMs, limit: deletesAtOnce }).executeTakeFirst());
  await deleteChangesBefore(store.db, nowMs - msPerHour).execute();
  await keepOffers(store, nowMs);
}

async function keepOffers(store: Store, nowMs: number): Promise<void> {
  const oldestOffer = lowestIdAt("ad", nowMs - offersKeptDays * msPerDay);
  await deleteInSteps(() => deleteOffersBefore(store.db, { id: oldestOffer, limit: deletesAtOnce }).executeTakeFirst());
  const oldestSession = lowestIdAt("sess", nowMs - sessionOffersKeptMs);
  await deleteInSteps(() => deleteSessionOffersBefore(store.db, { id: oldestSession, limit: deletesAtOnce }).executeTakeFirst());
  await deleteTrackingKeysRetiredBefore(store.db, nowMs - (offersKeptDays + 1) * msPerDay).execute();
}
