import { sql } from "kysely";
import { startOfDay } from "../../formats/time.ts";
import { locksRows } from "../../store/locks-rows.ts";
import type { Db } from "../../store/schema.ts";

/** Locks the campaigns in the order of their ids, so that no other transaction spends their budgets meanwhile. */
export function lockCampaigns(db: Db, ids: readonly string[]) {
  return db
    .selectFrom("campaigns")
    .select(["id", "status", "starts_at", "ends_at", "budget_micro", "spent_micro", "daily_budget_micro", "bid_micro"])
    .where("id", "in", ids)
    .orderBy("id")
    .$if(locksRows(db), (query) => query.forUpdate());
}

export function selectSpentOnDays(db: Db, of: { campaignIds: readonly string[]; days: readonly number[] }) {
  return db
    .selectFrom("campaign_days")
    .select(["campaign_id", "day", "spent_micro"])
    .where("campaign_id", "in", of.campaignIds)
    .where("day", "in", of.days);
}

/** Changes no row if the budget does not cover it. */
export function spendOfCampaign(db: Db, spend: { campaignId: string; microUsd: number }) {
  return db
    .updateTable("campaigns")
    .set((eb) => ({ spent_micro: eb("spent_micro", "+", spend.microUsd) }))
    .where("id", "=", spend.campaignId)
    .where((eb) => eb(eb("spent_micro", "+", spend.microUsd), "<=", eb.ref("budget_micro")));
}

/** Changes no row if there is a daily budget and it does not cover it. */
export function spendOnDay(db: Db, spend: { campaignId: string; day: number; microUsd: number }) {
  return db
    .insertInto("campaign_days")
    .columns(["campaign_id", "day", "spent_micro"])
    .expression((eb) =>
      eb
        .selectFrom("campaigns")
        .select(["id", sql<number>`cast(${spend.day} as bigint)`.as("day"), sql<number>`cast(${spend.microUsd} as bigint)`.as("spent_micro")])
        .where("id", "=", spend.campaignId)
        .where((each) => each.or([each("daily_budget_micro", "is", null), each("daily_budget_micro", ">=", spend.microUsd)])),
    )
    .onConflict((conflict) =>
      conflict
        .columns(["campaign_id", "day"])
        .doUpdateSet({ spent_micro: sql`campaign_days.spent_micro + excluded.spent_micro` })
        .where(
          sql<boolean>`campaign_days.spent_micro + excluded.spent_micro <= coalesce((select c.daily_budget_micro from campaigns as c where c.id = excluded.campaign_id), campaign_days.spent_micro + excluded.spent_micro)`,
        ),
    );
}

export function refundCampaign(db: Db, refund: { campaignId: string; microUsd: number }) {
  return db
    .updateTable("campaigns")
    .set((eb) => ({ spent_micro: eb("spent_micro", "-", refund.microUsd) }))
    .where("id", "=", refund.campaignId);
}

export function refundDay(db: Db, refund: { campaignId: string; atMs: number; microUsd: number }) {
  return db
    .updateTable("campaign_days")
    .set((eb) => ({ spent_micro: eb("spent_micro", "-", refund.microUsd) }))
    .where("campaign_id", "=", refund.campaignId)
    .where("day", "=", startOfDay(refund.atMs));
}

export function selectSpendingOf(db: Db, of: { campaignId: string; day: number }) {
  return db.selectFrom("campaign_days").select("spent_micro").where("campaign_id", "=", of.campaignId).where("day", "=", of.day);
}

/** Active campaigns' spend, in total and on one day. */
export function selectSpending(db: Db, page: { afterId: string; day: number; limit: number }) {
  return db
    .selectFrom("campaigns as c")
    .leftJoin("campaign_days as d", (join) => join.onRef("d.campaign_id", "=", "c.id").on("d.day", "=", page.day))
    .select(["c.id", "c.spent_micro", "d.spent_micro as spent_today_micro"])
    .where("c.id", ">", page.afterId)
    .where("c.status", "=", "active")
    .orderBy("c.id")
    .limit(page.limit);
}
