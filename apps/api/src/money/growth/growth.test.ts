import type { IntegrityReply, ReviewsReply } from "@assay/contract/dashboard/integrity.ts";
import assert from "node:assert/strict";
import { it } from "node:test";
import { makeCampaign } from "../../../test/ads/serving/make-campaign.ts";
import { makeOffer } from "../../../test/ads/serving/make-offers.ts";
import { describeBothStores } from "../../../test/both-stores.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../../test/make-charge.ts";
import { makeEarner as makeEarnerAt, perCallMicroUsd } from "../../../test/money/make-earner.ts";
import { makeSignInAccount, signIn } from "../../../test/people/browser.ts";
import { readMails } from "../../../test/people/read-mails.ts";
import { msPerDay } from "../../formats/time.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { openStore } from "../../store/open-store.ts";
import { readerOf, type Store } from "../../store/store.ts";
import { bookCorrection } from "../corrections/book-correction.ts";
import { changeHold } from "../holds/change-hold.ts";
import { findMoneyStates } from "../payouts/money-states.ts";
import { movePayouts } from "../payouts/move-payouts.ts";
import { fundPlatform } from "../payouts/platform-money.ts";
import { listCandidates, proposePayouts } from "../payouts/propose-payouts.ts";
import { createBalances } from "../payouts/read-balance.ts";
import { readMoneyOf } from "../payouts/read-account-money.ts";
import { setReview } from "./set-review.ts";

const january = Date.parse("2026-01-10T12:00:00Z");
/** The days on which the earnings of January, February and March become payable. */
const paydays = [Date.UTC(2026, 1, 15), Date.UTC(2026, 2, 15), Date.UTC(2026, 3, 15)] as const;
/** The limit in this file: ten calls of a month. */
const monthly = 10 * perCallMicroUsd;
const rules = { minimumMicroUsd: 1, unreviewedMonthlyMicroUsd: monthly, unreviewedTotalMonthlyMicroUsd: undefined };
const nobody = { actorAccountId: null, fourEyes: false, note: null, unreviewedMonthlyMicroUsd: monthly };

const makeEarner = (store: Store, calls: number) => makeEarnerAt(store, { atMs: january, calls });
const fund = (store: Store) => fundPlatform(store, { microUsd: 1_000_000_000, actorAccountId: null, nowMs: january });
const propose = (store: Store, nowMs: number, more: { unreviewedMonthlyMicroUsd?: number; unreviewedTotalMonthlyMicroUsd?: number } = {}) =>
  proposePayouts(store, { ...rules, ...more, nowMs, actorAccountId: null });
const move = (store: Store, payoutId: string, to: "approved" | "exported" | "paid" | "cancelled", nowMs: number) => movePayouts(store, { ...nobody, payoutIds: [payoutId], to, nowMs });
const statesOf = async (store: Store, accountId: string, nowMs: number) => {
  const [money] = await readMoneyOf(readerOf(store), { ...rules, accountIds: [accountId], nowMs });
  return findMoneyStates(money!.sums, money!.facts);
};
const review = { reason: "a shop that we know", fourEyes: true };
const mark = (store: Store, accountId: string, enteredMs: number) =>
  store.db.insertInto("payee_marks").values({ account_id: accountId, kind: "bank", mark: "one bank account", entered_at: enteredMs }).execute();

/** A confirmed click. */
async function clickOnce(store: Store, accountId: string, atMs: number, microUsd: number) {
  const campaign = await makeCampaign(store);
  const { id } = await makeOffer(store, { accountId, campaign, atMs });
  const place = { offer_id: id, account_id: accountId, campaign_id: campaign.campaignId, creative_id: campaign.creativeId, placement: "feed" as const, trust_band: "unverified" as const };
  const settled = { at: atMs, status: "confirmed" as const, settled_at: atMs, reversal_seq: null, reason: null, ledger_seq: atMs };
  await store.db.insertInto("clicks").values({ ...place, ...settled, price_micro: microUsd, developer_micro: microUsd, share_bps: 10_000 }).execute();
}

