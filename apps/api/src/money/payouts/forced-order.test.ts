import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { makeEarner as makeEarnerAt, perCallMicroUsd } from "../../../test/money/make-earner.ts";
import { readLedger } from "../../../test/read-ledger.ts";
import { inForcedOrder } from "../../../test/store/hold-rows.ts";
import { startOfHour } from "../../formats/time.ts";
import { suspendAccount } from "../../people/change-account.ts";
import type { PayeeChange, PayeeChangeOutcome } from "../../people/change-payee.work.ts";
import type { Store } from "../../store/store.ts";
import { setReview } from "../growth/set-review.ts";
import { changeHold } from "../holds/change-hold.ts";
import { selectOpenHolds } from "../holds/holds.table.ts";
import type { NewEntry } from "../ledger/append-entries.ts";
import { verifyLedger } from "../ledger/verify-ledger.ts";
import { movePayoutTo } from "./move-payouts.ts";
import type { PayoutMove } from "./move-payouts.work.ts";
import { fundPlatform } from "./platform-money.ts";
import { proposePayouts } from "./propose-payouts.ts";

const append = new URL("../../../test/money/append.work.ts", import.meta.url);
const changePayee = new URL("../../people/change-payee.work.ts", import.meta.url);
const january = Date.parse("2026-01-10T12:00:00Z");
const payday = Date.parse("2026-02-15T00:00:00Z");
const calls = 20;
const amount = calls * perCallMicroUsd;
/** What a never reviewed account may be paid: three quarters of what it earned. */
const unreviewed = 15 * perCallMicroUsd;

const makeEarner = async (store: Store) => {
  await fundPlatform(store, { microUsd: 100 * amount, actorAccountId: null, nowMs: january });
  return makeEarnerAt(store, { atMs: january, calls });
};
const propose = (store: Store, unreviewedMonthlyMicroUsd = amount) =>
  proposePayouts(store, { unreviewedMonthlyMicroUsd, unreviewedTotalMonthlyMicroUsd: undefined, nowMs: payday, minimumMicroUsd: 1, actorAccountId: null });
const move = (store: Store, payoutId: string, to: PayoutMove["to"]) =>
  movePayoutTo(store, { payoutId, to, unreviewedMonthlyMicroUsd: amount, actorAccountId: null, fourEyes: true, note: null, nowMs: payday });
const review = (store: Store, accountId: string, actor: { accountId: string }, monthlyMicroUsd: number) =>
  setReview(store, { accountId, monthlyMicroUsd, reason: "a test", actorAccountId: actor.accountId, fourEyes: true, nowMs: payday });

const take = (microUsd: number, accountId: string): NewEntry => {
  const amounts = { shareBps: 10_000, grossMicroUsd: -microUsd, developerMicroUsd: -microUsd };
  return { accountId, atMs: payday, kind: "adjustment", ref: "adj_taken", endpoint: "adjustment", payer: "platform", ...amounts };
};

/** Stops whoever books an adjustment at its last statement: its entries are written, and nobody sees them yet. */
const holdAdjustments = (accountId: string) => ({
  text: "INSERT INTO movement_hours (account_id, hour, kind, payer, entries, gross_micro, developer_micro, platform_micro) VALUES ($1, $2, 'adjustment', 'platform', 0, 0, 0, 0) ON CONFLICT (account_id, hour, kind, payer) DO UPDATE SET entries = movement_hours.entries",
  values: [accountId, startOfHour(payday)],
});

/** Stops whoever notes what it did, which every transaction does last. */
const holdNotes = { text: "INSERT INTO audit_log (id, at, action, subject, detail) VALUES ('act_held', 0, 'test.hold', 'test', '{}')", values: [] };

const actionsOn = async (store: Store, actions: readonly string[]) =>
  (await store.db.selectFrom("audit_log").select("action").where("action", "in", actions).orderBy("seq").execute()).map(({ action }) => action);

