import { sql } from "kysely";
import { locksRows } from "../../store/locks-rows.ts";
import type { Db } from "../../store/schema.ts";
import { startOfDay } from "../../formats/time.ts";

/** Locks the campaigns, in the order of their ids: while they are held nobody else spends for them. */
export function lockCampaigns(db: Db, ids: readonly string[]) {
  return db
    .selectFrom("campaigns")
    .select(["id", "status", "starts_at", "ends_at", "budget_micro", "spent_micro", "daily_budget_micro"])
    .where("id", "in", ids)
    .orderBy("id")
    .$if(locksRows(db), (query) => query.forUpdate());
}

export function selectSpentOnDays(db: Db, wish: { campaignIds: readonly string[]; days: readonly number[] }) {
  return db
    .selectFrom("campaign_days")
    .select(["campaign_id", "day", "spent_micro"])
    .where("campaign_id", "in", wish.campaignIds)
    .where("day", "in", wish.days);
}

/** Changes no row rather than spend beyond the budget. */
export function spendOfCampaign(db: Db, spend: { campaignId: string; microUsd: number }) {
  return db
    .updateTable("campaigns")
    .set((eb) => ({ spent_micro: eb("spent_micro", "+", spend.microUsd) }))
    .where("id", "=", spend.campaignId)
    .where((eb) => eb(eb("spent_micro", "+", spend.microUsd), "<=", eb.ref("budget_micro")));
}

/** Changes no row rather than spend beyond the day's budget, where there is one. */
export function spendOnDay(db: Db, spend: { campaignId: string; day: number; microUsd: number }) {
  return db
    .insertInto("campaign_days")
    .columns(["campaign_id", "day", "spent_micro"])
    .expression((eb) =>
      eb
        .selectFrom("campaigns")
        .select(["id", sql<number>`cast(${spend.day} as bigint)`.as("day"), sql<number>`cast(${spend.microUsd} as bigint)`.as("spent_micro")])
        .where("id", "=", spend.campaignId)
        .where((of) => of.or([of("daily_budget_micro", "is", null), of("daily_budget_micro", ">=", spend.microUsd)])),
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
    .where("day", "=", startOfDay(refund.atMs));
}

export function selectSpendingOf(db: Db, of: { campaignId: string; day: number }) {
  return db.selectFrom("campaign_days").select("spent_micro").where("campaign_id", "=", of.campaignId).where("day", "=", of.day);
}

/** What active campaigns have spent, in all and on one day. */
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
