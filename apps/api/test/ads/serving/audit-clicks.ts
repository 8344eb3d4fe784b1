import assert from "node:assert/strict";
import { verifyLedger } from "../../../src/money/ledger/verify-ledger.ts";
import type { Store } from "../../../src/store/store.ts";

type Sums = { clicks: number; spend: number; developer: number };

const sumUp = (rows: readonly { price: number; developer: number }[]): Sums => ({
  clicks: rows.length,
  spend: rows.reduce((sum, { price }) => sum + price, 0),
  developer: rows.reduce((sum, { developer }) => sum + developer, 0),
});

/**
 * Compares all records of paid clicks with each other: offers, clicks, ledger entries, campaigns, their days, and the
 * hourly rollups. Returns the totals that they agree on.
 */
export async function auditClicks(store: Store): Promise<Sums> {
  const { db } = store;
  const entries = await db
    .selectFrom("ledger_entries")
    .select(["account_id", "seq", "ref", "gross_micro as price", "developer_micro as developer"])
    .where("kind", "=", "click")
    .execute();
  const clicks = await db.selectFrom("clicks").select(["offer_id", "account_id", "ledger_seq", "campaign_id", "price_micro as price", "developer_micro as developer"]).execute();
  const offers = await db.selectFrom("offers").select(["id", "price_micro as price", "developer_micro as developer"]).where("verdict", "=", "paid").execute();
  const sums = sumUp(entries);
  assert.deepEqual(sumUp(clicks), sums, "clicks match the ledger");
  assert.deepEqual(sumUp(offers), sums, "offers match the ledger");
  const names = new Set(entries.map(({ account_id, seq, ref }) => `${account_id} ${seq} ${ref}`));
  assert.equal(new Set(entries.map(({ ref }) => ref)).size, entries.length, "no offer is paid twice");
  for (const { account_id, ledger_seq, offer_id } of clicks) assert.ok(names.has(`${account_id} ${ledger_seq} ${offer_id}`));
  const paidOffers = new Set(offers.map(({ id }) => id));
  for (const { offer_id } of clicks) assert.ok(paidOffers.has(offer_id));

  const campaigns = await db.selectFrom("campaigns").select(["id", "spent_micro", "budget_micro", "daily_budget_micro"]).execute();
  const days = await db.selectFrom("campaign_days").select(["campaign_id", "spent_micro"]).execute();
  for (const { id, spent_micro, budget_micro, daily_budget_micro } of campaigns) {
    const own = clicks.filter(({ campaign_id }) => campaign_id === id);
    const ownDays = days.filter(({ campaign_id }) => campaign_id === id);
    assert.equal(spent_micro, sumUp(own).spend, "a campaign's spend is the sum of its clicks");
    assert.equal(ownDays.reduce((sum, day) => sum + day.spent_micro, 0), spent_micro, "the campaign's days add up to its spend");
    assert.ok(spent_micro <= budget_micro, "the campaign is within its budget");
    for (const day of ownDays) assert.ok(day.spent_micro <= (daily_budget_micro ?? budget_micro), "every day is within its budget");
  }
  const hours = await db.selectFrom("ad_hours").select(["valid_clicks", "spend_micro", "developer_micro"]).execute();
  assert.deepEqual(
    {
      clicks: hours.reduce((sum, row) => sum + row.valid_clicks, 0),
      spend: hours.reduce((sum, row) => sum + row.spend_micro, 0),
      developer: hours.reduce((sum, row) => sum + row.developer_micro, 0),
    },
    sums,
    "the hourly rollups add up",
  );
  const report = await verifyLedger(store);
  assert.deepEqual(report.breaks, []);
  return sums;
}
