import { genesisHash } from "@assay/contract/ledger-chain.ts";
import { sql } from "kysely";
import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { settlement } from "../../store/migrations/0014-settlement.ts";
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
  await store.db
    .insertInto("usage_rollups")
    .values(earned.map((each, index) => ({ ...rollup, hour: hourOf(index + 1), gross_micro: each * usd, developer_micro: each * usd })))
    .execute();
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
});
