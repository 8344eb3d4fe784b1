import assert from "node:assert/strict";
import { sql } from "kysely";
import { it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../../test/make-charge.ts";
import { readLedger } from "../../../test/read-ledger.ts";
import type { Store } from "../../store/store.ts";
import { verifyLedger } from "../ledger/verify-ledger.ts";
import { exportPayouts, movePayoutTo } from "./move-payout.ts";
import type { PayoutMove } from "./move-payout.work.ts";
import { insertPayout, selectPayouts } from "./payouts.table.ts";
import { fundPlatform as fundWith, readPlatformMoney } from "./platform-money.ts";
import { listCandidates, proposePayouts } from "./propose-payouts.ts";

const january = Date.parse("2026-01-10T12:00:00Z");
const february = Date.parse("2026-02-03T12:00:00Z");
const payday = Date.parse("2026-02-15T00:00:00Z");
const perCallMicroUsd = 34_000;
/** 20 calls at 0.034 USD: the test's minimum is below their sum. */
const callsInJanuary = 20;
const settings = { nowMs: payday, minimumMicroUsd: 500_000, actorAccountId: null };

async function makeEarner(store: Store, { payee = true, calls = callsInJanuary } = {}) {
  const account = await makeAccount(store, { nowMs: january });
  const { accountId } = account;
  const charge = async (atMs: number, count: number) => {
    const charger = makeCharger(store, { nowMs: atMs });
    await Promise.all(Array.from({ length: count }, () => charger.charge(makeCharge({ accountId, atMs }))));
  };
  await charge(january, calls);
  if (payee) {
    const row = { account_id: accountId, legal_name: "Ada Lovelace", address: "12 St James's Square, London", country: "GB", tax_id: null };
    await store.db.insertInto("payee_profiles").values({ ...row, method: "bank_transfer", account: "GB00TEST", bank_code: null, updated_at: january }).execute();
  }
  return { ...account, charge };
}

const openFinding = (store: Store, accountId: string) =>
  store.db
    .insertInto("findings")
    .values({ id: `find_${accountId}`, account_id: accountId, code: "test", detail: "", opened_at: january, closed_at: null, resolution: null })
    .execute();

const operator = { actorAccountId: null };
const fundPlatform = (store: Store, funding: { microUsd: number; nowMs: number }) => fundWith(store, { ...funding, ...operator });
const moveTo = (store: Store, payoutId: string, to: PayoutMove["to"]) =>
  movePayoutTo(store, { payoutId, to, note: "ref 7", nowMs: payday, ...operator });
const exportNow = (store: Store, again = false) => exportPayouts(store, { nowMs: payday, again, ...operator });

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

    assert.equal((await move("paid")).kind, "wrong_state", "not before it was approved and exported");
    assert.equal((await move("approved")).kind, "moved");
    const { csv, payoutIds } = await exportNow(store);
    assert.deepEqual(payoutIds, [payoutId]);
    assert.match(csv, /0\.680000,Ada Lovelace,"12 St James's Square, London",GB,/);
    assert.deepEqual((await exportNow(store)).payoutIds, [], "a payout is in one file only");
    assert.equal((await exportNow(store, true)).csv, csv, "the file can be written again");

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

  it("never exceed the balance, even if two of them for one account are marked paid concurrently", async () => {
    const { store } = await open();
    const { accountId } = await makeEarner(store);
    // As if the index that allows one open payout were lost: the transaction alone must hold.
    await sql`DROP INDEX payouts_open`.execute(store.db);
    const amount = callsInJanuary * perCallMicroUsd;
    const nothingYet = { approved_at: null, exported_at: january, paid_at: null, returned_at: null, note: null, payout_seq: null, returned_seq: null };
    const insert = (id: string, amountMicroUsd: number) =>
      insertPayout(store.db, { id, account_id: accountId, month: "2026-01", amount_micro: amountMicroUsd, status: "exported", proposed_at: january, ...nothingYet }).execute();
    await insert("po_more", amount + 1);
    await insert("po_first", amount);
    await insert("po_second", amount);
    assert.deepEqual(await moveTo(store, "po_more", "paid"), { kind: "balance_too_low", balanceMicroUsd: amount });
    const outcomes = await Promise.all(["po_first", "po_second", "po_more"].map((id) => moveTo(store, id, "paid")));
    assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ["balance_too_low", "balance_too_low", "moved"]);
    assert.equal((await readLedger(store, accountId)).filter((entry) => entry.kind === "payout").length, 1);
    const head = await store.db.selectFrom("ledger_heads").select("balance_micro").where("account_id", "=", accountId).executeTakeFirstOrThrow();
    assert.equal(head.balance_micro, 0);
    const statuses = await store.db.selectFrom("payouts").select(["id", "status"]).where("status", "=", "exported").execute();
    assert.equal(statuses.length, 2, "a refused payout stays as it is");
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
    const heldOf = (accountId: string) => candidates.find((each) => each.accountId === accountId)?.held;
    assert.deepEqual(
      [first, second, poor, anonymous, suspect].map(({ accountId }) => heldOf(accountId)),
      [undefined, "not_funded", "below_minimum", "payee_profile_missing", "finding_open"],
    );
    assert.equal((await proposePayouts(store, settings)).proposed.length, 1);
    assert.equal((await readPlatformMoney(store)).availableMicroUsd, 0);
    assert.equal((await proposePayouts(store, settings)).proposed.length, 0, "the funding is committed");
  });

  it("reach a closed account, but not a suspended one", async () => {
    const { store } = await open();
    const [closing, suspended] = [await makeEarner(store), await makeEarner(store)];
    await store.db.updateTable("accounts").set({ status: "closed" }).where("id", "=", closing.accountId).execute();
    await store.db.updateTable("accounts").set({ status: "suspended" }).where("id", "=", suspended.accountId).execute();
    await fundPlatform(store, { microUsd: 10_000_000, nowMs: january });
    const { proposed, held } = await proposePayouts(store, settings);
    assert.deepEqual(proposed.map((each) => each.account_id), [closing.accountId]);
    assert.deepEqual(held.map((each) => [each.accountId, each.held]), [[suspended.accountId, "account_suspended"]]);
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
