import type { OwnWaitingReply, WaitingReply } from "@assay/contract/dashboard/waiting.ts";
import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { checkDays } from "../../../test/check-days.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { allTelling, call, click, clickMicroUsd, coarse, day, isOver, listWaiting, payday, perCallMicroUsd, person, settle, statesOf } from "../../../test/money/unexamined-days.ts";
import { makeSignInAccount, signIn } from "../../../test/people/browser.ts";
import { reportCampaigns } from "../../ads/campaigns/report-campaigns.ts";
import { settleClicks } from "../../ads/clicks/settle-clicks.ts";
import { readClicksCheckedTo, watchClicks } from "../../ads/clicks/watch-clicks.ts";
import { msPerDay, msPerMinute } from "../../formats/time.ts";
import { lowestIdAt } from "../../ids/time-ordered-id.ts";
import { analysisEndpoint } from "../../scoring/traffic/examine-day.ts";
import { readerOf } from "../../store/store.ts";
import { reverseCalls } from "../days/reverse-calls.ts";
import { verifyLedger } from "../ledger/verify-ledger.ts";
import { findMoneyStates } from "../payouts/money-states.ts";
import { readPlatformMoney } from "../payouts/platform-money.ts";
import { readMoneyOf } from "../payouts/read-account-money.ts";
import { makeStatement } from "../statements/make-statement.ts";
import { allowWaiting, decideOnWaiting } from "./change-waiting.ts";

