import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { growthLimits } from "../../../test/money/growth-limits.ts";
import { bankAccountOf, makeEarner, perCallMicroUsd } from "../../../test/money/make-earner.ts";
import { markDemo } from "../../register/accounts.table.ts";
import type { Store } from "../../store/store.ts";
import { demoMoney, realMoney } from "../ledger/pools.ts";
import { verifyLedger } from "../ledger/verify-ledger.ts";
import { exportAgain, exportPayouts } from "./export-payouts.ts";
import { movePayouts, movePayoutTo } from "./move-payouts.ts";
import { fundPlatform, readPlatformMoney } from "./platform-money.ts";
import { dueReasonOf, listCandidates, proposePayouts } from "./propose-payouts.ts";
import { createBalances } from "./read-balance.ts";

const january = Date.parse("2026-01-10T12:00:00Z");
const payday = Date.parse("2026-02-15T00:00:00Z");
const calls = 20;
const amountMicroUsd = calls * perCallMicroUsd;
const settings = { ...growthLimits, nowMs: payday, minimumMicroUsd: 500_000, actorAccountId: null };
const operator = { ...growthLimits, actorAccountId: null, fourEyes: true, nowMs: payday };

async function makeBoth(store: Store) {
  const [real, demo] = [await makeEarner(store, { atMs: january, calls, payee: true }), await makeEarner(store, { atMs: january, calls, payee: true })];
  await markDemo(store.db, demo.accountId).execute();
  return { real: real.accountId, demo: demo.accountId };
}

const fund = (store: Store, pool: typeof realMoney) => fundPlatform(store, { microUsd: amountMicroUsd, actorAccountId: null, nowMs: january }, pool);

describeBothStores("demo money", (open) => {
  it("covers payouts of demo accounts only, and real money only real ones, at every step [threat: demo-money]", async () => {
    for (const pool of [realMoney, demoMoney]) {
      const { store } = await open();
      const accounts = await makeBoth(store);
      const [funded, unfunded] = pool.demo ? [accounts.demo, accounts.real] : [accounts.real, accounts.demo];
      await fund(store, pool);
      const { proposed, waiting } = await proposePayouts(store, settings);
      assert.deepEqual(proposed.map((each) => each.account_id), [funded]);
      assert.deepEqual(waiting.map((each) => [each.accountId, each.reason]), [[unfunded, "not_funded"]]);
      const { uncovered } = await createBalances(store, { ...growthLimits, nowMs: () => payday, monotonicMs: () => 0, minimumMicroUsd: 0 }).funding();
      assert.deepEqual([...uncovered], [unfunded]);

      // Proposed as an earlier version would have: the step itself has to refuse it.
      await store.db.updateTable("payee_profiles").set({ account: bankAccountOf(funded) }).where("account_id", "=", unfunded).execute();
      await store.db.updateTable("payouts").set({ account_id: unfunded }).where("id", "=", proposed[0]!.id).execute();
      const refused = await movePayoutTo(store, { ...operator, payoutId: proposed[0]!.id, to: "approved", note: null });
      assert.deepEqual(refused, { kind: "waits", reason: "not_funded" });
    }
  });

  it("is in no figure of the installation, and has its own", async () => {
    const { store } = await open();
    const accounts = await makeBoth(store);
    await fund(store, demoMoney);
    const { proposed } = await proposePayouts(store, settings);
    assert.equal(proposed.length, 1);
    const figures = async (pool: typeof realMoney) => {
      const { fundingMicroUsd, earnedMicroUsd, underWayMicroUsd, paidMicroUsd, availableMicroUsd } = await readPlatformMoney(store, pool);
      return [fundingMicroUsd, earnedMicroUsd, underWayMicroUsd, paidMicroUsd, availableMicroUsd];
    };
    assert.deepEqual(await figures(realMoney), [0, amountMicroUsd, 0, 0, 0]);
    assert.deepEqual(await figures(demoMoney), [amountMicroUsd, amountMicroUsd, amountMicroUsd, 0, 0]);
    const { candidates } = await listCandidates(store, settings);
    assert.deepEqual(candidates.map((each) => [each.accountId, dueReasonOf(each.states)]), [[accounts.real, "not_funded"]]);
    for (const to of ["approved", "exported", "paid"] as const) await movePayouts(store, { ...operator, payoutIds: [proposed[0]!.id], to, note: null });
    assert.deepEqual(await figures(realMoney), [0, amountMicroUsd, 0, 0, 0]);
    assert.deepEqual(await figures(demoMoney), [amountMicroUsd, amountMicroUsd, 0, amountMicroUsd, 0]);
    assert.equal((await createBalances(store, { ...growthLimits, nowMs: () => payday, monotonicMs: () => 0, minimumMicroUsd: 0 }).funding()).isFunded, false);
    assert.equal((await verifyLedger(store)).ok, true);
  });

  it("goes to a file of its own, in which every line says DEMO and names no account of a bank", async () => {
    const { store } = await open();
    const accounts = await makeBoth(store);
    for (const pool of [realMoney, demoMoney]) await fund(store, pool);
    const { proposed } = await proposePayouts(store, settings);
    await movePayouts(store, { ...operator, payoutIds: proposed.map(({ id }) => id), to: "approved", note: null });
    const idOf = (accountId: string) => proposed.find((each) => each.account_id === accountId)!.id;

    const first = await exportPayouts(store, operator);
    assert.deepEqual([first.payoutIds, first.isDemo], [[idOf(accounts.real)], false]);
    assert.doesNotMatch(first.csv, /DEMO/);
    const second = await exportPayouts(store, operator);
    assert.deepEqual([second.payoutIds, second.isDemo], [[idOf(accounts.demo)], true]);
    const [, line, ...others] = second.csv.trimEnd().split("\r\n");
    assert.equal(line, `${idOf(accounts.demo)},${accounts.demo},2026-01,0.680000,DEMO Ada Lovelace,DEMO,,,DEMO,DEMO,DEMO,DEMO`);
    assert.deepEqual(others, []);
    const { refused: _refused, ...file } = second;
    assert.deepEqual(await exportAgain(store, second.exportId!), file);
  });
});
