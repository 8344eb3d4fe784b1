/** Reports read the hourly sums, never offers, and of clicks only what is known of their origins. */
import { type RawBuilder, sql } from "kysely";
import { msPerDay } from "../../formats/time.ts";
import type { Db } from "../../store/schema.ts";

/** The rows of one campaign or one account. `toMs` is exclusive. */
export type ReportSpan = { of: { campaignId: string } | { accountId: string }; fromMs: number; toMs: number };

/** The notice of days on which an account's ads were clicked far more often than the same ads elsewhere. */
export const unlikeElsewhere = "click_rate_unlike_elsewhere";

const sums = (["offers", "impressions", "valid_clicks", "spend_micro", "developer_micro"] as const).map(
  (column) => sql<number>`coalesce(sum(${sql.ref(column)}), 0)`.as(column),
);

function adHoursIn(db: Db, { of, fromMs, toMs }: ReportSpan) {
  const rows = db.selectFrom("ad_hours").where("hour", ">=", fromMs).where("hour", "<", toMs);
  return "campaignId" in of ? rows.where("campaign_id", "=", of.campaignId) : rows.where("account_id", "=", of.accountId);
}

const bucketOf = (bucketMs: number) => sql<number>`hour - hour % ${sql.lit(bucketMs)}`;

/** Buckets are whole hours or days since the epoch. */
export function sumAdsByTime(db: Db, span: ReportSpan & { bucketMs: number }) {
  return adHoursIn(db, span).select([bucketOf(span.bucketMs).as("start"), ...sums]).groupBy(bucketOf(span.bucketMs)).orderBy("start");
}

export function sumAdsByTrust(db: Db, span: ReportSpan) {
  return adHoursIn(db, span).select(["trust_band", ...sums]).groupBy("trust_band");
}

export function sumAdsByPlacement(db: Db, span: ReportSpan) {
  return adHoursIn(db, span).select(["placement", ...sums]).groupBy("placement");
}

export function sumIgnoredClicks(db: Db, span: ReportSpan & { bucketMs: number }) {
  const { of, fromMs, toMs, bucketMs } = span;
  const rows = db.selectFrom("ignored_click_hours").where("hour", ">=", fromMs).where("hour", "<", toMs);
  const own = "campaignId" in of ? rows.where("campaign_id", "=", of.campaignId) : rows.where("account_id", "=", of.accountId);
  return own.select([bucketOf(bucketMs).as("start"), "reason", (eb) => eb.fn.sum<number>("clicks").as("clicks")]).groupBy([bucketOf(bucketMs), "reason"]);
}

export function sumNoFills(db: Db, span: { accountId: string; fromMs: number; toMs: number; bucketMs: number }) {
  return db
    .selectFrom("no_fill_hours")
    .select([bucketOf(span.bucketMs).as("start"), "reason", (eb) => eb.fn.sum<number>("requests").as("requests")])
    .where("account_id", "=", span.accountId)
    .where("hour", ">=", span.fromMs)
    .where("hour", "<", span.toMs)
    .groupBy([bucketOf(span.bucketMs), "reason"]);
}

/** All-time totals of a page of campaigns. */
export function sumAdsOfCampaigns(db: Db, campaignIds: readonly string[]) {
  return db.selectFrom("ad_hours").select(["campaign_id", ...sums]).where("campaign_id", "in", campaignIds).groupBy("campaign_id");
}

export function sumIgnoredOfCampaigns(db: Db, campaignIds: readonly string[]) {
  return db
    .selectFrom("ignored_click_hours")
    .select(["campaign_id", "reason", (eb) => eb.fn.sum<number>("clicks").as("clicks")])
    .where("campaign_id", "in", campaignIds)
    .groupBy(["campaign_id", "reason"])
    .orderBy("reason");
}

const dayOfClick = sql<number>`c.at - c.at % ${msPerDay}`;
const count = (condition: RawBuilder<unknown>) => sql<number>`sum(CASE WHEN ${condition} THEN 1 ELSE 0 END)`;

/**
 * Paid clicks that wait for a decision, those that did not say what the request was for, and those of an account and day
 * with far more clicks than the same ads get elsewhere.
 */
export function sumOriginsOfCampaigns(db: Db, campaignIds: readonly string[]) {
  return db
    .selectFrom("clicks as c")
    .leftJoin("integrity_notices as n", (join) => join.onRef("n.account_id", "=", "c.account_id").on("n.code", "=", unlikeElsewhere).on("n.day", "=", dayOfClick))
    .select([
      "c.campaign_id",
      count(sql`c.waiting_id IS NOT NULL AND c.status = 'pending'`).as("waiting"),
      count(sql`c.described = 0`).as("undescribed"),
      count(sql`n.day IS NOT NULL`).as("unlike"),
    ])
    .where("c.campaign_id", "in", campaignIds)
    .groupBy("c.campaign_id");
}

export function countRecentOffers(db: Db, of: { campaignId: string; fromMs: number }) {
  return db
    .selectFrom("ad_hours")
    .select((eb) => eb.fn.sum<number | null>("offers").as("offers"))
    .where("campaign_id", "=", of.campaignId)
    .where("hour", ">=", of.fromMs);
}