describeBothStores("what cannot be examined", (open) => {
  it("is all but 38 of 1,900 calls of one exact session of one day [threat: one-day-burst]", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: day });
    await call(store, accountId, { count: 1_900, signals: allTelling });
    await checkDays(store, payday);
    assert.equal((await statesOf(store, accountId)).pendingMicroUsd, 1_900 * perCallMicroUsd, "it is pending like the rest, until the day settles");
    await settle(store);
    assert.deepEqual(await statesOf(store, accountId), {
      waiting: [{ reason: "repeated_session", microUsd: 1_862 * perCallMicroUsd }],
      payableMicroUsd: 38 * perCallMicroUsd,
      pendingMicroUsd: 0,
      granted: 38 * perCallMicroUsd,
    });
    assert.deepEqual(await store.db.selectFrom("findings").selectAll().execute(), [], "it accuses nobody");
    await checkDays(store, payday + msPerDay);
    assert.equal((await listWaiting(store, accountId)).length, 1);
  });

  it("is not what people share: coarse sessions, and 20 calls of a small day", async () => {
    const { store } = await open();
    const [quiz, small] = [await makeAccount(store, { nowMs: day }), await makeAccount(store, { nowMs: day })];
    await call(store, quiz.accountId, { count: 200, signals: coarse });
    await call(store, small.accountId, { count: 20, signals: allTelling });
    await call(store, small.accountId, { count: 30, signals: person, startMs: day + 3_600_000 });
    await checkDays(store, payday);
    assert.deepEqual([await listWaiting(store, quiz.accountId), await listWaiting(store, small.accountId)], [[], []]);
  });

  it("is counted over the whole day, not over the sample that the checks see", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: day });
    await call(store, accountId, { count: 6_200, signals: person, startMs: day + 8 * 3_600_000 });
    // In three minutes, which a sample of consecutive sessions of every hour is likely to miss.
    await call(store, accountId, { count: 200, signals: allTelling, startMs: day + 23 * 3_600_000 });
    await checkDays(store, payday);
    assert.deepEqual((await listWaiting(store, accountId)).map(({ reason, items }) => [reason, items]), [["repeated_session", 200 - 128]]);
  });

  it("is all but 24 of a day's analyses, and every call without a record [threat: analyses-unseen]", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: day });
    await call(store, accountId, { count: 100, endpoint: analysisEndpoint });
    await call(store, accountId, { count: 10, signals: person, startMs: day + 3_600_000 });
    const records = await store.db.selectFrom("session_records").select("id").where("account_id", "=", accountId).limit(3).execute();
    await store.db.deleteFrom("session_records").where("account_id", "=", accountId).where("id", "in", records.map(({ id }) => id)).execute();
    await checkDays(store, payday);
    await settle(store);
    assert.deepEqual((await statesOf(store, accountId)).waiting, [{ reason: "unexamined", microUsd: (76 + 3) * perCallMicroUsd }]);
    assert.equal((await statesOf(store, accountId)).payableMicroUsd, (24 + 7) * perCallMicroUsd);
  });

  it("is no call of midnight, whose record is of the day before or after the one in which it was booked", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: day });
    await call(store, accountId, { count: 10, signals: person, startMs: day + 1_000, idsAheadMs: -12_000 });
    await call(store, accountId, { count: 10, signals: person, startMs: day + msPerDay - 11_000, idsAheadMs: 12_000 });
    await checkDays(store, payday);
    assert.deepEqual(await listWaiting(store, accountId), []);
  });

  it("is explained by its developer only, and settled or reversed by an operator only, once", async () => {
    const database = await open();
    const { store } = database;
    const developer = await makeSignInAccount(store);
    await store.db.updateTable("ledger_heads").set({ at: day }).where("account_id", "=", developer.accountId).execute();
    await call(store, developer.accountId, { count: 100, signals: allTelling });
    await call(store, developer.accountId, { count: 40, endpoint: analysisEndpoint, startMs: day + 3_600_000 });
    await checkDays(store, payday);
    await settle(store);
    const told = async () => (await store.db.selectFrom("webhook_events").select(["audience", "type"]).where("type", "like", "earnings.%").execute()).map(({ audience, type }) => `${audience === "operators" ? "operators" : "own"} ${type}`).toSorted();
    // Before a service runs: it deletes events of so long ago.
    assert.deepEqual(await told(), ["operators earnings.waiting", "operators earnings.waiting", "own earnings.waiting", "own earnings.waiting"]);
    const service = await database.serve();
    const [own, stranger, operator] = await Promise.all([signIn(service, developer), signIn(service, await makeSignInAccount(store)), signIn(service, await makeSignInAccount(store, { operator: true }))]);
    const { waiting } = (await own.get("/dashboard/api/waiting")).json() as OwnWaitingReply;
    assert.deepEqual(waiting.map(({ reason, items, developer_usd: usd }) => `${reason} ${items} ${usd}`).toSorted(), ["repeated_session 80 2.72", "unexamined 16 0.544"]);
    const [repeated, analyses] = ["repeated_session", "unexamined"].map((reason) => waiting.find((each) => each.reason === reason)!.id);
    const state = (browser: typeof own, text: string) => browser.post(`/dashboard/api/waiting/${repeated}/statement`, { text });
    assert.equal((await state(stranger, "mine")).status, 404);
    assert.equal((await state(own, "A load test of ours.")).status, 200);
    const decide = (browser: typeof own, id: string | undefined, decision: string) => browser.post(`/dashboard/api/operator/waiting/${id}/decide`, { decision, reason: "a test" });
    assert.equal((await decide(own, repeated, "settled")).status, 404, "as if there were no such address");
    const listed = ((await operator.get("/dashboard/api/operator/waiting")).json() as WaitingReply).waiting.find(({ id }) => id === repeated)!;
    assert.deepEqual([listed.statement?.text, listed.account_id], ["A load test of ours.", developer.accountId]);
    const answers = await Promise.all([1, 2, 3].map(() => decide(operator, repeated, "settled")));
    assert.deepEqual(answers.map(({ status }) => status).toSorted((one, other) => one - other), [200, 400, 400], "once");
    assert.deepEqual((await statesOf(store, developer.accountId)).waiting, [{ reason: "unexamined", microUsd: 16 * perCallMicroUsd }]);
    assert.equal((await decide(operator, analyses, "reversed")).status, 200);
    const states = await statesOf(store, developer.accountId);
    assert.deepEqual([states.waiting, states.payableMicroUsd, states.granted], [[], 124 * perCallMicroUsd, 124 * perCallMicroUsd]);
    const { balance_micro: balanceMicroUsd } = await store.db.selectFrom("ledger_heads").select("balance_micro").where("account_id", "=", developer.accountId).executeTakeFirstOrThrow();
    assert.equal(balanceMicroUsd, 124 * perCallMicroUsd);
    assert.equal((await verifyLedger(store)).ok, true);
    assert.equal((await state(own, "again")).status, 400);
    const kept = ((await own.get("/dashboard/api/waiting")).json() as OwnWaitingReply).waiting.map(({ reason, statement, decision, resolution, decided_at: at }) => [reason, statement?.text, typeof statement?.at, decision, resolution, typeof at].join(", "));
    assert.deepEqual(kept.toSorted(), [
      "repeated_session, A load test of ours., string, settled, a test, string",
      "unexamined, , undefined, reversed, a test, string",
    ]);
    const audited = await store.db.selectFrom("audit_log").select("action").where("action", "like", "waiting.%").execute();
    assert.deepEqual(audited.map(({ action }) => action).toSorted(), ["waiting.reversed", "waiting.settled", "waiting.state"]);
    assert.deepEqual((await told()).filter((type) => type.endsWith("earnings.settled")), ["own earnings.settled"]);
  });

  it("settles by itself up to a sum per day that an operator has set, from then on", async () => {
    const database = await open();
    const { store } = database;
    const { accountId } = await makeAccount(store, { nowMs: day });
    const operator = await signIn(await database.serve(), await makeSignInAccount(store, { operator: true }));
    const allowed = await operator.post(`/dashboard/api/operator/accounts/${accountId}/waiting-allowance`, { waiting_reason: "unexamined", daily_usd: 1.02, reason: "a known monitor" });
    assert.equal(allowed.status, 200);
    await call(store, accountId, { count: 100, endpoint: analysisEndpoint });
    await checkDays(store, payday);
    assert.deepEqual((await listWaiting(store, accountId)).map(({ items, developer_micro: microUsd }) => [items, microUsd]), [[46, 46 * perCallMicroUsd]]);
  });

  it("is reversed call by call: what names the same calls afterwards takes what is left of them, and none of other people's [threat: reversed-twice]", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: day });
    await call(store, accountId, { count: 60, signals: allTelling });
    await call(store, accountId, { count: 40, signals: person, startMs: day + 3_600_000 });
    await checkDays(store, payday);
    const [waiting] = await listWaiting(store, accountId);
    // In parts, as of a large day.
    await decideOnWaiting(store, { waitingId: waiting!.id, decision: "reversed", reason: "a test", actorAccountId: null, fourEyes: false, nowMs: day + 2 * msPerDay }, 15);
    assert.deepEqual((await listWaiting(store, accountId)).map(({ decision, resolution }) => [decision, resolution]), [["reversed", "a test"]]);
    const sums = await store.db.selectFrom("call_days").select(["reversed_calls", "reversed_developer_micro"]).where("account_id", "=", accountId).executeTakeFirstOrThrow();
    assert.deepEqual({ ...sums }, { reversed_calls: 40, reversed_developer_micro: 40 * perCallMicroUsd });
    const ids = (await store.db.selectFrom("session_records").select("id").where("account_id", "=", accountId).orderBy("id").execute()).map(({ id }) => id);
    const calls = { from_session: ids[0]!, to_session: ids[59]! };
    const named = await reverseCalls(store, { accountId, calls, reason: "a test", actorAccountId: null, fourEyes: false, nowMs: day + 2 * msPerDay });
    assert.deepEqual([named.calls, named.skippedCalls], [20, 40], "40 of 60 were reversed before");
    await settle(store);
    const { balance_micro: balanceMicroUsd } = await store.db.selectFrom("ledger_heads").select("balance_micro").where("account_id", "=", accountId).executeTakeFirstOrThrow();
    assert.equal(balanceMicroUsd, 40 * perCallMicroUsd);
    assert.equal((await statesOf(store, accountId)).payableMicroUsd, 40 * perCallMicroUsd);
    assert.equal((await verifyLedger(store)).ok, true);
  });

  it("of a settled day is reversed call by call too, and by number where no record is left", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: day });
    await call(store, accountId, { count: 60, signals: allTelling });
    await call(store, accountId, { count: 40, signals: person, startMs: day + 3_600_000 });
    await checkDays(store, payday);
    await settle(store);
    await store.db.deleteFrom("session_records").where("account_id", "=", accountId).where("id", "<", lowestIdAt("sess", day + msPerMinute + 31_000)).execute();
    const [waiting] = await listWaiting(store, accountId);
    await decideOnWaiting(store, { waitingId: waiting!.id, decision: "reversed", reason: "a test", actorAccountId: null, fourEyes: false, nowMs: payday });
    const named = await store.db.selectFrom("reversed_calls").select("session_id").where("account_id", "=", accountId).execute();
    const sums = await store.db.selectFrom("call_days").select(["reversed_calls", "reversed_developer_micro"]).where("account_id", "=", accountId).executeTakeFirstOrThrow();
    assert.equal(named.length, 9, "of 29 with a record 20 settle by themselves");
    assert.deepEqual({ ...sums }, { reversed_calls: 40, reversed_developer_micro: 40 * perCallMicroUsd });
    assert.deepEqual(await statesOf(store, accountId), { waiting: [], payableMicroUsd: 60 * perCallMicroUsd, pendingMicroUsd: 0, granted: 60 * perCallMicroUsd });
    assert.equal((await verifyLedger(store)).ok, true);
  });

  it("does not shrink when other calls of the day are reversed by name", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: day });
    await call(store, accountId, { count: 60, signals: allTelling });
    await call(store, accountId, { count: 40, signals: person, startMs: day + 3_600_000 });
    await checkDays(store, payday);
    const ids = (await store.db.selectFrom("session_records").select("id").where("account_id", "=", accountId).orderBy("id").execute()).map(({ id }) => id);
    const reverse = (from: number, to: number) => reverseCalls(store, { accountId, calls: { from_session: ids[from]!, to_session: ids[to]! }, reason: "a test", actorAccountId: null, fourEyes: false, nowMs: day + 2 * msPerDay });
    await reverse(60, 89);
    assert.deepEqual((await listWaiting(store, accountId)).map(({ items, decision }) => [items, decision]), [[40, null]]);
    await reverse(0, 59);
    assert.deepEqual((await listWaiting(store, accountId)).map(({ items, decision, developer_micro: microUsd }) => [items, decision, microUsd]), [[0, "reversed", 0]], "nothing of it waits for anybody any more");
    await settle(store);
    assert.deepEqual(await statesOf(store, accountId), { waiting: [], payableMicroUsd: 10 * perCallMicroUsd, pendingMicroUsd: 0, granted: 10 * perCallMicroUsd });
  });

  it("shrinks as a finding reverses the same calls by name: honest calls of the day do not wait instead", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: day });
    await call(store, accountId, { count: 60, signals: allTelling });
    await call(store, accountId, { count: 40, signals: person, startMs: day + 3_600_000 });
    await checkDays(store, payday);
    const ids = (await store.db.selectFrom("session_records").select("id").where("account_id", "=", accountId).orderBy("id").execute()).map(({ id }) => id);
    await reverseCalls(store, { accountId, calls: { from_session: ids[0]!, to_session: ids[59]! }, reason: "a test", actorAccountId: null, nowMs: day + 2 * msPerDay });
    await settle(store);
    assert.deepEqual(await statesOf(store, accountId), { waiting: [], payableMicroUsd: 40 * perCallMicroUsd, pendingMicroUsd: 0, granted: 40 * perCallMicroUsd });
  });

  it("never exceeds what reversals have left of the day", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: day });
    await call(store, accountId, { count: 60, signals: allTelling });
    await checkDays(store, payday);
    await reverseCalls(store, { accountId, calls: { day: "2026-01-10" }, reason: "a test", actorAccountId: null, nowMs: day + 2 * msPerDay });
    await settle(store);
    const states = await statesOf(store, accountId);
    assert.deepEqual([states.waiting, states.payableMicroUsd], [[], 0]);
    assert.deepEqual((await listWaiting(store, accountId)).map(({ decision, developer_micro: microUsd }) => [decision, microUsd]), [["reversed", 0]]);
  });
});

