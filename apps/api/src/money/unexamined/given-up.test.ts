import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { checkDays } from "../../../test/check-days.ts";
import { allTelling, call, click, clickMicroUsd, day, isOver, listWaiting, payday, perCallMicroUsd, settle } from "../../../test/money/unexamined-days.ts";
import { makeSignInAccount } from "../../../test/people/browser.ts";
import { reverseGivenUp } from "../../ads/clicks/decide-waiting-clicks.ts";
import { readClicksCheckedTo, watchClicks } from "../../ads/clicks/watch-clicks.ts";
import { settleClicks } from "../../ads/clicks/settle-clicks.ts";
import { cleanUpAccounts } from "../../people/clean-up-accounts.ts";
import type { CloseAccount, CloseOutcome } from "../../people/close-account.work.ts";
import type { Store } from "../../store/store.ts";
import { verifyLedger } from "../ledger/verify-ledger.ts";

const closeModule = new URL("../../people/close-account.work.ts", import.meta.url);

const balanceOf = async (store: Store, accountId: string) => (await store.db.selectFrom("ledger_heads").select("balance_micro").where("account_id", "=", accountId).executeTakeFirstOrThrow()).balance_micro;
const isErased = async (store: Store, accountId: string) => (await store.db.selectFrom("accounts").select("email").where("id", "=", accountId).executeTakeFirstOrThrow()).email === `closed:${accountId}`;

describeBothStores("what waits of a closing account", (open) => {
  it("keeps it from being erased until it is decided, or the balance is given up: then calls are reversed once, and clicks with a refund", async () => {
    const { store } = await open();
    const { accountId } = await makeSignInAccount(store);
    await store.db.updateTable("ledger_heads").set({ at: day }).where("account_id", "=", accountId).execute();
    await call(store, accountId, { count: 60, signals: allTelling });
    const campaign = await click(store, accountId, Array.from({ length: 15 }, () => "one"));
    await checkDays(store, payday);
    await watchClicks(store, { nowMs: payday, isOver });
    await settle(store);
    await settleClicks(store, { nowMs: payday, holdDays: 7, beforeMs: await readClicksCheckedTo(store, payday), isOver });
    assert.deepEqual((await listWaiting(store, accountId)).map(({ reason, items }) => [reason, items]), [["crowded_network", 5], ["repeated_session", 40]]);
    const close = (forfeit: boolean) => store.transact<CloseAccount, CloseOutcome>(closeModule, { accountId, forfeit, nowMs: Date.now() });
    const runJob = async () => {
      const nowMs = Date.now();
      assert.deepEqual(await reverseGivenUp(store, { nowMs, isOver }), { isMore: false });
      await cleanUpAccounts({ store, deleteMailFiles: () => Promise.resolve() }, nowMs);
    };
    await close(false);
    await runJob();
    assert.deepEqual([await isErased(store, accountId), await balanceOf(store, accountId)], [false, 60 * perCallMicroUsd + 15 * clickMicroUsd], "nothing was given up");
    await close(true);
    assert.equal(await balanceOf(store, accountId), 40 * perCallMicroUsd + 5 * clickMicroUsd);
    await runJob();
    assert.deepEqual([await isErased(store, accountId), await balanceOf(store, accountId)], [true, 0]);
    assert.deepEqual((await listWaiting(store, accountId)).map(({ decision, resolution }) => [decision, resolution]), Array.from({ length: 2 }, () => ["reversed", "The account gave up its balance."]));
    const { spent_micro: spentMicroUsd } = await store.db.selectFrom("campaigns").select("spent_micro").where("id", "=", campaign.campaignId).executeTakeFirstOrThrow();
    assert.equal(spentMicroUsd, 10 * 100_000);
    assert.equal((await verifyLedger(store)).ok, true);
  });
});
