import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { growthLimits } from "../../../test/money/growth-limits.ts";
import { makeEarner } from "../../../test/money/make-earner.ts";
import { makeSignInAccount, signIn } from "../../../test/people/browser.ts";
import { readMails } from "../../../test/people/read-mails.ts";
import { msPerDay } from "../../formats/time.ts";
import { changeTier, resetPassword, resumeAccount, suspendAccount } from "../../people/change-account.ts";
import type { Store } from "../../store/store.ts";
import { fundPlatform } from "../payouts/platform-money.ts";
import { proposePayouts } from "../payouts/propose-payouts.ts";
import { changeHold } from "./change-hold.ts";
import { selectHolds, selectOpenHolds } from "./holds.table.ts";

const nowMs = Date.now();
const earnedMs = nowMs - 90 * msPerDay;
const password = "seventeen quiet herons";

const openKinds = async (store: Store, accountId: string) => (await selectOpenHolds(store.db, [accountId]).execute()).map(({ kind }) => kind).toSorted();

describeBothStores("a hold on an account's money", (open) => {
  it("is opened by a suspension and lifted by resuming, with who and why, which the account is told", async () => {
    const { store } = await open();
    const operator = await makeAccount(store);
    const { accountId, email } = await makeAccount(store);
    const actor = { accountId, actorAccountId: operator.accountId, nowMs, channel: undefined };
    assert.equal(await suspendAccount(store, { ...actor, reason: "clicks by a script" }), "changed");
    assert.equal(await suspendAccount(store, { ...actor, reason: "again" }), "unchanged");
    assert.deepEqual(await openKinds(store, accountId), ["suspension"]);
    assert.equal(await resumeAccount(store, { ...actor, reason: "explained", nowMs: nowMs + 1 }), "changed");
    const holds = await selectHolds(store.db, { accountId, limit: 10 }).execute();
    const { id: _id, ...hold } = { ...holds[0]! };
    const by = operator.accountId;
    assert.deepEqual([holds.length, hold], [1, { account_id: accountId, kind: "suspension", reason: "clicks by a script", opened_by: by, opened_at: nowMs, lifted_by: by, lifted_at: nowMs + 1, lift_reason: "explained" }]);
    const mails = await readMails(store, email);
    assert.deepEqual(mails.map(({ kind }) => kind).toSorted(), ["hold_lifted", "hold_opened"]);
    assert.match(mails.find(({ kind }) => kind === "hold_opened")!.text, /Reason: clicks by a script/);
    const noted = await store.db.selectFrom("audit_log").select(["action", "actor_account_id"]).where("subject", "=", accountId).where("action", "in", ["account.suspend", "account.resume"]).orderBy("at").execute();
    assert.deepEqual(noted.map((row) => [row.action, row.actor_account_id]), [["account.suspend", by], ["account.resume", by]]);
  });

  it("by an operator is a record of its own: resuming, another tier or closing lifts none, only an operator's lift does", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store);
    const actor = { accountId, actorAccountId: null, nowMs };
    assert.deepEqual(await changeHold(store, { ...actor, to: "open", reason: "under review" }), { kind: "opened" });
    assert.deepEqual(await changeHold(store, { ...actor, to: "open", reason: "again" }), { kind: "already_open" });
    await suspendAccount(store, { ...actor, reason: "a test", channel: undefined });
    assert.deepEqual(await openKinds(store, accountId), ["operator", "suspension"]);
    await resumeAccount(store, { ...actor, reason: "a test", channel: undefined });
    await changeTier(store, { accountId, tier: "Scale", actorAccountId: null, nowMs, channel: undefined });
    await store.db.updateTable("accounts").set({ status: "closed" }).where("id", "=", accountId).execute();
    assert.deepEqual(await openKinds(store, accountId), ["operator"]);
    assert.deepEqual(await changeHold(store, { ...actor, to: "lift", reason: "reviewed" }), { kind: "lifted", lifted: ["operator"] });
    assert.deepEqual(await changeHold(store, { ...actor, to: "lift", reason: "again" }), { kind: "none_open" });
  });

  it("of a suspended account is lifted by resuming it, and nobody changes the hold on its own account", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store);
    const actor = { accountId, actorAccountId: null, reason: "a test", nowMs };
    await suspendAccount(store, { ...actor, channel: undefined });
    assert.deepEqual(await changeHold(store, { ...actor, to: "lift" }), { kind: "still_suspended" });
    await changeHold(store, { ...actor, to: "open" });
    assert.deepEqual(await changeHold(store, { ...actor, to: "lift" }), { kind: "lifted", lifted: ["operator"] });
    assert.deepEqual(await openKinds(store, accountId), ["suspension"], "the suspension's stays");
    assert.deepEqual(await changeHold(store, { ...actor, to: "lift", actorAccountId: accountId }), { kind: "own_account" });
    assert.deepEqual(await changeHold(store, { ...actor, to: "open", accountId: "acc_none" }), { kind: "unknown_account" });
    await store.db.updateTable("accounts").set({ status: "closed" }).where("id", "=", accountId).execute();
    assert.deepEqual(await changeHold(store, { ...actor, to: "lift" }), { kind: "lifted", lifted: ["suspension"] });
  });

  it("survives that a suspended account closes itself: nothing is proposed, whenever it is tried [threat: close-to-be-paid]", async () => {
    const database = await open();
    const { store } = database;
    const service = await database.serve();
    const account = await makeEarner(store, { atMs: earnedMs, calls: 20 });
    const { accountId, email } = account;
    await resetPassword(store, { accountId, password, nowMs });
    await fundPlatform(store, { microUsd: 10_000_000, actorAccountId: null, nowMs: earnedMs });
    const browser = await signIn(service, { email, password });
    await suspendAccount(store, { accountId, reason: "clicks by a script", actorAccountId: null, nowMs: Date.now(), channel: undefined });
    const closed = await browser.post("/dashboard/api/auth/close-account", { password, confirmEmail: email });
    const { status } = await store.db.selectFrom("accounts").select("status").where("id", "=", accountId).executeTakeFirstOrThrow();
    assert.deepEqual([closed.status, status], [200, "closed"]);
    for (const days of [0, 30, 400]) {
      const { proposed, waiting } = await proposePayouts(store, { ...growthLimits, nowMs: Date.now() + days * msPerDay, minimumMicroUsd: 1, actorAccountId: null });
      assert.deepEqual([proposed, waiting.map(({ reason }) => reason)], [[], ["held"]]);
    }
    const operator = await makeSignInAccount(store, { operator: true });
    const console = await signIn(service, operator);
    const path = `/dashboard/api/operator/accounts/${accountId}`;
    const listed = (await console.get(`${path}/holds`)).json() as { holds: { kind: string; opened_by: string; lifted_at: string | null }[] };
    assert.deepEqual(listed.holds.map((hold) => [hold.kind, hold.opened_by, hold.lifted_at]), [["suspension", "command line", null]]);
    const lifted = await console.post(`${path}/lift-hold`, { reason: "explained" });
    assert.deepEqual([lifted.status, (lifted.json() as typeof listed & { holds: { lifted_by: string }[] }).holds[0]?.lifted_by], [200, operator.email]);
    assert.equal((await console.post(`${path}/lift-hold`, { reason: "again" })).status, 400);
    assert.equal((await proposePayouts(store, { ...growthLimits, nowMs: Date.now(), minimumMicroUsd: 1, actorAccountId: null })).proposed.length, 1);
  });
});
