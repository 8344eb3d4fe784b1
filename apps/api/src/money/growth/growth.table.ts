import { sql } from "kysely";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { locksRows } from "../../store/locks-rows.ts";
import type { Db } from "../../store/schema.ts";

/** The UTC month (YYYY-MM) of a time in milliseconds; the databases have no word for it in common. */
const monthOfHour = (db: Db) =>
  locksRows(db)
    ? sql<string>`to_char(to_timestamp(u.hour / 1000) AT TIME ZONE 'UTC', 'YYYY-MM')`
    : sql<string>`strftime('%Y-%m', u.hour / 1000, 'unixepoch')`;

/** What calls that the platform pays earned per month. */
export function sumCallMonths(db: Db, options: { accountIds: readonly string[]; monthEndMs: number }) {
  const month = monthOfHour(db);
  return db
    .selectFrom("usage_rollups as u")
    .select(["u.account_id", month.as("month"), sql<number>`coalesce(sum(u.developer_micro), 0)`.as("developer_micro")])
    .where("u.account_id", "in", options.accountIds)
    .where("u.payer", "=", "platform")
    .where("u.hour", "<", options.monthEndMs)
    .groupBy(["u.account_id", month]);
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
    .select(["account_id", "monthly_micro", "reviewed_at", "granted_through"])
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
