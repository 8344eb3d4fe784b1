/** PostgreSQL tables with one partition per day of their ids, which are ordered by time. */
import { msPerDay } from "../formats/time.ts";
import { lowestIdAt } from "../ids/time-ordered-id.ts";

export type DailyTable = "session_records" | "offers";

export const idPrefixOf: Record<DailyTable, string> = { session_records: "sess", offers: "ad" };

export const dayPartitionName = (table: DailyTable, dayMs: number): string =>
  `${table}_d${new Date(dayMs).toISOString().slice(0, 10).replaceAll("-", "")}`;

/** `dayMs` is the first millisecond of a UTC day. */
export function createDayPartition(table: DailyTable, dayMs: number): string {
  const [from, to] = [dayMs, dayMs + msPerDay].map((atMs) => lowestIdAt(idPrefixOf[table], atMs));
  return `CREATE TABLE IF NOT EXISTS ${dayPartitionName(table, dayMs)} PARTITION OF ${table} FOR VALUES FROM ('${from}') TO ('${to}')`;
}
