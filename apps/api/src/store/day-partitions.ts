/** PostgreSQL tables with one partition per day of their ids, which are ordered by time. */
import { msPerDay } from "../formats/time.ts";
import { lowestIdAt } from "../ids/time-ordered-id.ts";

export type DailyTable = "session_records" | "offers";

export const idPrefixOf: Record<DailyTable, string> = { session_records: "sess", offers: "ad" };

const isoDayOf = (dayMs: number): string => new Date(dayMs).toISOString().slice(0, 10);

const dayPartitionName = (table: DailyTable, dayMs: number): string => `${table}_d${isoDayOf(dayMs).replaceAll("-", "")}`;

const boundsOf = (table: DailyTable, dayMs: number): string[] => [dayMs, dayMs + msPerDay].map((atMs) => `'${lowestIdAt(idPrefixOf[table], atMs)}'`);

/** `dayMs` is the first millisecond of a UTC day. */
export function createDayPartition(table: DailyTable, dayMs: number): string {
  const [from, to] = boundsOf(table, dayMs);
  return `CREATE TABLE IF NOT EXISTS ${dayPartitionName(table, dayMs)} PARTITION OF ${table} FOR VALUES FROM (${from}) TO (${to})`;
}

/**
 * For the service, whose role may own no table: functions of the owner do it. The table is created and then attached, which
 * does not block calls on the parent, while CREATE TABLE … PARTITION OF would. `moves`: rows of the day that the default
 * partition has move into it.
 */
export function makeDay(table: DailyTable, { dayMs, moves }: { dayMs: number; moves: boolean }): string {
  return `SELECT assay_make_day_v1('${table}', '${isoDayOf(dayMs)}', ${boundsOf(table, dayMs).join(", ")}, ${moves})`;
}

export const detachDay = (table: DailyTable, dayMs: number): string => `SELECT assay_detach_day_v1('${table}', '${isoDayOf(dayMs)}')`;

export const dropDay = (table: DailyTable, dayMs: number): string => `SELECT assay_drop_day_v1('${table}', '${isoDayOf(dayMs)}')`;
