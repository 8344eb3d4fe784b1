import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "./both-stores.ts";
import { makeAccount } from "./make-account.ts";
import { growthLimits } from "./money/growth-limits.ts";
import { makeCharge, makeCharger } from "./make-charge.ts";
import { reportRevenue } from "../src/console/developer/report-revenue.ts";
import { readMoney } from "../src/console/operator/read-money.ts";
import { usdOf } from "../src/formats/money.ts";
import { createBalances } from "../src/money/payouts/read-balance.ts";
import { readPlatformMoney } from "../src/money/payouts/platform-money.ts";
import { makeStatement } from "../src/money/statements/make-statement.ts";
import type { NewEntry } from "../src/money/ledger/append-entries.ts";
import { verifyLedger } from "../src/money/ledger/verify-ledger.ts";

const append = new URL("./money/append.work.ts", import.meta.url);
const nowMs = Date.UTC(2026, 2, 10);
const span = { fromMs: Date.UTC(2026, 2, 1), toMs: Date.UTC(2026, 3, 1) };

describeBothStores("a reversal of calls", (open) => {
  it("changes no sum of clicks, and cash, statement and revenue equal the ledger", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs });
    for (const payer of ["platform", "platform", "developer"] as const) await makeCharger(store, { nowMs }, { payer }).charge(makeCharge({ accountId, atMs: nowMs }));
    const entryOf = (entry: Pick<NewEntry, "kind" | "payer" | "grossMicroUsd" | "developerMicroUsd">): NewEntry => ({ accountId, atMs: nowMs, ref: "day:2026-03-10", endpoint: "reversal", shareBps: 6_800, ...entry });
    const book = (...entries: NewEntry[]) => store.transact<NewEntry[], number[]>(append, entries);
    await book(entryOf({ kind: "click", payer: "advertiser", grossMicroUsd: 200_000, developerMicroUsd: 136_000 }), entryOf({ kind: "reversal", payer: "advertiser", grossMicroUsd: -100_000, developerMicroUsd: -68_000 }));
    const balances = createBalances(store, { ...growthLimits, nowMs: () => nowMs, monotonicMs: () => 0, minimumMicroUsd: 0 });
    const read = async () => {
      const context = { store, payoutMinimumMicroUsd: 0, balances } as unknown as Parameters<typeof reportRevenue>[0];
      const [money, cash, statement, revenue] = [
        (await readMoney(store, { ...growthLimits, nowMs, minimumMicroUsd: 0, fourEyes: false })).months[0]!,
        await readPlatformMoney(store),
        (await makeStatement(store, { accountId, month: "2026-03", nowMs }))!,
        await reportRevenue(context, { accountId, ...span, nowMs }),
      ];
      const head = await store.db.selectFrom("ledger_heads").select("balance_micro").where("account_id", "=", accountId).executeTakeFirstOrThrow();
      return { money, cash, statement, revenue, balanceUsd: usdOf(head.balance_micro) };
    };
    const before = await read();
    await book(entryOf({ kind: "reversal", payer: "platform", grossMicroUsd: -50_000, developerMicroUsd: -34_000 }), entryOf({ kind: "reversal", payer: "developer", grossMicroUsd: -50_000, developerMicroUsd: -34_000 }));
    const after = await read();

    const clickSums = ({ money, cash, statement, revenue }: typeof before) => [money.clicks_gross_usd, cash.advertiserMicroUsd, statement.ads, revenue.ads, revenue.series.map((day) => day.ads_usd)];
    assert.deepEqual(clickSums(after), clickSums(before));
    const { money, cash, statement, revenue, balanceUsd } = after;
    assert.deepEqual([money.clicks_gross_usd, statement.ads.reversed_usd], [0.1, 0.068]);
    assert.deepEqual([money.calls_gross_usd, money.developer_usd, money.platform_usd], [0.05, 0.102, 0.048]);
    assert.deepEqual([cash.chargedMicroUsd, cash.earnedMicroUsd, cash.marginMicroUsd, cash.availableMicroUsd], [0, 102_000, 32_000, 0]);
    assert.deepEqual([statement.calls_reversed_usd, statement.closing_balance_usd, statement.balance_usd], [0.018, balanceUsd, balanceUsd]);
    assert.deepEqual([revenue.calls.reversed_usd, revenue.earned_usd], [0.068, 0.102]);
    assert.equal(Math.round(1e6 * revenue.series.reduce((sum, day) => sum + day.calls_usd + day.ads_usd, 0)), 102_000);
    assert.ok((await verifyLedger(store)).ok);
  });
});
