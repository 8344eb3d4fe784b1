import { type Kysely, sql } from "kysely";
import { locksRows } from "../store/locks-rows.ts";
import type { Schema } from "../store/schema.ts";
import type { FindingRow, Placement } from "../store/schema-ads.ts";

type Db = Kysely<Schema>;
const msPerHour = 3_600_000;
const msPerDay = 24 * msPerHour;

/** Confirms the oldest pending clicks from before `untilMs`, but for accounts with an open finding. */
export function confirmClicks(db: Db, order: { untilMs: number; nowMs: number; limit: number }) {
  return db
    .updateTable("clicks")
    .set({ status: "confirmed", settled_at: order.nowMs })
    .where("status", "=", "pending")
    .where("offer_id", "in", (eb) =>
      eb
        .selectFrom("clicks as c")
        .select("c.offer_id")
        .where("c.status", "=", "pending")
        .where("c.at", "<=", order.untilMs)
        .where((held) =>
          held.not(
            held.exists(
              held
                .selectFrom("findings as f")
                .select(sql<number>`1`.as("one"))
                .whereRef("f.account_id", "=", "c.account_id")
                .where("f.closed_at", "is", null),
            ),
          ),
        )
        .orderBy("c.at")
        .limit(order.limit),
    );
}

/** The accounts behind some clicks, read before anything is locked: they never change. */
export function selectAccountsOfClicks(db: Db, offerIds: readonly string[]) {
  return db.selectFrom("clicks").select(["offer_id", "account_id"]).where("offer_id", "in", offerIds);
}

/** In the order of their ids, which is everybody's order. */
export function lockClicks(db: Db, offerIds: readonly string[]) {
  return db
    .selectFrom("clicks")
    .select([
      "offer_id",
      "account_id",
      "campaign_id",
      "creative_id",
      "placement",
      "trust_band",
      "at",
      "price_micro",
      "developer_micro",
      "share_bps",
      "status",
    ])
    .where("offer_id", "in", offerIds)
    .orderBy("offer_id")
    .$if(locksRows(db), (query) => query.forUpdate());
}

/** The category that an offer was made for; undefined once the offer is past retention. */
export function selectCategoryOfOffer(db: Db, offerId: string) {
  return db.selectFrom("offers").select("category").where("id", "=", offerId);
}

export function markReversed(db: Db, change: { offerId: string; reversalSeq: number; reason: string; nowMs: number }) {
  return db
    .updateTable("clicks")
    .set({ status: "reversed", settled_at: change.nowMs, reversal_seq: change.reversalSeq, reason: change.reason })
    .where("offer_id", "=", change.offerId)
    .where("status", "=", "pending");
}

export function giveBackToCampaign(db: Db, refund: { campaignId: string; microUsd: number }) {
  return db
    .updateTable("campaigns")
    .set((eb) => ({ spent_micro: eb("spent_micro", "-", refund.microUsd) }))
    .where("id", "=", refund.campaignId);
}

export function giveBackToDay(db: Db, refund: { campaignId: string; atMs: number; microUsd: number }) {
  return db
    .updateTable("campaign_days")
    .set((eb) => ({ spent_micro: eb("spent_micro", "-", refund.microUsd) }))
    .where("campaign_id", "=", refund.campaignId)
    .where("day", "=", refund.atMs - (refund.atMs % msPerDay));
}

type CountedClick = {
  account_id: string;
  campaign_id: string;
  creative_id: string;
  placement: Placement;
  trust_band: string;
  at: number;
  price_micro: number;
  developer_micro: number;
};

/** A reversed click was not valid after all: reports no longer count it. */
export function takeFromHour(db: Db, click: CountedClick) {
  return db
    .updateTable("ad_hours")
    .set((eb) => ({
      valid_clicks: eb("valid_clicks", "-", 1),
      spend_micro: eb("spend_micro", "-", click.price_micro),
      developer_micro: eb("developer_micro", "-", click.developer_micro),
    }))
    .where("account_id", "=", click.account_id)
    .where("hour", "=", click.at - (click.at % msPerHour))
    .where("campaign_id", "=", click.campaign_id)
    .where("creative_id", "=", click.creative_id)
    .where("placement", "=", click.placement)
    .where("trust_band", "=", click.trust_band as "high");
}

/** Nor does the auction learn from it. */
export function unlearnClick(db: Db, click: { creativeId: string; placement: Placement; category: string }) {
  return db
    .updateTable("click_rates")
    .set((eb) => ({ clicks: eb("clicks", "-", 1) }))
    .where("creative_id", "=", click.creativeId)
    .where("placement", "=", click.placement)
    .where("category", "=", click.category)
    .where("clicks", ">", 0);
}

/** What every account had in a span, by placement. */
export function countByPlacement(db: Db, span: { fromMs: number; toMs: number }) {
  return db
    .selectFrom("ad_hours")
    .select([
      "account_id",
      "placement",
      sql<number>`sum(impressions)`.as("impressions"),
      sql<number>`sum(valid_clicks)`.as("clicks"),
    ])
    .where("hour", ">=", span.fromMs)
    .where("hour", "<", span.toMs)
    .groupBy(["account_id", "placement"]);
}

/** When an account's latest clicks of a span came, the newest first. */
export function selectClickTimes(db: Db, span: { accountId: string; fromMs: number; toMs: number; limit: number }) {
  return db
    .selectFrom("clicks")
    .select("at")
    .where("account_id", "=", span.accountId)
    .where("at", ">=", span.fromMs)
    .where("at", "<", span.toMs)
    .orderBy("at", "desc")
    .limit(span.limit);
}

/** One open finding of a kind per account: a second one changes nothing. */
export function openFinding(db: Db, finding: FindingRow) {
  return db.insertInto("findings").values(finding).onConflict((conflict) => conflict.doNothing());
}

export function closeFinding(db: Db, change: { findingId: string; resolution: string; nowMs: number }) {
  return db
    .updateTable("findings")
    .set({ closed_at: change.nowMs, resolution: change.resolution })
    .where("id", "=", change.findingId)
    .where("closed_at", "is", null);
}

/** Open ones first, then the latest. */
export function selectFindings(db: Db, page: { accountId: string | undefined; limit: number }) {
  return db
    .selectFrom("findings")
    .select(["id", "account_id", "code", "detail", "opened_at", "closed_at", "resolution"])
    .$if(page.accountId !== undefined, (query) => query.where("account_id", "=", page.accountId!))
    .orderBy(sql`closed_at IS NOT NULL`)
    .orderBy("opened_at", "desc")
    .limit(page.limit);
}

/** Clicks of an account that still can be reversed, the newest first. */
export function selectPendingClicks(db: Db, page: { accountId: string; limit: number }) {
  return db
    .selectFrom("clicks")
    .select(["offer_id", "campaign_id", "creative_id", "placement", "trust_band", "at", "price_micro", "developer_micro"])
    .where("account_id", "=", page.accountId)
    .where("status", "=", "pending")
    .orderBy("at", "desc")
    .limit(page.limit);
}
