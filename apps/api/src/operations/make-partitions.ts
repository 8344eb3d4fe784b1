/** The days of the tables that PostgreSQL keeps in a partition a day: made ahead, dropped as a whole. */
import type { Pool } from "pg";
import { changeTables } from "../store/change-tables.ts";
import { type DailyTable, dayPartitionName, idPrefixOf } from "../store/day-partitions.ts";
import type { PostgresStore } from "../store/store.ts";
import { lowestIdAt, timeOfId } from "../ids/time-ordered-id.ts";
import { msPerDay, startOfDay } from "../formats/time.ts";

/** So far ahead partitions exist: the job may fail for a week before a call meets a day without one. */
const daysAhead = 7;
/** Offers are looked up by those who click late. */
export const offersKeptDays = 30;
/** Rows that can be moved to their day in the moment for which a table may be locked. */
const movedRowsMax = 20_000;
/** A table that is in use all the time is left to the next run: neither a start nor other jobs wait for it. */
const lockTriesMax = 8;

const retentionDaysOf = (sessionDays: number): [DailyTable, number][] => [
  ["session_records", sessionDays],
  ["offers", offersKeptDays],
];


/** All tables that are named like a day's partition, and whether they are one: a crash may have left one detached. */
async function listDays(pool: Pool, table: DailyTable): Promise<{ name: string; attached: boolean }[]> {
  const { rows } = await pool.query<{ name: string; attached: boolean }>(
    `SELECT c.relname AS name, EXISTS (SELECT 1 FROM pg_inherits i WHERE i.inhrelid = c.oid AND i.inhparent = '${table}'::regclass) AS attached
     FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = '${table}'::regclass)
       AND c.relname ~ '^${table}_d[0-9]{8}$' ORDER BY 1`,
  );
  return rows;
}

/**
 * What leaves the day as it is: another node made it this moment (its table, its type or a name of theirs is there), or
 * the default partition has too many rows of the day to move them, and keeps it.
 */
const mayStay = new Set(["42P07", "42710", "23505", "23514"]);

/**
 * Made on its own and then attached: that leaves the parent table open to calls, where creating it as a partition would
 * lock everybody out. Rows of the day that came while it had no partition move into it.
 */
async function makeDay(pool: Pool, table: DailyTable, day: { dayMs: number; hasRows: boolean }): Promise<void> {
  const partition = dayPartitionName(table, day.dayMs);
  const [from, to] = [day.dayMs, day.dayMs + msPerDay].map((atMs) => lowestIdAt(idPrefixOf[table], atMs));
  const move = `WITH moved AS (DELETE FROM ${table}_default WHERE id >= '${from}' AND id < '${to}' RETURNING *) INSERT INTO ${partition} SELECT * FROM moved`;
  const statements = [
    // First of all, or who changes one of those rows meanwhile would change it where it no longer is.
    ...(day.hasRows ? [`LOCK TABLE ${table}_default IN ACCESS EXCLUSIVE MODE`] : []),
    `CREATE TABLE ${partition} (LIKE ${table} INCLUDING ALL)`,
    ...(day.hasRows ? [move] : []),
    `ALTER TABLE ${table} ATTACH PARTITION ${partition} FOR VALUES FROM ('${from}') TO ('${to}')`,
  ];
  await changeTables(pool, statements, lockTriesMax).catch((error: { code?: string }) => {
    if (!mayStay.has(error.code ?? "")) throw error;
  });
}

/** The days of the rows that no partition takes; undefined when they are too many to be moved. */
async function findOutside(pool: Pool, table: DailyTable): Promise<number[] | undefined> {
  const { rows } = await pool.query<{ id: string }>(`SELECT id FROM ${table}_default LIMIT ${movedRowsMax + 1}`);
  return rows.length > movedRowsMax ? undefined : rows.map(({ id }) => startOfDay(timeOfId(id)));
}

/**
 * Makes the days to come, and those that rows are waiting for. The job does so, and every node that starts: it must not
 * take a call before the day has its place, and who else should have seen to that may be gone.
 */
export async function makeDays(store: PostgresStore, settings: { nowMs: number; retentionDays: number }): Promise<{ made: number }> {
  const { pool } = store;
  const today = startOfDay(settings.nowMs);
  const ahead = Array.from({ length: daysAhead + 1 }, (_, index) => today + index * msPerDay);
  let made = 0;
  for (const [table, days] of retentionDaysOf(settings.retentionDays)) {
    const oldest = today - days * msPerDay;
    const missed = new Set((await findOutside(pool, table))?.filter((dayMs) => dayMs >= oldest));
    const known = new Set((await listDays(pool, table)).map(({ name }) => name));
    const missing = [...new Set([...ahead, ...missed])].filter((dayMs) => !known.has(dayPartitionName(table, dayMs)));
    for (const dayMs of missing) await makeDay(pool, table, { dayMs, hasRows: missed.has(dayMs) });
    made += missing.length;
  }
  return { made };
}

/** Takes out the days that are past retention, each with one short lock however many rows it has. */
export async function dropDays(store: PostgresStore, settings: { nowMs: number; retentionDays: number }): Promise<{ dropped: number }> {
  const { pool } = store;
  let dropped = 0;
  for (const [table, days] of retentionDaysOf(settings.retentionDays)) {
    const oldestKept = dayPartitionName(table, startOfDay(settings.nowMs) - days * msPerDay);
    for (const day of (await listDays(pool, table)).filter(({ name }) => name < oldestKept)) {
      if (day.attached) await changeTables(pool, [`ALTER TABLE ${table} DETACH PARTITION ${day.name}`], lockTriesMax);
      // Its files go when nobody waits for the table any more.
      await pool.query(`DROP TABLE IF EXISTS ${day.name}`);
      dropped += 1;
    }
  }
  return { dropped };
}

/** Rows that lie in no day's partition, counted up to a bound: more than none for long is for an operator to know. */
export async function countOutside({ pool }: Pick<PostgresStore, "pool">): Promise<{ table: string; rows: number }[]> {
  const counted: { table: string; rows: number }[] = [];
  for (const table of Object.keys(idPrefixOf)) {
    const { rows } = await pool.query<{ count: number }>(`SELECT count(*) AS count FROM (SELECT FROM ${table}_default LIMIT ${movedRowsMax + 1}) AS counted`);
    counted.push({ table, rows: rows[0]!.count });
  }
  return counted;
}
