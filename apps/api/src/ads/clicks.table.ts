import { type Kysely, sql } from "kysely";
import { locksRows } from "../store/locks-rows.ts";
import type { ClickRow } from "../store/schema-ads.ts";
import type { Schema } from "../store/schema.ts";
import type { StoredVerdict } from "./click-verdict.ts";

type Db = Kysely<Schema>;

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

export function insertClicks(db: Db, rows: readonly ClickRow[]) {
  return db.insertInto("clicks").values(rows);
}

/** The first click of each of these offers; changes fewer rows when one of them was clicked before. */
export function noteFirstClicks(db: Db, first: { offerIds: readonly string[]; clickedMs: number; verdict: StoredVerdict }) {
  return db
    .updateTable("offers")
    .set({ clicked_at: first.clickedMs, verdict: first.verdict })
    .where("id", "in", first.offerIds)
    .where("clicked_at", "is", null);
}

/** What became of clicks that waited for their impressions. */
export function settleAwaiting(db: Db, settled: { offerIds: readonly string[]; verdict: StoredVerdict }) {
  return db
    .updateTable("offers")
    .set({ verdict: settled.verdict })
    .where("id", "in", settled.offerIds)
    .where("verdict", "=", "awaiting_impression");
}

export function noteImpressions(db: Db, seen: { offerIds: readonly string[]; impressedMs: number }) {
  return db
    .updateTable("offers")
    .set({ impressed_at: seen.impressedMs })
    .where("id", "in", seen.offerIds)
    .where("impressed_at", "is", null);
}
