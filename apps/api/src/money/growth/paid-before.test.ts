import { genesisHash } from "@assay/contract/ledger-chain.ts";
import { sql } from "kysely";
import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { makeCampaign } from "../../../test/ads/serving/make-campaign.ts";
import { makeOffer } from "../../../test/ads/serving/make-offers.ts";
import { settlement } from "../../store/migrations/0014-settlement.ts";
import { waitingEarnings } from "../../store/migrations/0022-waiting-earnings.ts";
import { readerOf } from "../../store/store.ts";
import { readMoneyOf } from "../payouts/read-account-money.ts";

const usd = 1_000_000;
const nowMs = Date.UTC(2026, 4, 20);
const rules = { nowMs, minimumMicroUsd: 0, unreviewedMonthlyMicroUsd: 350 * usd };
const hourOf = (month: number) => Date.UTC(2026, month - 1, 10, 12);

/** The statements of the upgrade that fill the tables of days and reviews. */
const upgradeStatements = (database: TestDatabase): string[] =>
  settlement(database.dialect).filter((statement) => /^\s*INSERT INTO (call_settlements|growth_reviews)/.test(statement));

/** An account with calls that earned these sums from January on, and payouts, as the version before left it. */
async function makeOldAccount({ store }: TestDatabase, account: { id: string; earned: number[]; payouts: { month: string; status: "paid" | "approved" | "cancelled" | "returned" }[] }) {
  const { id, earned } = account;
  const balance = earned.reduce((sum, each) => sum + each, 0) * usd;
  await store.db.insertInto("accounts").values({ id, email: `${id}@example.com`, tier: "Starter", status: "active", verified_at: 1, operator: 0, demo: 0, created_at: 1 }).execute();
  await store.db.insertInto("ledger_heads").values({ account_id: id, seq: 0, hash: genesisHash, at: 0, balance_micro: balance, spendable_micro: null, spendable_seq: 0, share_confirmed_seq: 0 }).execute();
  const rollup = { account_id: id, endpoint: "predict", payer: "platform" as const, share_bps: 10_000, calls: 1, platform_micro: 0 };
  const rollups = earned.map((each, index) => ({ ...rollup, hour: hourOf(index + 1), gross_micro: each * usd, developer_micro: each * usd }));
  if (rollups.length > 0) await store.db.insertInto("usage_rollups").values(rollups).execute();
  for (const [index, { month, status }] of account.payouts.entries()) {
    const times = { approved_at: null, exported_at: null, paid_at: null, returned_at: null, note: null, payout_seq: null, returned_seq: null };
    await store.db.insertInto("payouts").values({ id: `po_${id}_${index}`, account_id: id, month, amount_micro: 1, status, proposed_at: 1, ...times }).execute();
  }
}

describeBothStores("an installation that paid accounts before growth was limited", (open) => {
  it("starts those as reviewed at their best paid month and limits none of their paid months again; one that was never paid is limited from its first month", async () => {
    const database = await open();
    const { store } = database;
    const earned = [2_000, 5_000, 6_000, 100];
    await makeOldAccount(database, { id: "acct_approved", earned, payouts: [{ month: "2026-02", status: "approved" }] });
    await makeOldAccount(database, { id: "acct_never", earned, payouts: [{ month: "2026-03", status: "cancelled" }, { month: "2026-02", status: "returned" }] });
    await makeOldAccount(database, { id: "acct_paid", earned, payouts: [{ month: "2026-01", status: "paid" }, { month: "2026-02", status: "paid" }, { month: "2026-03", status: "cancelled" }] });
    for (const statement of upgradeStatements(database)) await sql.raw(statement).execute(store.db);
    const reviews = await store.db.selectFrom("growth_reviews").select(["account_id", "monthly_micro", "granted_through", "reviewed_by"]).orderBy("account_id").execute();
    const best = { monthly_micro: 5_000 * usd, granted_through: "2026-02", reviewed_by: null };
    assert.deepEqual(reviews.map((row) => ({ ...row })), [{ account_id: "acct_approved", ...best }, { account_id: "acct_paid", ...best }]);
    const all = await readMoneyOf(readerOf(store), { ...rules, accountIds: ["acct_never", "acct_paid"] });
    const granted = new Map(all.map(({ accountId, growth }) => [accountId, growth.months.map((month) => month.grantedMicroUsd / usd)]));
    assert.deepEqual(granted.get("acct_paid"), [2_000, 5_000, 5_000, 1_100]);
    assert.deepEqual(granted.get("acct_never"), [350, 700, 1_400, 1_050]);
  });

  it("allows one that was paid less than a new account is allowed no less than that", async () => {
    const database = await open();
    await makeOldAccount(database, { id: "acct_paid", earned: [60, 300, 900], payouts: [{ month: "2026-01", status: "paid" }] });
    for (const statement of upgradeStatements(database)) await sql.raw(statement).execute(database.store.db);
    const [paid] = await readMoneyOf(readerOf(database.store), { ...rules, accountIds: ["acct_paid"] });
    assert.deepEqual(paid!.growth.months.map((month) => month.grantedMicroUsd / usd), [60, 300, 350, 350]);
  });
});