describeBothStores("a decision about money that another transaction is changing", (open, dialect) => {
  // SQLite has one writer.
  if (dialect === "sqlite") return;

  it("proposes what is left once an adjustment that was being booked is booked", async () => {
    const database = await open();
    const { store } = database;
    const { accountId } = await makeEarner(store);
    const [, { proposed }] = await inForcedOrder(database, {
      held: holdAdjustments(accountId),
      first: (patient) => patient.transact(append, [take(100_000, accountId)]),
      second: (patient) => propose(patient),
    });
    assert.deepEqual(proposed.map((each) => each.amount_micro), [amount - 100_000]);
    assert.equal((await verifyLedger(store)).ok, true);
  });

  it("proposes by the sum of a review that was being made", async () => {
    const database = await open();
    const { store } = database;
    const [{ accountId }, operator] = [await makeEarner(store), await makeAccount(store)];
    const [reviewed, { proposed }] = await inForcedOrder(database, {
      held: holdNotes,
      first: (patient) => review(patient, accountId, operator, 18 * perCallMicroUsd),
      second: (patient) => propose(patient, unreviewed),
    });
    assert.deepEqual([reviewed.kind, proposed.map((each) => each.amount_micro)], ["reviewed", [18 * perCallMicroUsd]]);
  });

  it("moves no payout before its export that an adjustment which was being booked no longer leaves money for, and records what the bank did", async () => {
    const database = await open();
    const { store } = database;
    const { accountId } = await makeEarner(store);
    const payoutId = (await propose(store)).proposed[0]!.id;
    for (const to of ["approved", "exported"] as const) {
      const [, outcome] = await inForcedOrder(database, {
        held: holdAdjustments(accountId),
        first: (patient) => patient.transact(append, [take(1, accountId)]),
        second: (patient) => move(patient, payoutId, to),
      });
      assert.deepEqual(outcome, { kind: "balance_too_low", payableMicroUsd: amount - 1 }, to);
      await store.transact(append, [take(-1, accountId)]);
      assert.equal((await move(store, payoutId, to)).kind, "moved", to);
    }
    const [, paid] = await inForcedOrder(database, {
      held: holdAdjustments(accountId),
      first: (patient) => patient.transact(append, [take(1, accountId)]),
      second: (patient) => move(patient, payoutId, "paid"),
    });
    assert.deepEqual([paid.kind, "despite" in paid && paid.despite], ["moved", { kind: "balance_too_low", payableMicroUsd: amount - 1 }]);
    await store.transact(append, [take(-1, accountId)]);
    const { balance_micro: balance } = await store.db.selectFrom("ledger_heads").select("balance_micro").where("account_id", "=", accountId).executeTakeFirstOrThrow();
    assert.equal(balance, 0);
    assert.equal((await verifyLedger(store)).ok, true);
  });

  it("opens a hold after the step of a payout that was being taken, never before: none is paid once it is said to be held", async () => {
    const database = await open();
    const { store } = database;
    const { accountId } = await makeEarner(store);
    const payoutId = (await propose(store)).proposed[0]!.id;
    for (const to of ["approved", "exported"] as const) await move(store, payoutId, to);
    const [paid, hold] = await inForcedOrder(database, {
      held: { text: "SELECT id FROM payouts WHERE id = $1 FOR UPDATE", values: [payoutId] },
      first: (patient) => move(patient, payoutId, "paid"),
      second: (patient) => changeHold(patient, { accountId, to: "open", reason: "a test", actorAccountId: null, nowMs: payday }),
    });
    assert.deepEqual([paid.kind, hold.kind], ["moved", "opened"]);
    assert.deepEqual(await actionsOn(store, ["payout.paid", "hold.open"]), ["payout.paid", "hold.open"]);
    assert.equal((await readLedger(store, accountId)).filter(({ kind }) => kind === "payout").length, 1);
  });

  it("lifts no hold of a suspension that was being made", async () => {
    const database = await open();
    const { store } = database;
    const { accountId } = await makeEarner(store);
    const actor = { accountId, reason: "a test", actorAccountId: null, nowMs: payday };
    await changeHold(store, { ...actor, to: "open" });
    const [suspended, lift] = await inForcedOrder(database, {
      held: holdNotes,
      first: (patient) => suspendAccount(patient, { ...actor, channel: undefined }),
      second: (patient) => changeHold(patient, { ...actor, to: "lift" }),
    });
    assert.deepEqual([suspended, lift], ["changed", { kind: "lifted", lifted: ["operator"] }]);
    assert.deepEqual((await selectOpenHolds(store.db, [accountId]).execute()).map(({ kind }) => kind), ["suspension"]);
    assert.deepEqual((await propose(store)).proposed, []);
  });

  it("reviews an account after the payout that was being proposed by the old sum", async () => {
    const database = await open();
    const { store } = database;
    const [{ accountId }, operator] = [await makeEarner(store), await makeAccount(store)];
    const [{ proposed }, reviewed] = await inForcedOrder(database, {
      held: { text: "INSERT INTO payouts (id, account_id, month, amount_micro, status, proposed_at) VALUES ('po_held', $1, '2026-01', 1, 'proposed', 0)", values: [accountId] },
      first: (patient) => propose(patient, unreviewed),
      second: (patient) => review(patient, accountId, operator, amount),
    });
    assert.deepEqual([proposed.map((each) => each.amount_micro), reviewed.kind], [[unreviewed], "reviewed"]);
    assert.deepEqual(await actionsOn(store, ["payout.propose", "review.set"]), ["payout.propose", "review.set"]);
  });

  it("is no review by an operator whose bank account the account was naming", async () => {
    const database = await open();
    const { store } = database;
    const [{ accountId }, operator] = [await makeEarner(store), await makeAccount(store)];
    const mark = { kind: "bank" as const, mark: "one bank account" };
    await store.db.insertInto("payee_marks").values({ account_id: operator.accountId, ...mark, entered_at: 1 }).execute();
    const profile = { legal_name: "Ada Lovelace", address: "12 St James's Square, London", country: "GB", tax_id: null, method: "bank_transfer" as const, account: "GB29NWBK60161331926819", bank_code: null };
    const [changed, reviewed] = await inForcedOrder(database, {
      held: holdNotes,
      first: (patient) => patient.transact<PayeeChange, PayeeChangeOutcome>(changePayee, { accountId, profile, marks: [mark], restMs: 0, resetUrl: "", nowMs: payday }),
      second: (patient) => review(patient, accountId, operator, amount),
    });
    assert.deepEqual([changed.kind, reviewed.kind], ["changed", "own_account"]);
    assert.deepEqual(await actionsOn(store, ["payee.change", "review.set"]), ["payee.change"]);
  });
});
