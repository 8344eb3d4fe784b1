import { idempotencyHours } from "../billing/charge-batch.ts";
import { deleteChangesBefore } from "../keys/keys.table.ts";
import type { PostgresStore, Store } from "../store/store.ts";
import { lowestIdAt } from "../store/time-ordered-id.ts";
import { deleteAnswersBefore, deleteBatchesBefore, deleteHoursBefore, deleteOutcomesBefore, deleteRecordsBefore } from "./keep-store.table.ts";

const msPerHour = 3_600_000;
const msPerDay = 24 * msPerHour;
/** So far ahead partitions exist; a node that was down for less finds today's in place. */
const daysAhead = 7;
/** Sums of whole hours tell of no session; the longest window and the one before it are answered from them. */
const hoursKeptDays = 190;
const deletesAtOnce = 2_000;
const roundsMax = 1_000;

const partitionPrefix = "session_records_d";

const dayName = (dayMs: number) => partitionPrefix + new Date(dayMs).toISOString().slice(0, 10).replaceAll("-", "");

/** Creates the days to come and drops those that are past retention, on PostgreSQL. */
async function keepPartitions(store: PostgresStore, settings: { nowMs: number; retentionDays: number }): Promise<void> {
  const today = settings.nowMs - (settings.nowMs % msPerDay);
  for (let day = today; day <= today + daysAhead * msPerDay; day += msPerDay) {
    const bounds = `FROM ('${lowestIdAt("sess", day)}') TO ('${lowestIdAt("sess", day + msPerDay)}')`;
    await store.pool
      .query(`CREATE TABLE IF NOT EXISTS ${dayName(day)} PARTITION OF session_records FOR VALUES ${bounds}`)
      // Records that were kept by the default partition hold the day there; retention deletes them row by row.
      .catch((error: { code?: string }) => {
        if (error.code !== "23514" && error.code !== "42P07" && error.code !== "23505") throw error;
      });
  }
  const oldest = dayName(today - settings.retentionDays * msPerDay);
  const partitions = await store.pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'session_records'::regclass AND c.relname LIKE '${partitionPrefix}%' AND c.relname < $1`,
    [oldest],
  );
  for (const { name } of partitions.rows) await store.pool.query(`DROP TABLE IF EXISTS ${name}`);
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
    await keepPartitions(store, settings);
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
}