describeBothStores("growth", (open, dialect) => {
  it("lets 350 of 20,400 be paid in the first month and 1,050 in two, and what an operator adjusts beside it [threat: sudden-growth]", async () => {
    const { store } = await open();
    await fund(store);
    const [{ accountId }, operator] = [await makeEarner(store, 600), await makeAccount(store)];
    const paid: number[] = [];
    for (const nowMs of paydays.slice(0, 2)) {
      const { proposed, waiting } = await propose(store, nowMs);
      assert.deepEqual(waiting.map(({ reason }) => reason), ["growth_review"]);
      paid.push(proposed[0]!.amount_micro);
      for (const to of ["approved", "exported", "paid"] as const) assert.equal((await move(store, proposed[0]!.id, to, nowMs))[0]?.kind, "moved");
      assert.deepEqual((await propose(store, nowMs)).proposed, [], "once a month");
    }
    assert.deepEqual(paid, [monthly, 2 * monthly]);
    const { waiting, payableMicroUsd } = await statesOf(store, accountId, paydays[1]);
    assert.deepEqual([waiting, payableMicroUsd], [[{ reason: "growth_review", microUsd: 570 * perCallMicroUsd }], 0]);
    await bookCorrection(store, { accountId, kind: "adjustment", on: "earnings", microUsd: 5_000, reason: "a test", actorAccountId: operator.accountId, mayCorrectOwn: true, nowMs: paydays[1] + 1 });
    assert.equal((await statesOf(store, accountId, paydays[2])).payableMicroUsd, 2 * monthly + 5_000, "only calls are limited");
    await changeHold(store, { accountId, to: "open", reason: "a test", actorAccountId: null, nowMs: paydays[2] });
    assert.deepEqual((await statesOf(store, accountId, paydays[2])).waiting.map(({ reason }) => reason), ["held"], "a hold is the reason of everything");
  });

  it("lets no more than 1,050 be paid within 90 days of the first earnings, of calls and clicks: the ledger says when those were [threat: last-day-start]", async () => {
    const { store } = await open();
    const start = Date.parse("2026-01-31T12:00:00Z");
    const grantedOf = async (accountId: string) => {
      const [money] = await readMoneyOf(readerOf(store), { ...rules, accountIds: [accountId], nowMs: Date.UTC(2026, 4, 15) });
      return money!.growth.months.map((month) => month.grantedMicroUsd / perCallMicroUsd);
    };
    const late = await makeEarnerAt(store, { atMs: start, calls: 30 });
    const first = await makeEarnerAt(store, { atMs: Date.parse("2026-01-01T12:00:00Z"), calls: 30 });
    const clicker = await makeAccount(store, { nowMs: start });
    await clickOnce(store, clicker.accountId, start, 30 * perCallMicroUsd);
    for (const account of [late, first]) for (const month of [1, 2]) await account.charge(Date.UTC(2026, month, 10), 60);
    for (const month of [1, 2]) await clickOnce(store, clicker.accountId, Date.UTC(2026, month, 10), 60 * perCallMicroUsd);
    assert.deepEqual(await grantedOf(first.accountId), [10, 20, 40, 30], "who starts on the 1st is not concerned");
    assert.deepEqual(await grantedOf(late.accountId), [10, 20, 0, 70], "the fourth month is due after 104 days");
    assert.deepEqual(await grantedOf(clicker.accountId), [10, 20, 0, 70]);
  });

  it("is checked at every step: what was proposed under another limit is not approved or exported", async () => {
    const { store } = await open();
    await fund(store);
    await makeEarner(store, 11);
    const [nowMs] = paydays;
    const { proposed } = await propose(store, nowMs, { unreviewedMonthlyMicroUsd: 11 * perCallMicroUsd });
    const payoutId = proposed[0]!.id;
    for (const [status, to] of [["proposed", "approved"], ["approved", "exported"]] as const) {
      await store.db.updateTable("payouts").set({ status }).where("id", "=", payoutId).execute();
      assert.deepEqual(await move(store, payoutId, to, nowMs), [{ kind: "waits", reason: "growth_review" }]);
    }
  });

  it("is reviewed by an operator: what waits becomes payable at once up to the sum, which is audited and mailed; nobody reviews its own account", async () => {
    const { store } = await open();
    await fund(store);
    const operator = await makeAccount(store);
    const { accountId, email } = await makeEarner(store, 600);
    const [nowMs] = paydays;
    const set = (more: Partial<Parameters<typeof setReview>[1]>) => setReview(store, { ...review, accountId, monthlyMicroUsd: 3 * monthly, actorAccountId: operator.accountId, nowMs, ...more });
    assert.equal((await set({ accountId: "acct_none" })).kind, "unknown_account");
    assert.equal((await set({ actorAccountId: accountId })).kind, "own_account");
    await mark(store, accountId, 1);
    const sharer = await makeAccount(store);
    await mark(store, sharer.accountId, 2);
    assert.equal((await set({ actorAccountId: sharer.accountId })).kind, "own_account", "nor one with its own bank account");
    assert.equal((await statesOf(store, accountId, nowMs)).payableMicroUsd, monthly);
    assert.equal((await set({})).kind, "reviewed");
    const { waiting, payableMicroUsd } = await statesOf(store, accountId, nowMs);
    assert.deepEqual([payableMicroUsd, waiting], [3 * monthly, [{ reason: "growth_review", microUsd: 570 * perCallMicroUsd }]]);
    assert.equal((await statesOf(store, accountId, paydays[1])).payableMicroUsd, 6 * monthly);
    const mails = (await readMails(store, email)).filter(({ kind }) => kind === "growth_reviewed");
    assert.deepEqual([mails.length, /Reason: a shop that we know/.test(mails[0]!.text), /1\.02 USD/.test(mails[0]!.text)], [1, true, true]);
    const noted = await store.db.selectFrom("audit_log").select(["actor_account_id", "subject", "detail"]).where("action", "=", "review.set").execute();
    assert.deepEqual(noted.map((row) => [row.actor_account_id, row.subject, JSON.parse(row.detail)]), [[operator.accountId, accountId, { monthly_micro: 3 * monthly, reason: review.reason }]]);
    assert.equal((await set({ actorAccountId: accountId, fourEyes: false })).kind, "reviewed", "without four eyes one person may do everything");
  });

  it("is shared by accounts with one bank account: the later one has what the earlier one leaves, never the other way round [threat: account-farm]", async () => {
    const { store } = await open();
    const [first, second, third] = [await makeEarner(store, 4), await makeEarner(store, 5), await makeEarner(store, 600)];
    const payable = async ({ accountId }: { accountId: string }) => (await statesOf(store, accountId, paydays[0])).payableMicroUsd / perCallMicroUsd;
    const alone = [await payable(first), await payable(second), await payable(third)];
    assert.deepEqual(alone, [4, 5, 10]);
    for (const [index, { accountId }] of [first, second, third].entries()) await mark(store, accountId, index);
    assert.deepEqual([await payable(first), await payable(second), await payable(third)], [4, 5, 1]);
    await first.charge(january + msPerDay, 3);
    assert.deepEqual([await payable(first), await payable(second), await payable(third)], [7, 3, 0]);
    const operator = await makeAccount(store);
    await setReview(store, { ...review, accountId: third.accountId, monthlyMicroUsd: 20 * perCallMicroUsd, actorAccountId: operator.accountId, nowMs: paydays[0] });
    assert.deepEqual([await payable(first), await payable(second), await payable(third)], [7, 3, 20]);
  });

  it("counts confirmed calls only: what is reversed of a month, or pending, is not part of it", async () => {
    const { store } = await open();
    const { accountId } = await makeEarner(store, 30);
    const growthOf = async (nowMs: number) => (await readMoneyOf(readerOf(store), { ...rules, accountIds: [accountId], nowMs }))[0]!.growth;
    assert.deepEqual([(await growthOf(paydays[0])).waitingMicroUsd, (await growthOf(paydays[1])).waitingMicroUsd], [20 * perCallMicroUsd, 0]);
    const ofDay = store.db.updateTable("call_days").where("account_id", "=", accountId);
    await ofDay.set({ reversed_calls: 15, reversed_gross_micro: 750_000, reversed_developer_micro: 15 * perCallMicroUsd }).execute();
    assert.deepEqual((await growthOf(paydays[0])).months, [{ month: "2026-01", confirmedMicroUsd: 15 * perCallMicroUsd, allowedMicroUsd: monthly, grantedMicroUsd: monthly }]);
    await store.db.updateTable("call_settlements").set({ confirmed_to: 0 }).where("account_id", "=", accountId).execute();
    assert.equal((await growthOf(paydays[0])).waitingMicroUsd, 0);
  });

  it("is bounded for all unreviewed accounts together: the oldest first, a part if no more is left, also when two nodes propose at once", async () => {
    const database = await open();
    const { store } = database;
    const other = dialect === "postgres" ? (await openStore(database, { nowMs: Date.now(), onConnectionError: () => {} })).store : store;
    await fund(store);
    const [nowMs] = paydays;
    const total = { unreviewedTotalMonthlyMicroUsd: 15 * perCallMicroUsd };
    const [first, second, third, known] = [await makeEarner(store, 12), await makeEarner(store, 12), await makeEarner(store, 12), await makeEarner(store, 40)];
    const operator = await makeAccount(store);
    await setReview(store, { ...review, accountId: known.accountId, monthlyMicroUsd: 1_000_000_000, actorAccountId: operator.accountId, nowMs });
    const { candidates } = await listCandidates(store, { ...rules, ...total, nowMs });
    assert.deepEqual(candidates.map(({ states }) => states.payableMicroUsd / perCallMicroUsd), [10, 5, 0, 40]);
    const balances = createBalances(store, { ...rules, ...total, nowMs: () => nowMs, monotonicMs: () => 0 });
    const { confirmed } = await balances.read(second.accountId);
    assert.deepEqual([confirmed.payable_usd, confirmed.waiting.map(({ reason, usd }) => [reason, usd])], [0.17, [["growth_review", 0.238]]]);

    const runs = await Promise.all([propose(store, nowMs, total), propose(other, nowMs, total)]);
    const proposed = runs.flatMap((run) => run.proposed);
    const of = ({ accountId }: { accountId: string }) => proposed.filter((each) => each.account_id === accountId).map((each) => each.amount_micro / perCallMicroUsd);
    assert.deepEqual([of(first), of(second), of(third), of(known)], [[10], [5], [], [40]]);
    const rows = await store.db.selectFrom("payouts").select(["account_id", "unreviewed_micro"]).execute();
    assert.equal(rows.reduce((sum, row) => sum + row.unreviewed_micro, 0), total.unreviewedTotalMonthlyMicroUsd);
    await move(store, proposed.find((each) => each.account_id === first.accountId)!.id, "cancelled", nowMs);
    await propose(store, nowMs, total);
    const counted = await store.db.selectFrom("payouts").select(["unreviewed_micro"]).where("status", "=", "proposed").execute();
    assert.equal(counted.reduce((sum, row) => sum + row.unreviewed_micro, 0), total.unreviewedTotalMonthlyMicroUsd, "what was cancelled is free again");
    if (other !== store) await other.close();
  });
});

