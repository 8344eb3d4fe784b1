import assert from "node:assert/strict";
import { it } from "node:test";
import { makeCampaign } from "../../../test/ads/serving/make-campaign.ts";
import { describeBothStores } from "../../../test/both-stores.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../../test/make-charge.ts";
import { growthLimits } from "../../../test/money/growth-limits.ts";
import { makeEarner as makeEarnerAt, perCallMicroUsd } from "../../../test/money/make-earner.ts";
import { readLedger } from "../../../test/read-ledger.ts";
import { runSql } from "../../../test/store/run-sql.ts";
import { suspendAccount } from "../../people/change-account.ts";
import type { Store } from "../../store/store.ts";
import { bookCorrection } from "../corrections/book-correction.ts";
import type { NewEntry } from "../ledger/append-entries.ts";
import { verifyLedger } from "../ledger/verify-ledger.ts";
import { exportAgain, exportPayouts } from "./export-payouts.ts";
import { movePayoutTo } from "./move-payouts.ts";
import type { PayoutMove } from "./move-payouts.work.ts";
import { insertPayouts, selectPayouts } from "./payouts.table.ts";
import { fundPlatform as fundWith, readPlatformMoney } from "./platform-money.ts";
import { dueReasonOf, listCandidates, proposePayouts } from "./propose-payouts.ts";

const append = new URL("../../../test/money/append.work.ts", import.meta.url);
const january = Date.parse("2026-01-10T12:00:00Z");
const february = Date.parse("2026-02-03T12:00:00Z");
const payday = Date.parse("2026-02-15T00:00:00Z");
/** 20 calls at 0.034 USD: the test's minimum is below their sum. */
const callsInJanuary = 20;
const settings = { ...growthLimits, nowMs: payday, minimumMicroUsd: 500_000, actorAccountId: null };

const makeEarner = (store: Store, { payee = true, calls = callsInJanuary } = {}) => makeEarnerAt(store, { atMs: january, calls, payee });

const openFinding = (store: Store, accountId: string) =>
  store.db
    .insertInto("findings")
    .values({ id: `find_${accountId}`, account_id: accountId, code: "test", detail: "", opened_at: january, closed_at: null, resolution: null })
    .execute();

const operator = { ...growthLimits, actorAccountId: null, fourEyes: true };
const fundPlatform = (store: Store, funding: { microUsd: number; nowMs: number }) => fundWith(store, { ...funding, actorAccountId: null });
const moveTo = (store: Store, payoutId: string, to: PayoutMove["to"]) =>
  movePayoutTo(store, { payoutId, to, note: "ref 7", nowMs: payday, ...operator });
const exportNow = (store: Store) => exportPayouts(store, { nowMs: payday, ...operator });