/** Confirmed clicks that earned these sums per month, from January on. */
async function makeOldClicks({ store }: TestDatabase, accountId: string, earned: number[]) {
  const campaign = await makeCampaign(store);
  for (const [index, each] of earned.entries()) {
    if (each === 0) continue;
    const offer = await makeOffer(store, { accountId, campaign, atMs: hourOf(index + 1) });
    const place = { offer_id: offer.id, account_id: accountId, campaign_id: campaign.campaignId, creative_id: campaign.creativeId, placement: "feed" as const, trust_band: "unverified" as const };
    const settled = { at: hourOf(index + 1), status: "confirmed" as const, settled_at: 1, reversal_seq: null, reason: null, ledger_seq: index + 1 };
    await store.db.insertInto("clicks").values({ ...place, ...settled, price_micro: each * usd, developer_micro: each * usd, share_bps: 10_000 }).execute();
  }
}

describeBothStores("an installation that paid accounts for clicks before their growth was limited", (open) => {
  const upgrade = async (database: TestDatabase) => {
    for (const statement of upgradeStatements(database)) await sql.raw(statement).execute(database.store.db);
    const limits = waitingEarnings(database.dialect).filter((statement) => statement.includes("INSERT INTO growth_reviews"));
    assert.equal(limits.length, 1);
    for (const statement of limits) await sql.raw(statement).execute(database.store.db);
  };
  const grantedOf = async ({ store }: TestDatabase, accountId: string, unreviewedMonthlyMicroUsd = 350 * usd) => {
    const [money] = await readMoneyOf(readerOf(store), { ...rules, unreviewedMonthlyMicroUsd, accountIds: [accountId] });
    return { granted: money!.growth.months.map((month) => month.grantedMicroUsd / usd), waiting: money!.growth.waitingMicroUsd / usd, isReviewed: money!.growth.isReviewed };
  };

  it("counts their clicks as far as they exceed the best paid month, and all clicks of accounts that were never paid [threat: clicks-before-upgrade]", async () => {
    const database = await open();
    await makeOldAccount(database, { id: "acct_paid", earned: [], payouts: [{ month: "2026-01", status: "paid" }, { month: "2026-02", status: "approved" }, { month: "2026-03", status: "cancelled" }] });
    await makeOldClicks(database, "acct_paid", [500, 2_000, 2_100, 20_000]);
    await makeOldAccount(database, { id: "acct_never", earned: [], payouts: [{ month: "2026-03", status: "cancelled" }] });
    await makeOldClicks(database, "acct_never", [0, 0, 0, 20_000]);
    await upgrade(database);
    const reviews = await database.store.db.selectFrom("growth_reviews").select(["account_id", "monthly_micro", "granted_through", "reviewed_by"]).execute();
    assert.deepEqual(reviews.map((row) => ({ ...row })), [{ account_id: "acct_paid", monthly_micro: 2_000 * usd, granted_through: "2026-02", reviewed_by: null }]);
    assert.deepEqual(await grantedOf(database, "acct_never"), { granted: [350], waiting: 19_650, isReviewed: false });
    assert.deepEqual(await grantedOf(database, "acct_paid"), { granted: [100, 350], waiting: 17_650, isReviewed: false }, "2,000 USD of each month beside it");
  });

  it("reviews nobody's calls: one click in a paid month leaves the bound of all calls in place [threat: clicks-before-upgrade]", async () => {
    const database = await open();
    await makeOldAccount(database, { id: "acct_forger", earned: [], payouts: [{ month: "2026-01", status: "paid" }] });
    await makeOldClicks(database, "acct_forger", [1]);
    await upgrade(database);
    const rollup = { account_id: "acct_forger", endpoint: "predict", payer: "platform" as const, share_bps: 10_000, calls: 1, platform_micro: 0, hour: hourOf(2), gross_micro: 20_000 * usd, developer_micro: 20_000 * usd };
    await database.store.db.insertInto("usage_rollups").values(rollup).execute();
    assert.deepEqual(await grantedOf(database, "acct_forger", 100 * usd), { granted: [100, 200, 200], waiting: 19_500, isReviewed: false });
  });

  it("keeps what an operator or an earlier upgrade had allowed calls, until an operator reviews both together", async () => {
    const database = await open();
    await makeOldAccount(database, { id: "acct_both", earned: [900, 900, 900, 900], payouts: [{ month: "2026-01", status: "paid" }] });
    await makeOldClicks(database, "acct_both", [700, 700, 800, 700]);
    await upgrade(database);
    assert.deepEqual(await grantedOf(database, "acct_both"), { granted: [900, 900, 900, 900], waiting: 100, isReviewed: true });
    await database.store.db.updateTable("growth_reviews").set({ reviewed_at: 1 }).execute();
    // Before March is due.
    const review = { id: "review_new", account_id: "acct_both", monthly_micro: 1_000 * usd, reason: "a test", reviewed_by: null, granted_through: null };
    await database.store.db.insertInto("growth_reviews").values({ ...review, reviewed_at: Date.UTC(2026, 3, 1) }).execute();
    assert.deepEqual(await grantedOf(database, "acct_both"), { granted: [900, 900, 1_000, 1_000], waiting: 1_700 + 1_600 - 2_000, isReviewed: true });
  });
});