describeBothStores("the review queue", (open) => {
  it("lists the oldest and largest first with a sum that one request sets, and refuses an operator's own account", async () => {
    const database = await open();
    const { store } = database;
    const nowMs = Date.now();
    const atMs = (monthsAgo: number) => Date.UTC(new Date(nowMs).getUTCFullYear(), new Date(nowMs).getUTCMonth() - monthsAgo, 10);
    const service = await database.serve({ env: { UNREVIEWED_MONTHLY_USD: "0.34", PAYOUT_FOUR_EYES: "on", OPERATOR_SECOND_FACTOR: "off" } });
    const [small, large, old] = [
      await makeEarnerAt(store, { atMs: atMs(2), calls: 100, payee: false }),
      await makeEarnerAt(store, { atMs: atMs(2), calls: 110, payee: false }),
      await makeEarnerAt(store, { atMs: atMs(3), calls: 120, payee: false }),
    ];
    await makeEarnerAt(store, { atMs: atMs(2), calls: 10, payee: false });
    const attestation = { sessionId: timeOrderedId("vis", nowMs), signals: 31, issues: null };
    const charger = makeCharger(store, { nowMs });
    await Promise.all([{ attestation }, {}, {}].map((each) => charger.charge(makeCharge({ accountId: large.accountId, atMs: nowMs, ...each }))));
    const operator = await makeSignInAccount(store, { operator: true });
    const console = await signIn(service, operator);
    const list = async () => (await console.get("/dashboard/api/operator/reviews")).json() as ReviewsReply;
    const { waiting, unreviewed_monthly_usd: limit } = await list();
    assert.deepEqual([limit, waiting.map((each) => each.email)], [0.34, [old.email, large.email, small.email]]);
    assert.deepEqual(waiting.map((each) => each.attested_share), [null, 0.333_333, null], "of the last 30 days");
    const integrity = (await console.get(`/dashboard/api/operator/accounts/${large.accountId}/integrity`)).json() as IntegrityReply;
    assert.equal(integrity.attested_share, 0.333_333);
    const [oldest] = waiting;
    assert.ok(oldest!.since_month < waiting[1]!.since_month);
    const { confirmed_usd: earned } = oldest!.months[0]!;
    assert.equal(earned, 4.08);
    const granted = oldest!.months.map((month) => month.granted_usd);
    assert.ok(Math.abs(oldest!.waiting_usd - (earned - granted.reduce((sum, each) => sum + each, 0))) < 1e-9);
    assert.equal(oldest!.suggested_monthly_usd, Math.round((granted.at(-1)! + oldest!.waiting_usd) * 1e6) / 1e6);

    const path = (accountId: string) => `/dashboard/api/operator/accounts/${accountId}/review`;
    const body = { monthly_usd: oldest!.suggested_monthly_usd, reason: "a shop that we know" };
    assert.equal((await console.post(path("acct_none"), body)).status, 404);
    const own = await console.post(path(operator.accountId), body);
    assert.equal(own.status, 403);
    assert.equal((await console.post(path(old.accountId), { ...body, monthly_usd: 0.000_000_1 })).status, 400);
    const after = await console.post(path(old.accountId), body);
    assert.equal(after.status, 200);
    const { waiting: left, reviewed } = after.json() as ReviewsReply;
    assert.deepEqual(left.map((each) => each.email), [large.email, small.email], "nothing of it waits any more");
    assert.deepEqual(
      reviewed.map((each) => [each.email, each.monthly_usd, each.reason, each.reviewed_by, each.from_before]),
      [[old.email, body.monthly_usd, body.reason, operator.email, false]],
    );
  });
});
