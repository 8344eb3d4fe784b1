import assert from "node:assert/strict";
import { it } from "node:test";
import { makeCampaign } from "../../../test/ads/serving/make-campaign.ts";
import { describeBothStores } from "../../../test/both-stores.ts";
import { spendOfCampaign, spendOnDay } from "./budgets.table.ts";

const day = Date.parse("2026-03-01T00:00:00Z");
const priceMicroUsd = 30_000;
const clicks = 40;

describeBothStores("the statements that spend a campaign's budget", (open) => {
  it("spend a budget up to its end and never beyond it, however many run at once", async () => {
    const { store } = await open();
    const { campaignId } = await makeCampaign(store, { budget_micro: 20 * priceMicroUsd + 29_999 });
    const spend = (microUsd: number) => store.write([spendOfCampaign(store.db, { campaignId, microUsd })]);
    const changes = (await Promise.all(Array.from({ length: clicks }, () => spend(priceMicroUsd)))).flat();
    assert.equal(changes.filter((changed) => changed === 1).length, 20);
    assert.equal(changes.filter((changed) => changed === 0).length, clicks - 20, "the others change nothing, and do not fail");
    assert.deepEqual(await spend(29_999), [1], "exactly the rest");
    assert.deepEqual(await spend(1), [0]);
    const { spent_micro: spent } = await store.db.selectFrom("campaigns").select("spent_micro").where("id", "=", campaignId).executeTakeFirstOrThrow();
    assert.equal(spent, 20 * priceMicroUsd + 29_999);
  });

  it("spend a day's budget up to its end and never beyond it, however many run at once, and another day's as well", async () => {
    const { store } = await open();
    const { campaignId } = await makeCampaign(store, { daily_budget_micro: 10 * priceMicroUsd });
    const spend = (at: number, microUsd = priceMicroUsd) => store.write([spendOnDay(store.db, { campaignId, day: at, microUsd })]);
    assert.deepEqual(await spend(day, 10 * priceMicroUsd + 1), [0], "the first click of the day too");
    for (const each of [day, day + 86_400_000]) {
      const changes = (await Promise.all(Array.from({ length: clicks }, () => spend(each)))).flat();
      assert.equal(changes.filter((changed) => changed === 1).length, 10);
      assert.equal(changes.filter((changed) => changed === 0).length, clicks - 10);
    }
    const rows = await store.db.selectFrom("campaign_days").select("spent_micro").where("campaign_id", "=", campaignId).execute();
    assert.deepEqual(rows.map((row) => row.spent_micro), [10 * priceMicroUsd, 10 * priceMicroUsd]);
  });

  it("have no limit on a day without a daily budget", async () => {
    const { store } = await open();
    const { campaignId } = await makeCampaign(store, { daily_budget_micro: null });
    for (let each = 0; each < 2; each += 1) assert.deepEqual(await store.write([spendOnDay(store.db, { campaignId, day, microUsd: 50_000_000 })]), [1]);
  });
});
