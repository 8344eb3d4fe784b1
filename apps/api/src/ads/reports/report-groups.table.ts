/** Reads sums only, never clicks or offers. Each function is one statement: what it compares was committed at the same moment. */
import { groupNames } from "@assay/contract/ads-report.ts";
import { sql } from "kysely";
import { msPerDay } from "../../formats/time.ts";
import type { Db } from "../../store/schema.ts";

/** Whole UTC days; `toMs` is exclusive. */
export type GroupSpan = { accountId: string; fromMs: number; toMs: number };
/** What a request says about itself. */
export type Dimension = "placement" | "format" | "category";

/** The name of the rows with the sums over all groups. No group has it. */
export const allGroups = "(all)";

const figureColumns = ["offers", "impressions", "valid_clicks", "developer_micro"] as const;
const figures = figureColumns.map((column) => sql<number>`coalesce(sum(${sql.ref(column)}), 0)`.as(column));
const dayOfHour = sql<string>`cast(hour - hour % ${sql.lit(msPerDay)} as text)`;

const everything = sql.lit(allGroups).as("name");
const formatOfCreative = sql<string>`coalesce(creatives.format, ${sql.lit(groupNames.unknown)})`;

const hoursIn = (db: Db, { accountId, fromMs, toMs }: GroupSpan) =>
  db.selectFrom("ad_hours").where("account_id", "=", accountId).where("hour", ">=", fromMs).where("hour", "<", toMs);

export function sumFiguresByDay(db: Db, span: GroupSpan) {
  return hoursIn(db, span).select([dayOfHour.as("name"), ...figures]).groupBy(dayOfHour);
}

export function sumFiguresByPlacement(db: Db, span: GroupSpan) {
  return hoursIn(db, span).select(["placement as name", ...figures]).groupBy("placement");
}

/** An offer has the format of its creative. */
export function sumFiguresByFormat(db: Db, span: GroupSpan) {
  return hoursIn(db, span).leftJoin("creatives", "creatives.id", "ad_hours.creative_id").select([formatOfCreative.as("name"), ...figures]).groupBy(formatOfCreative);
}

/** With the sums over all categories: hours that another version counted are in no category. */
export function sumFiguresByCategory(db: Db, span: GroupSpan) {
  return db
    .selectFrom("ad_category_days")
    .select(["category as name", ...figures])
    .where("account_id", "=", span.accountId)
    .where("day", ">=", span.fromMs)
    .where("day", "<", span.toMs)
    .groupBy("category")
    .unionAll(hoursIn(db, span).select([everything, ...figures]));
}

const ignoredIn = (db: Db, { accountId, fromMs, toMs }: GroupSpan) =>
  db.selectFrom("ignored_click_hours").where("account_id", "=", accountId).where("hour", ">=", fromMs).where("hour", "<", toMs);

const unfilledIn = (db: Db, { accountId, fromMs, toMs }: GroupSpan) =>
  db.selectFrom("no_fill_hours").where("account_id", "=", accountId).where("hour", ">=", fromMs).where("hour", "<", toMs);

const clicks = sql<number>`sum(clicks)`.as("count");
const requests = sql<number>`sum(requests)`.as("count");

export function sumIgnoredByDay(db: Db, span: GroupSpan) {
  return ignoredIn(db, span).select([dayOfHour.as("name"), "reason", clicks]).groupBy([dayOfHour, "reason"]);
}

export function sumIgnoredByGroup(db: Db, span: GroupSpan & { dimension: Dimension }) {
  return db
    .selectFrom("ignored_click_days")
    .select([`${span.dimension} as name`, "reason", clicks])
    .where("account_id", "=", span.accountId)
    .where("day", ">=", span.fromMs)
    .where("day", "<", span.toMs)
    .groupBy([span.dimension, "reason"])
    .unionAll(ignoredIn(db, span).select([everything, "reason", clicks]).groupBy("reason"));
}

export function sumUnfilledByDay(db: Db, span: GroupSpan) {
  return unfilledIn(db, span).select([dayOfHour.as("name"), "reason", requests]).groupBy([dayOfHour, "reason"]);
}

export function sumUnfilledByGroup(db: Db, span: GroupSpan & { dimension: Dimension }) {
  return db
    .selectFrom("no_fill_days")
    .select([`${span.dimension} as name`, "reason", requests])
    .where("account_id", "=", span.accountId)
    .where("day", ">=", span.fromMs)
    .where("day", "<", span.toMs)
    .groupBy([span.dimension, "reason"])
    .unionAll(unfilledIn(db, span).select([everything, "reason", requests]).groupBy("reason"));
}

const conversions = sql<number>`sum(conversions)`.as("count");
const dayAsText = sql<string>`cast(day as text)`;

const conversionsIn = (db: Db, { accountId, fromMs, toMs }: GroupSpan) =>
  db.selectFrom("conversion_days").where("account_id", "=", accountId).where("day", ">=", fromMs).where("day", "<", toMs);

export function sumConversionsByDay(db: Db, span: GroupSpan) {
  return conversionsIn(db, span).select([dayAsText.as("name"), conversions]).groupBy("day");
}

export function sumConversionsByGroup(db: Db, span: GroupSpan & { dimension: Dimension }) {
  return conversionsIn(db, span).select([`${span.dimension} as name`, conversions]).groupBy(span.dimension);
}

/** Developers whose ads of a campaign were clicked or converted: those with the most conversions and clicks first. */
export function sumConversionsByDeveloper(db: Db, span: { campaignId: string; fromMs: number; toMs: number; limit: number }) {
  const { campaignId, fromMs, toMs, limit } = span;
  const clicked = db
    .selectFrom("ad_hours")
    .select(["account_id", "valid_clicks", sql<number>`0`.as("conversions")])
    .where("campaign_id", "=", campaignId)
    .where("hour", ">=", fromMs)
    .where("hour", "<", toMs)
    .where("valid_clicks", "!=", 0);
  const converted = db
    .selectFrom("conversion_days")
    .select(["account_id", sql<number>`0`.as("valid_clicks"), "conversions"])
    .where("campaign_id", "=", campaignId)
    .where("day", ">=", fromMs)
    .where("day", "<", toMs);
  return db
    .selectFrom(clicked.unionAll(converted).as("each"))
    .select(["account_id", (eb) => eb.fn.sum<number>("valid_clicks").as("valid_clicks"), (eb) => eb.fn.sum<number>("conversions").as("conversions")])
    .groupBy("account_id")
    .orderBy("conversions", "desc")
    .orderBy("valid_clicks", "desc")
    .orderBy("account_id")
    .limit(limit);
}

/** All-time conversions of a page of campaigns, by developer. */
export function sumConversionsOfCampaigns(db: Db, campaignIds: readonly string[]) {
  return db
    .selectFrom("conversion_days")
    .select(["campaign_id", "account_id", (eb) => eb.fn.sum<number>("conversions").as("conversions")])
    .where("campaign_id", "in", campaignIds)
    .groupBy(["campaign_id", "account_id"])
    .orderBy("campaign_id")
    .orderBy("conversions", "desc")
    .orderBy("account_id");
}

/** Of a campaign, over all developers. */
export function sumConversions(db: Db, span: { campaignId: string; fromMs: number; toMs: number }) {
  return db
    .selectFrom("conversion_days")
    .select((eb) => eb.fn.sum<number | null>("conversions").as("conversions"))
    .where("campaign_id", "=", span.campaignId)
    .where("day", ">=", span.fromMs)
    .where("day", "<", span.toMs);
}
