import type { Kysely } from "kysely";
import type { Schema, SessionHourRow } from "../store/schema.ts";

type Db = Kysely<Schema>;

const columns = [
  "id",
  "mode",
  "at",
  "user_engagement",
  "session_duration",
  "scroll_depth",
  "interaction_count",
  "page_views",
  "return_visitor",
  "service_score",
] as const;

/** The newest first, of both modes, so that a page is as many rows as were read; `toId` is excluded. */
export function selectLatestSessions(db: Db, page: { accountId: string; fromId: string; toId: string; limit: number }) {
  return db
    .selectFrom("session_records")
    .select(columns)
    .where("account_id", "=", page.accountId)
    .where("id", ">=", page.fromId)
    .where("id", "<", page.toId)
    .orderBy("id", "desc")
    .limit(page.limit);
}

export function selectHours(db: Db, page: { accountId: string; fromMs: number; toMs: number; limit: number }) {
  return db
    .selectFrom("session_hours")
    .select(["hour", "summary"])
    .where("account_id", "=", page.accountId)
    .where("hour", ">=", page.fromMs)
    .where("hour", "<", page.toMs)
    .orderBy("hour")
    .limit(page.limit);
}

/** Who comes second changes nothing: both have counted the same sessions. */
export function insertHours(db: Db, hours: SessionHourRow[]) {
  return db
    .insertInto("session_hours")
    .values(hours)
    .onConflict((conflict) => conflict.columns(["account_id", "hour"]).doNothing());
}

/** Accounts that had billed calls lately; one narrow row each, however much they call. */
export function selectActiveAccounts(db: Db, page: { sinceMs: number; afterId: string; limit: number }) {
  return db
    .selectFrom("ledger_heads")
    .select("account_id")
    .where("account_id", ">", page.afterId)
    .where("at", ">=", page.sinceMs)
    .where("seq", ">", 0)
    .orderBy("account_id")
    .limit(page.limit);
}

/** Hours in which the account had billed calls and that are not summed up yet. */
export function selectHoursToSum(db: Db, span: { accountId: string; fromMs: number; toMs: number }) {
  return db
    .selectFrom("usage_rollups as u")
    .leftJoin("session_hours as h", (join) => join.onRef("h.account_id", "=", "u.account_id").onRef("h.hour", "=", "u.hour"))
    .select("u.hour")
    .distinct()
    .where("u.account_id", "=", span.accountId)
    .where("u.hour", ">=", span.fromMs)
    .where("u.hour", "<", span.toMs)
    .where("h.hour", "is", null)
    .orderBy("u.hour");
}
