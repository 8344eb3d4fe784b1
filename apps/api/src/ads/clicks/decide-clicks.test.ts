import assert from "node:assert/strict";
import { it } from "node:test";
import { makeCampaign } from "../../../test/ads/serving/make-campaign.ts";
import { makeOffer } from "../../../test/ads/serving/make-offers.ts";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { whileHeld } from "../../../test/store/hold-rows.ts";
import type { Click, ClickOutcome } from "./decide-clicks.work.ts";

const decideClicks = new URL("./decide-clicks.work.ts", import.meta.url);
const atMs = Date.UTC(2026, 0, 1);
const priceMicroUsd = 100_000;

describeBothStores("a click whose rows another transaction is changing", (open, dialect) => {
  // SQLite has one writer.
  if (dialect === "sqlite") return;

  async function makeScene() {
    const database = await open();
    const { accountId } = await makeAccount(database.store, { nowMs: atMs - 1_000 });
    const campaign = await makeCampaign(database.store, { budget_micro: priceMicroUsd, starts_at: 0 });
    const { id } = await makeOffer(database.store, { accountId, campaign, atMs, price_micro: priceMicroUsd });
    return { database, campaign, offerId: id };
  }

  async function clickDuring({ databaseUrl, store }: TestDatabase, offerId: string, statement: { text: string; values: unknown[] }) {
    const clicks: Click[] = [{ offerId, atMs: atMs + 1_000, agent: "person" }];
    const [outcome] = await whileHeld(databaseUrl, [statement], () => store.transact<{ clicks: Click[] }, ClickOutcome[]>(decideClicks, { clicks }));
    return outcome?.verdict;
  }

  it("sees what was spent of its campaign's budget meanwhile", async () => {
    const { database, campaign, offerId } = await makeScene();
    const spend = { text: "UPDATE campaigns SET spent_micro = budget_micro WHERE id = $1", values: [campaign.campaignId] };
    assert.equal(await clickDuring(database, offerId, spend), "budget_exhausted");
  });

  it("sees that its offer was clicked meanwhile", async () => {
    const { database, offerId } = await makeScene();
    const click = { text: "UPDATE offers SET clicked_at = $1, verdict = 'too_fast' WHERE id = $2", values: [atMs + 1, offerId] };
    assert.equal(await clickDuring(database, offerId, click), "duplicate");
  });
});
