import { sql } from "kysely";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { locksRows } from "../../store/locks-rows.ts";
import type { Db } from "../../store/schema.ts";

/** The UTC month (YYYY-MM) of a time in milliseconds; the databases have no word for it in common. */
const monthOf = (db: Db, column: "u.hour" | "d.day" | "w.day" | "c.at") =>
  locksRows(db)
    ? sql<string>`to_char(to_timestamp(${sql.ref(column)} / 1000) AT TIME ZONE 'UTC', 'YYYY-MM')`
    : sql<string>`strftime('%Y-%m', ${sql.ref(column)} / 1000, 'unixepoch')`;

type Until = { accountIds: readonly string[]; monthEndMs: number };

/** What calls that the platform pays earned per month in days that are settled, reversals aside. */
export function sumSettledCalls(db: Db, { accountIds, monthEndMs }: Until) {
  const month = monthOf(db, "u.hour");
  return db
    .selectFrom("usage_rollups as u")
    .innerJoin("call_settlements as s", "s.account_id", "u.account_id")
    .select(["u.account_id", month.as("month"), sql<number>`coalesce(sum(u.developer_micro), 0)`.as("developer_micro"), sql<number>`min(u.hour)`.as("first_at")])
    .where("u.account_id", "in", accountIds)
    .where("u.payer", "=", "platform")
    .where("u.hour", "<", monthEndMs)
    .whereRef("u.hour", "<", "s.confirmed_to")
    .groupBy(["u.account_id", month]);
}

/** What was reversed of those days, per month in which the calls were made. */
export function sumReversedCalls(db: Db, { accountIds, monthEndMs }: Until) {
  const month = monthOf(db, "d.day");
  return db
    .selectFrom("call_days as d")
    .innerJoin("call_settlements as s", "s.account_id", "d.account_id")
    .select(["d.account_id", month.as("month"), sql<number>`coalesce(sum(d.reversed_developer_micro), 0)`.as("developer_micro")])
    .where("d.account_id", "in", accountIds)
    .where("d.day", "<", monthEndMs)
    .whereRef("d.day", "<", "s.confirmed_to")
    .where("d.reversed_developer_micro", ">", 0)
    .groupBy(["d.account_id", month]);
}

/** What of those days waits, because nobody can examine it. */
export function sumUnexaminedCalls(db: Db, { accountIds, monthEndMs }: Until) {
  const month = monthOf(db, "w.day");
  return db
    .selectFrom("waiting_earnings as w")
    .innerJoin("call_settlements as s", "s.account_id", "w.account_id")
    .select(["w.account_id", month.as("month"), sql<number>`coalesce(sum(w.developer_micro), 0)`.as("developer_micro")])
    .where("w.account_id", "in", accountIds)
    .where("w.day", "<", monthEndMs)
    .whereRef("w.day", "<", "s.confirmed_to")
    .where("w.reason", "<>", "crowded_network")
    .where("w.decision", "is", null)
    .groupBy(["w.account_id", month]);
}

/** What clicks earned per month that are confirmed. */
export function sumConfirmedClicks(db: Db, { accountIds, monthEndMs }: Until) {
  const month = monthOf(db, "c.at");
  return db
    .selectFrom("clicks as c")
    .select(["c.account_id", month.as("month"), sql<number>`coalesce(sum(c.developer_micro), 0)`.as("developer_micro"), sql<number>`min(c.at)`.as("first_at")])
    .where("c.account_id", "in", accountIds)
    .where("c.status", "=", "confirmed")
    .where("c.at", "<", monthEndMs)
    .groupBy(["c.account_id", month]);
}

export function countOpenFindings(db: Db, accountIds: readonly string[]) {
  return db
    .selectFrom("findings")
    .select(["account_id", sql<number>`count(*)`.as("findings")])
    .where("account_id", "in", accountIds)
    .where("closed_at", "is", null)
    .groupBy("account_id");
}

/** `reviewedBy` is null for the command line. */
export function insertReview(db: Db, review: { accountId: string; monthlyMicroUsd: number; reason: string; reviewedBy: string | null; nowMs: number }) {
  return db.insertInto("growth_reviews").values({
    id: timeOrderedId("review", review.nowMs),
    account_id: review.accountId,
    monthly_micro: review.monthlyMicroUsd,
    reason: review.reason,
    reviewed_by: review.reviewedBy,
    reviewed_at: review.nowMs,
    granted_through: null,
  });
}

/** All reviews of these accounts, oldest first. */
export function selectReviews(db: Db, accountIds: readonly string[]) {
  return db
    .selectFrom("growth_reviews")
    .select(["id", "account_id", "monthly_micro", "reviewed_at", "granted_through"])
    .where("account_id", "in", accountIds)
    .orderBy("reviewed_at")
    .orderBy("id");
}

/** Each account's newest review, newest first. */
export function selectNewestReviews(db: Db, page: { limit: number }) {
  return db
    .selectFrom("growth_reviews as r")
    .innerJoin("accounts as a", "a.id", "r.account_id")
    .select(["r.account_id", "a.email", "r.monthly_micro", "r.reason", "r.reviewed_by", "r.reviewed_at", "r.granted_through"])
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("growth_reviews as n")
            .select("n.id")
            .whereRef("n.account_id", "=", "r.account_id")
            .where((newer) =>
              newer.or([
                newer("n.reviewed_at", ">", newer.ref("r.reviewed_at")),
                newer.and([newer("n.reviewed_at", "=", newer.ref("r.reviewed_at")), newer("n.id", ">", newer.ref("r.id"))]),
              ]),
            ),
        ),
      ),
    )
    .orderBy("r.reviewed_at", "desc")
    .orderBy("r.id", "desc")
    .limit(page.limit);
}