describeBothStores("payouts", (open) => {
  it("go through all statuses, and each movement of money is an entry in the account's chain", async () => {
    const { store } = await open();
    const { accountId, charge } = await makeEarner(store);
    await charge(february, 5);
    await fundPlatform(store, { microUsd: 10_000_000, nowMs: january });
    const { proposed, month } = await proposePayouts(store, settings);
    assert.deepEqual([month.name, proposed.map((each) => each.amount_micro)], ["2026-01", [callsInJanuary * perCallMicroUsd]]);
    const payoutId = proposed[0]!.id;
    const move = (to: PayoutMove["to"]) => moveTo(store, payoutId, to);

    for (const early of ["exported", "paid"] as const) assert.equal((await move(early)).kind, "wrong_state", "not before it was approved");
    assert.equal((await move("approved")).kind, "moved");
    const { csv, payoutIds } = await exportNow(store);
    assert.deepEqual(payoutIds, [payoutId]);
    assert.match(csv, /0\.680000,Ada Lovelace,"12 St James's Square, London",GB,/);
    assert.deepEqual((await exportNow(store)).payoutIds, [], "a payout is in one file only");
    assert.equal((await exportAgain(store, undefined)).csv, csv, "the file can be written again");

    assert.equal((await move("paid")).kind, "moved");
    assert.deepEqual((await move("paid")).kind, "wrong_state", "paid once");
    const last = (await readLedger(store, accountId)).at(-1)!;
    assert.deepEqual([last.kind, last.ref, last.developer_micro], ["payout", payoutId, -callsInJanuary * perCallMicroUsd]);

    assert.equal((await move("returned")).kind, "moved");
    const returned = (await readLedger(store, accountId)).at(-1)!;
    assert.deepEqual([returned.kind, returned.developer_micro], ["payout_returned", callsInJanuary * perCallMicroUsd]);
    assert.deepEqual((await proposePayouts(store, settings)).proposed[0]?.amount_micro, callsInJanuary * perCallMicroUsd, "a returned amount is payable again");
    const report = await verifyLedger(store);
    assert.deepEqual([report.ok, report.breaks], [true, []]);
    const noted = await store.db.selectFrom("audit_log").select("action").where("subject", "=", payoutId).orderBy("at").orderBy("id").execute();
    assert.deepEqual(noted.map(({ action }) => action).toSorted(), ["payout.approved", "payout.exported", "payout.paid", "payout.propose", "payout.returned"]);
  });

  it("that are returned before they were paid move no money", async () => {
    const { store } = await open();
    const { accountId } = await makeEarner(store);
    await fundPlatform(store, { microUsd: 10_000_000, nowMs: january });
    for (const reach of [[], ["approved"], ["approved", "exported"]] as const) {
      const payoutId = (await proposePayouts(store, settings)).proposed[0]!.id;
      for (const to of reach) await moveTo(store, payoutId, to);
      const outcome = await moveTo(store, payoutId, "returned");
      assert.deepEqual([outcome.kind, "receipt" in outcome && outcome.receipt], ["moved", undefined]);
    }
    assert.deepEqual((await readLedger(store, accountId)).filter(({ kind }) => kind !== "call"), []);
  });

  it("are in one file only when operators export concurrently", async () => {
    const { store } = await open();
    for (let each = 0; each < 3; each += 1) await makeEarner(store);
    await fundPlatform(store, { microUsd: 10_000_000, nowMs: january });
    for (const { id } of (await proposePayouts(store, settings)).proposed) await moveTo(store, id, "approved");
    const files = await Promise.all([1, 2, 3, 4].map(() => exportNow(store)));
    assert.equal(files.flatMap(({ payoutIds }) => payoutIds).length, 3);
  });

  it("leave out what was reversed since the month's end", async () => {
    const { store } = await open();
    const { accountId } = await makeEarner(store);
    await fundPlatform(store, { microUsd: 10_000_000, nowMs: january });
    const click: NewEntry = { accountId, atMs: january, kind: "click", ref: "ad_1", endpoint: "click", payer: "advertiser", shareBps: 6_800, grossMicroUsd: 100_000, developerMicroUsd: 68_000 };
    const reversal: NewEntry = { ...click, atMs: february, kind: "reversal", grossMicroUsd: -100_000, developerMicroUsd: -68_000 };
    // Earned in February: the balance alone would cover the reversed click.
    const later: NewEntry = { ...click, ref: "ad_2", atMs: february };
    for (const entry of [click, reversal, later]) await store.transact<NewEntry[], number[]>(append, [entry]);
    assert.deepEqual((await proposePayouts(store, settings)).proposed.map((each) => each.amount_micro), [callsInJanuary * perCallMicroUsd]);
  });

  it("are covered by funding that no payout has used, and by no pending click and no demo account", async () => {
    const { store } = await open();
    const { accountId } = await makeEarner(store);
    const available = async () => (await readPlatformMoney(store)).availableMicroUsd;
    const amount = callsInJanuary * perCallMicroUsd;
    await fundPlatform(store, { microUsd: 3 * amount, nowMs: january });
    const payoutId = (await proposePayouts(store, settings)).proposed[0]!.id;
    for (const to of ["approved", "exported", "paid"] as const) {
      await moveTo(store, payoutId, to);
      assert.equal(await available(), 2 * amount, to);
    }
    const demo = await makeAccount(store, { nowMs: january });
    await store.db.updateTable("accounts").set({ demo: 1 }).where("id", "=", demo.accountId).execute();
    const deposit = { kind: "deposit", on: "prepaid", microUsd: 5_000_000, reason: undefined, actorAccountId: "acct_operator", mayCorrectOwn: false, nowMs: january } as const;
    await bookCorrection(store, { ...deposit, accountId: demo.accountId });
    assert.equal(await available(), 2 * amount, "a demo account's deposit is no money");
    const amounts = { price_micro: 100_000, developer_micro: 68_000, share_bps: 6_800 };
    const entry: NewEntry = { accountId, atMs: january, kind: "click", ref: "ad_1", endpoint: "click", payer: "advertiser", shareBps: 6_800, grossMicroUsd: 100_000, developerMicroUsd: 68_000 };
    const [seq] = await store.transact<NewEntry[], number[]>(append, [entry]);
    const { campaignId, creativeId } = await makeCampaign(store);
    const place = { campaign_id: campaignId, creative_id: creativeId, placement: "feed", trust_band: "high" } as const;
    const state = { ledger_seq: seq!, status: "pending", settled_at: null, reversal_seq: null, reason: null } as const;
    await store.db.insertInto("clicks").values({ offer_id: "ad_1", account_id: accountId, at: january, ...place, ...amounts, ...state }).execute();
    assert.equal(await available(), 2 * amount, "a pending click may be reversed");
    await store.db.updateTable("clicks").set({ status: "confirmed", settled_at: february }).where("offer_id", "=", "ad_1").execute();
    assert.equal(await available(), 2 * amount, "what an advertiser owes is no money in hand");
    await bookCorrection(store, { ...deposit, accountId });
    await makeCharger(store, { nowMs: january }, { payer: "developer" }).charge(makeCharge({ accountId, atMs: january }));
    assert.equal(await available(), 2 * amount + 5_000_000, "a deposit is, whether or not it was spent");
    await bookCorrection(store, { ...deposit, accountId, kind: "adjustment", microUsd: -2_000_000, reason: "A refund." });
    await bookCorrection(store, { ...deposit, accountId, kind: "adjustment", microUsd: 500_000, reason: "A present." });
    assert.equal(await available(), 2 * amount + 3_000_000, "a refund leaves, and what is given away does not come in");
  });

  it("are proposed once when operators propose concurrently", async () => {
    const { store } = await open();
    for (let each = 0; each < 3; each += 1) await makeEarner(store);
    await fundPlatform(store, { microUsd: 10_000_000, nowMs: january });
    const rounds = await Promise.all([1, 2, 3, 4].map(() => proposePayouts(store, settings)));
    assert.equal(rounds.flatMap((round) => round.proposed).length, 3);
    const rows = await selectPayouts(store.db, { status: undefined, accountId: undefined, limit: 100 }).execute();
    assert.equal(rows.length, 3);
  });

  it("are paid once when operators mark them paid concurrently", async () => {
    const { store } = await open();
    const { accountId } = await makeEarner(store);
    await fundPlatform(store, { microUsd: 10_000_000, nowMs: january });
    const payoutId = (await proposePayouts(store, settings)).proposed[0]!.id;
    await moveTo(store, payoutId, "approved");
    await exportNow(store);
    const moves = await Promise.all(Array.from({ length: 8 }, () => moveTo(store, payoutId, "paid")));
    assert.equal(moves.filter((outcome) => outcome.kind === "moved").length, 1);
    assert.equal((await readLedger(store, accountId)).filter((entry) => entry.kind === "payout").length, 1);
  });

  it("never exceed the balance, even if there are two for one account, which neither leave", async () => {
    const database = await open();
    const { store } = database;
    const { accountId } = await makeEarner(store);
    // As if the index that allows one open payout were lost: the transaction alone must hold.
    await runSql(database, ["DROP INDEX payouts_open"]);
    const amount = callsInJanuary * perCallMicroUsd;
    await fundPlatform(store, { microUsd: 10 * amount, nowMs: january });
    const nothingYet = { approved_at: january, exported_at: null, paid_at: null, returned_at: null, note: null, payout_seq: null, returned_seq: null };
    const insert = (id: string, amountMicroUsd: number) =>
      insertPayouts(store.db, [{ id, account_id: accountId, month: "2026-01", amount_micro: amountMicroUsd, status: "approved", proposed_at: january, ...nothingYet }]).execute();
    await insert("po_more", amount + 1);
    assert.deepEqual(await moveTo(store, "po_more", "exported"), { kind: "balance_too_low", payableMicroUsd: amount });
    assert.equal((await moveTo(store, "po_more", "cancelled")).kind, "moved");
    await insert("po_first", amount);
    await insert("po_second", amount);
    const outcomes = await Promise.all(["po_first", "po_second"].map((id) => moveTo(store, id, "exported")));
    assert.deepEqual(outcomes.map(({ kind }) => kind), ["balance_too_low", "balance_too_low"]);
    assert.equal((await moveTo(store, "po_second", "cancelled")).kind, "moved");
    for (const to of ["exported", "paid"] as const) assert.equal((await moveTo(store, "po_first", to)).kind, "moved", to);
    assert.equal((await readLedger(store, accountId)).filter((entry) => entry.kind === "payout").length, 1);
    const head = await store.db.selectFrom("ledger_heads").select("balance_micro").where("account_id", "=", accountId).executeTakeFirstOrThrow();
    assert.equal(head.balance_micro, 0);
  });

  it("never exceed the funding, and give the reason why each other account is held back", async () => {
    const { store } = await open();
    const first = await makeEarner(store);
    const second = await makeEarner(store);
    const poor = await makeEarner(store, { calls: 2 });
    const anonymous = await makeEarner(store, { payee: false });
    const suspect = await makeEarner(store);
    await openFinding(store, suspect.accountId);
    await fundPlatform(store, { microUsd: callsInJanuary * perCallMicroUsd, nowMs: january });
    const { candidates } = await listCandidates(store, settings);
    const heldOf = (accountId: string) => dueReasonOf(candidates.find((each) => each.accountId === accountId)!.states);
    assert.deepEqual(
      [first, second, poor, anonymous, suspect].map(({ accountId }) => heldOf(accountId)),
      [undefined, "not_funded", "below_minimum", "payee_missing", "finding_open"],
    );
    assert.equal((await proposePayouts(store, settings)).proposed.length, 1);
    assert.equal((await readPlatformMoney(store)).availableMicroUsd, 0);
    assert.equal((await proposePayouts(store, settings)).proposed.length, 0, "the funding is committed");
  });

  it("reach a closed account below the minimum too, but not a suspended one", async () => {
    const { store } = await open();
    const [closing, suspended] = [await makeEarner(store, { calls: 2 }), await makeEarner(store)];
    await store.db.updateTable("accounts").set({ status: "closed" }).where("id", "=", closing.accountId).execute();
    await suspendAccount(store, { accountId: suspended.accountId, reason: "a test", actorAccountId: null, nowMs: february, channel: undefined });
    await fundPlatform(store, { microUsd: 10_000_000, nowMs: january });
    const { proposed, waiting } = await proposePayouts(store, settings);
    assert.deepEqual(proposed.map((each) => each.account_id), [closing.accountId]);
    assert.deepEqual(waiting.map((each) => [each.accountId, each.reason]), [[suspended.accountId, "held"]]);
  });

  it("wait for the 15th after the month's end", async () => {
    const { store } = await open();
    await makeEarner(store);
    await fundPlatform(store, { microUsd: 10_000_000, nowMs: january });
    assert.deepEqual((await proposePayouts(store, { ...settings, nowMs: payday - 1 })).proposed, []);
    assert.equal((await proposePayouts(store, settings)).proposed.length, 1);
  });

  it("book no more funding than sums can represent exactly, also concurrently", async () => {
    const { store } = await open();
    const billion = 1_000_000_000_000_000;
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => fundPlatform(store, { microUsd: billion, nowMs: january })));
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 4);
    await assert.rejects(fundPlatform(store, { microUsd: 1, nowMs: january }), { code: "invalid_request", message: /at most 4000000000 USD, and 4000000000 USD are already booked/ });
    assert.equal((await readPlatformMoney(store)).availableMicroUsd, 4 * billion);
    assert.equal((await verifyLedger(store)).ok, true);
  });

  it("book funding in the platform's own chain, and refuse invalid amounts", async () => {
    const { store } = await open();
    await fundPlatform(store, { microUsd: 1_500_000, nowMs: january });
    const { receipt } = await fundPlatform(store, { microUsd: 1, nowMs: january });
    assert.match(receipt, /^2\.[0-9a-f]{64}$/);
    for (const microUsd of [0, -1, 1.5, Number.NaN]) await assert.rejects(fundPlatform(store, { microUsd, nowMs: january }), /more than 0/);
    assert.equal((await readPlatformMoney(store)).fundingMicroUsd, 1_500_001);
    assert.equal((await verifyLedger(store)).ok, true);
  });
});
