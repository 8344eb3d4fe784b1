import type { Balance } from "@assay/contract/balance.ts";
import type { StatusReply } from "@assay/contract/operations.ts";
import type { RevenueReply } from "@assay/contract/dashboard/revenue.ts";
import type { StatementReply } from "@assay/contract/usage.ts";
import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { growthLimits } from "../../../test/money/growth-limits.ts";
import { makeEarner } from "../../../test/money/make-earner.ts";
import { signIn } from "../../../test/people/browser.ts";
import { send } from "../../../test/send.ts";
import { msPerDay } from "../../formats/time.ts";
import { changeHold } from "../holds/change-hold.ts";
import { fundPlatform } from "./platform-money.ts";
import { createBalances } from "./read-balance.ts";
import { movePayoutTo } from "./move-payouts.ts";
import { nextPayableMs } from "../payable-months.ts";
import { proposePayouts } from "./propose-payouts.ts";

const earnedMs = Date.now() - 90 * msPerDay;

describeBothStores("an account's balance", (open) => {
  it("is the same for the key, the dashboard and the statement, and gives the operator's reason of a hold", async () => {
    const database = await open();
    const { store } = database;
    const service = await database.serve({ env: { PAYOUT_MINIMUM_USD: "0.5", CLICK_HOLD_DAYS: "9" } });
    await fundPlatform(store, { microUsd: 10_000_000, actorAccountId: null, nowMs: earnedMs });
    const account = await makeEarner(store, { atMs: earnedMs, calls: 20 });
    await account.charge(Date.now(), 1);
    await changeHold(store, { accountId: account.accountId, to: "open", reason: "Clicks of one address.", actorAccountId: null, nowMs: Date.now() });
    const get = async <Reply>(path: string) => {
      const answer = await send(service, path, { headers: { "x-api-key": account.liveKey } });
      assert.equal(answer.status, 200, answer.text);
      return answer.json() as Reply;
    };
    const balance = await get<Balance>("/api/balance");
    const { waiting, ...confirmed } = balance.confirmed;
    assert.deepEqual(waiting.map(({ reason, usd }) => [reason, usd]), [["held", 0.68], ["not_yet_due", 0.034]]);
    assert.match(waiting[0]!.explained, /Clicks of one address\./);
    assert.deepEqual(confirmed, { usd: 0.714, payable_usd: 0, in_payout_usd: 0, paid_usd: 0 });
    assert.deepEqual([balance.accrued_usd, balance.pending_usd, balance.owed_usd, balance.next_date], [0.714, 0, 0, new Date(nextPayableMs(Date.now())).toISOString()]);
    const month = new Date(earnedMs).toISOString().slice(0, "YYYY-MM".length);
    assert.deepEqual((await get<StatementReply>(`/api/statements/${month}`)).balance, balance);
    const browser = await signIn(service, { ...account, store });
    assert.deepEqual(((await browser.get("/dashboard/api/revenue")).json() as RevenueReply).balance, balance);
    assert.deepEqual(((await browser.get(`/dashboard/api/statements/${month}`)).json() as StatementReply).balance, balance);
    const { payout_rules: rules } = await get<StatusReply>("/api/status");
    assert.deepEqual(rules, { call_hold_days: 14, click_hold_days: 9, unreviewed_monthly_usd: 350, unreviewed_total_monthly_usd: null, payout_minimum_usd: 0.5, payee_change_hold_days: 7, four_eyes: "off", funded: true });
  });

  it("says that money waits for funding, and follows a payout to its end", async () => {
    const { store } = await open();
    const [first, second] = [await makeEarner(store, { atMs: earnedMs - 60 * msPerDay, calls: 20 }), await makeEarner(store, { atMs: earnedMs, calls: 20 })];
    await fundPlatform(store, { microUsd: 680_000, actorAccountId: null, nowMs: earnedMs });
    // Each reading asks anew: what is known about funding is kept for minutes.
    const balances = () => createBalances(store, { ...growthLimits, nowMs: Date.now, monotonicMs: () => 0, minimumMicroUsd: 1 });
    const stateOf = async (accountId: string) => {
      const { waiting, payable_usd: payable, in_payout_usd: inPayout, paid_usd: paid } = (await balances().read(accountId)).confirmed;
      return { waiting: waiting.map(({ reason }) => reason), payable, inPayout, paid };
    };
    assert.equal((await balances().funding()).isFunded, false);
    assert.deepEqual(await stateOf(first.accountId), { waiting: [], payable: 0.68, inPayout: 0, paid: 0 });
    assert.deepEqual(await stateOf(second.accountId), { waiting: ["not_funded"], payable: 0, inPayout: 0, paid: 0 });
    const actor = { actorAccountId: null, fourEyes: false, note: null, nowMs: Date.now() };
    const { proposed } = await proposePayouts(store, { ...growthLimits, nowMs: Date.now(), minimumMicroUsd: 1, actorAccountId: null });
    assert.deepEqual(await stateOf(first.accountId), { waiting: [], payable: 0, inPayout: 0.68, paid: 0 });
    for (const to of ["approved", "exported", "paid"] as const) await movePayoutTo(store, { ...growthLimits, ...actor, payoutId: proposed[0]!.id, to });
    assert.deepEqual(await stateOf(first.accountId), { waiting: [], payable: 0, inPayout: 0, paid: 0.68 });
    await fundPlatform(store, { microUsd: 680_000, actorAccountId: null, nowMs: Date.now() });
    assert.deepEqual([(await balances().funding()).isFunded, (await stateOf(second.accountId)).payable], [true, 0.68]);
    await makeEarner(store, { atMs: Date.now(), calls: 1 });
    assert.equal((await balances().funding()).isFunded, false, "what is not due yet has to be covered too");
  });
});
