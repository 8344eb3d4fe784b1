/** The daily partitions of two tables on PostgreSQL: created ahead, dropped as a whole. */
import type { Pool } from "pg";
import { msPerDay, startOfDay } from "../formats/time.ts";
import { timeOfId } from "../ids/time-ordered-id.ts";
import { readCheckedTo } from "../scoring/traffic/watch-sessions.ts";
import { keepEvidence } from "../scoring/sessions/keep-evidence.ts";
import { changeTables } from "../store/change-tables.ts";
import { type DailyTable, detachDay, dropDay, idPrefixOf, makeDay } from "../store/day-partitions.ts";
import type { PostgresStore } from "../store/store.ts";

/** The job may fail for a week before a call finds no partition. */
const daysAhead = 7;
/** Late clicks look up their offers. */
export const offersKeptDays = 30;
/** As many rows as can move while the table may stay locked. */
const movedRowsMax = 20_000;
/** A table that is always busy is left to the next run: neither a start nor other jobs wait for it. */
const lockTriesMax = 8;

const retentionDaysOf = (sessionDays: number): [DailyTable, number][] => [
  ["session_records", sessionDays],
  ["offers", offersKeptDays],
];

/** All tables named like a daily partition, and whether they are attached: a crash may leave one detached. */
async function listDays(pool: Pool, table: DailyTable): Promise<{ dayMs: number; attached: boolean }[]> {
  const { rows } = await pool.query<{ dayMs: number; attached: boolean }>(
    `SELECT extract(epoch FROM right(c.relname, 8)::date)::bigint * 1000 AS "dayMs", EXISTS (SELECT 1 FROM pg_inherits i WHERE i.inhrelid = c.oid AND i.inhparent = '${table}'::regclass) AS attached
     FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = '${table}'::regclass)
       AND c.relname ~ '^${table}_d[0-9]{8}$' ORDER BY 1`,
  );
  return rows;
}

/**
 * Harmless errors: another node creates the same partition right now (its table, type or name exists), or the default
 * partition has too many rows of that day to move and keeps them.
 */
const harmlessCodes = new Set(["42P07", "42710", "23505", "23514"]);

async function makePartition(pool: Pool, table: DailyTable, day: { dayMs: number; moves: boolean }): Promise<void> {
  await changeTables(pool, [makeDay(table, day)], lockTriesMax).catch((error: { code?: string }) => {
    if (!harmlessCodes.has(error.code ?? "")) throw error;
  });
}

/** The days of rows in the default partition; undefined when there are too many to move. */
async function findUnpartitionedDays(pool: Pool, table: DailyTable): Promise<number[] | undefined> {
  const { rows } = await pool.query<{ id: string }>(`SELECT id FROM ${table}_default LIMIT ${movedRowsMax + 1}`);
  return rows.length > movedRowsMax ? undefined : rows.map(({ id }) => startOfDay(timeOfId(id)));
}

/**
 * Creates the partitions of the coming days, and of days with rows in the default partition. Run by the job, and by every
 * node at its start: today's partition must exist before the first call, and the job's node may be gone.
 */
export async function makePartitions(store: PostgresStore, settings: { nowMs: number; retentionDays: number }): Promise<{ made: number }> {
  const { pool } = store;
  const today = startOfDay(settings.nowMs);
  const ahead = Array.from({ length: daysAhead + 1 }, (_, index) => today + index * msPerDay);
  let made = 0;
  for (const [table, days] of retentionDaysOf(settings.retentionDays)) {
    const oldest = today - days * msPerDay;
    const missed = new Set((await findUnpartitionedDays(pool, table))?.filter((dayMs) => dayMs >= oldest));
    const known = new Set((await listDays(pool, table)).map(({ dayMs }) => dayMs));
    const missing = [...new Set([...ahead, ...missed])].filter((dayMs) => !known.has(dayMs));
    for (const dayMs of missing) await makePartition(pool, table, { dayMs, moves: missed.has(dayMs) });
    made += missing.length;
  }
  return { made };
}

/**
 * Drops the partitions past retention whose sessions were checked, each with one short lock whatever its size. What must be
 * kept of them is copied before.
 */
export async function dropPartitions(store: PostgresStore, settings: { nowMs: number; retentionDays: number; isOver: () => boolean }): Promise<{ dropped: number }> {
  const { pool } = store;
  if (!(await keepEvidence(store, settings))) return { dropped: 0 };
  const checkedToMs = await readCheckedTo(store, settings.nowMs);
  let dropped = 0;
  for (const [table, days] of retentionDaysOf(settings.retentionDays)) {
    const expiredMs = startOfDay(settings.nowMs) - days * msPerDay;
    const oldestKeptMs = table === "session_records" ? Math.min(expiredMs, startOfDay(checkedToMs)) : expiredMs;
    for (const day of (await listDays(pool, table)).filter(({ dayMs }) => dayMs < oldestKeptMs)) {
      if (day.attached) await changeTables(pool, [detachDay(table, day.dayMs)], lockTriesMax);
      // Outside the lock on the parent table: deleting the files takes time.
      await pool.query(dropDay(table, day.dayMs));
      dropped += 1;
    }
  }
  return { dropped };
}

/** Rows in the default partitions, counted up to a bound. An operator should know when they persist. */
export async function countUnpartitionedRows({ pool }: Pick<PostgresStore, "pool">): Promise<{ table: string; rows: number }[]> {
  const counted: { table: string; rows: number }[] = [];
  for (const table of Object.keys(idPrefixOf)) {
    const { rows } = await pool.query<{ count: number }>(`SELECT count(*) AS count FROM (SELECT FROM ${table}_default LIMIT ${movedRowsMax + 1}) AS counted`);
    counted.push({ table, rows: rows[0]!.count });
  }
  return counted;
}