describeBothStores("clicks of one network", (open) => {
  it("wait beyond ten of a day, and are settled or reversed with a refund [threat: clicks-of-one-network]", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: day });
    const campaign = await click(store, accountId, [...Array.from({ length: 30 }, () => "one"), ...Array.from({ length: 10 }, (_, index) => `other-${index}`)]);
    const settleDue = async () => settleClicks(store, { nowMs: payday, holdDays: 7, beforeMs: await readClicksCheckedTo(store, payday), isOver });
    assert.deepEqual((await settleDue()).confirmed, 0, "no day is settled that was not checked");
    await watchClicks(store, { nowMs: payday, isOver });
    assert.deepEqual((await settleDue()).confirmed, 20);
    const before = await statesOf(store, accountId);
    assert.deepEqual(before, { waiting: [{ reason: "crowded_network", microUsd: 20 * clickMicroUsd }], payableMicroUsd: 20 * clickMicroUsd, pendingMicroUsd: 0, granted: 20 * clickMicroUsd });
    const { ads } = (await makeStatement(store, { accountId, month: "2026-01", nowMs: payday }))!;
    assert.deepEqual([ads.pending_usd, ads.confirmed_usd, (await readPlatformMoney(store)).pendingMicroUsd], [0, 2.72, 0], "confirmed everywhere");
    const report = async () => (await reportCampaigns(store)).map(({ valid_clicks: valid, waiting_clicks: waiting, undescribed_clicks: undescribed }) => [valid, waiting, undescribed]);
    assert.deepEqual(await report(), [[40, 20, 40]], "the advertiser sees it");
    const notices = await store.db.selectFrom("integrity_notices").select(["code", "statistic"]).where("account_id", "=", accountId).execute();
    assert.deepEqual(notices, [{ code: "clicks_undescribed", statistic: 1 }], "and so does the operator");
    const [row] = await listWaiting(store, accountId);
    const { decideWaiting } = await import("../../ads/clicks/decide-waiting-clicks.ts");
    await decideWaiting(store, { waitingId: row!.id, decision: "reversed", reason: "a test", actorAccountId: null, fourEyes: true, nowMs: payday });
    const { spent_micro: spentMicroUsd } = await store.db.selectFrom("campaigns").select("spent_micro").where("id", "=", campaign.campaignId).executeTakeFirstOrThrow();
    assert.equal(spentMicroUsd, 20 * 100_000, "the advertiser has the rest back");
    assert.deepEqual((await statesOf(store, accountId)).waiting, []);
    assert.equal((await verifyLedger(store)).ok, true);
  });

  it("are clicks without an order too: losing it gains nothing", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: day });
    await click(store, accountId, Array.from({ length: 30 }, (_, index) => `visitor-${index}`));
    await store.db.updateTable("clicks").set({ network_order: null, described: null }).where("account_id", "=", accountId).execute();
    await watchClicks(store, { nowMs: payday, isOver });
    assert.deepEqual((await listWaiting(store, accountId)).map(({ reason, items }) => [reason, items]), [["crowded_network", 20]]);
  });

  it("of a carrier are many people: five in a hundred clicks settle by themselves, whoever they are of", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: day });
    await click(store, accountId, Array.from({ length: 300 }, (_, index) => `carrier-${index % 20}`));
    await watchClicks(store, { nowMs: payday, isOver });
    assert.deepEqual(await listWaiting(store, accountId), []);
  });

  it("count for growth like calls: what a new account is paid unseen is one sum [threat: clicks-beside-growth]", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: day });
    await click(store, accountId, Array.from({ length: 40 }, (_, index) => `visitor-${index}`));
    await call(store, accountId, { count: 10, signals: person, startMs: day + 20 * 3_600_000 });
    await checkDays(store, payday);
    await watchClicks(store, { nowMs: payday, isOver });
    await settle(store);
    await settleClicks(store, { nowMs: payday, holdDays: 7, isOver });
    const [money] = await readMoneyOf(readerOf(store), { accountIds: [accountId], nowMs: payday, minimumMicroUsd: 1, unreviewedMonthlyMicroUsd: 1_000_000 });
    const states = findMoneyStates(money!.sums, { ...money!.facts, hasPayee: true });
    assert.deepEqual([states.payableMicroUsd, states.waiting], [1_000_000, [{ reason: "growth_review", microUsd: 40 * clickMicroUsd + 10 * perCallMicroUsd - 1_000_000 }]]);
  });

  it("settle by themselves up to a sum per day that an operator has set", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: day });
    await allowWaiting(store, { accountId, waitingReason: "crowded_network", dailyMicroUsd: 5 * clickMicroUsd, reason: "a kiosk", actorAccountId: null, fourEyes: false, nowMs: day });
    await click(store, accountId, Array.from({ length: 30 }, () => "one"));
    await watchClicks(store, { nowMs: payday, isOver });
    assert.deepEqual((await listWaiting(store, accountId)).map(({ items, developer_micro: microUsd }) => [items, microUsd]), [[15, 15 * clickMicroUsd]]);
  });
});
