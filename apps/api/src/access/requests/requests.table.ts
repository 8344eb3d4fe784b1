import { sql } from "kysely";
import type { RequestHourRow, RequestLogRow } from "../../store/schema-dashboard.ts";
import type { Db } from "../../store/schema.ts";

type Span = { accountId: string; fromMs: number; toMs: number };

/** Adds to the counts of other nodes and earlier flushes. The rows must have distinct keys. */
export function addToRequestHours(db: Db, rows: readonly RequestHourRow[]) {
  return db
    .insertInto("request_hours")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["account_id", "hour", "endpoint", "key_id", "status"])
        .doUpdateSet((eb) => ({ requests: eb("request_hours.requests", "+", eb.ref("excluded.requests")) })),
    );
}

export function insertLogs(db: Db, rows: readonly RequestLogRow[]) {
  return db.insertInto("request_logs").values(rows);
}

export function sumRequestsByTime(db: Db, span: Span & { bucketMs: number; group: "endpoint" | "key" | "status" }) {
  const start = sql<number>`hour - hour % ${sql.lit(span.bucketMs)}`;
  const column = span.group === "key" ? "key_id" : span.group;
  const name = sql<string>`cast(${sql.ref(column)} as text)`;
  return db
    .selectFrom("request_hours")
    .select([start.as("start"), name.as("name"), sql<number>`sum(requests)`.as("requests")])
    .where("account_id", "=", span.accountId)
    .where("hour", ">=", span.fromMs)
    .where("hour", "<", span.toMs)
    .groupBy([start, column])
    .orderBy(start);
}

const logColumns = ["l.id", "l.at", "l.request_id", "l.method", "l.endpoint", "l.key_id", "l.status", "l.error", "l.message", "l.duration_ms", "l.requests"] as const;

/** `to` is exclusive. */
export type LogFilter = { statuses: { from: number; to: number } | undefined; keyId: string | undefined };
type LogScan = { accountId: string; fromId: string; toId: string; scan: number };

/** The newest lines below `toId` that pass the filter, with their keys. At most `scan` lines are read. */
export function selectLogs(db: Db, page: LogScan & { limit: number; filter: LogFilter }) {
  const { statuses, keyId } = page.filter;
  const scanned = db
    .selectFrom("request_logs as l")
    .select(logColumns)
    .where("l.account_id", "=", page.accountId)
    .where("l.id", ">=", page.fromId)
    .where("l.id", "<", page.toId)
    .orderBy("l.id", "desc")
    .limit(page.scan);
  return db
    .selectFrom(scanned.as("l"))
    .leftJoin("api_keys as k", "k.id", "l.key_id")
    .select([...logColumns, "k.name as key_name", "k.last_four", "k.mode"])
    .$if(statuses !== undefined, (query) => query.where("l.status", ">=", statuses!.from).where("l.status", "<", statuses!.to))
    .$if(keyId !== undefined, (query) => query.where("l.key_id", "=", keyId!))
    .orderBy("l.id", "desc")
    .limit(page.limit);
}

/** The last id that a scan of `scan` lines reaches; no row if fewer are left. */
export function selectLogScanEnd(db: Db, page: LogScan) {
  return db
    .selectFrom("request_logs")
    .select("id")
    .where("account_id", "=", page.accountId)
    .where("id", ">=", page.fromId)
    .where("id", "<", page.toId)
    .orderBy("id", "desc")
    .offset(page.scan - 1)
    .limit(1);
}

export function selectLogsOfRequest(db: Db, request: { accountId: string; requestId: string }) {
  return db
    .selectFrom("request_logs as l")
    .leftJoin("api_keys as k", "k.id", "l.key_id")
    .select([...logColumns, "k.name as key_name", "k.last_four", "k.mode"])
    .where("l.account_id", "=", request.accountId)
    .where("l.request_id", "=", request.requestId)
    .where("l.request_id", "is not", null)
    .limit(1);
}

/** Oldest first, by the index on time. */
export function deleteLogsBefore(db: Db, cutoff: { atMs: number; limit: number }) {
  return db.deleteFrom("request_logs").where((eb) =>
    eb(
      eb.refTuple("account_id", "id"),
      "in",
      eb
        .selectFrom("request_logs as l")
        .select(["l.account_id", "l.id"])
        .where("l.at", "<", cutoff.atMs)
        .orderBy("l.at")
        .limit(cutoff.limit)
        .$asTuple("account_id", "id"),
    ),
  );
}

export function deleteRequestHoursBefore(db: Db, cutoff: { hourMs: number; limit: number }) {
  return db.deleteFrom("request_hours").where((eb) =>
    eb(
      eb.refTuple("account_id", "hour", "endpoint", "key_id", "status"),
      "in",
      eb
        .selectFrom("request_hours as h")
        .innerJoin("accounts as a", "a.id", "h.account_id")
        .select(["h.account_id", "h.hour", "h.endpoint", "h.key_id", "h.status"])
        .where("h.hour", "<", cutoff.hourMs)
        .limit(cutoff.limit)
        .$asTuple("account_id", "hour", "endpoint", "key_id", "status"),
    ),
  );
}
