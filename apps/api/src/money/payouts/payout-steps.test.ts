import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { growthLimits } from "../../../test/money/growth-limits.ts";
import { bankAccountOf, makeEarner as makeEarnerAt, perCallMicroUsd } from "../../../test/money/make-earner.ts";
import { readLedger } from "../../../test/read-ledger.ts";
import { whileHeld } from "../../../test/store/hold-rows.ts";
import { resumeAccount, suspendAccount } from "../../people/change-account.ts";
import type { PayeeChange, PayeeChangeOutcome } from "../../people/change-payee.work.ts";
import { openStore } from "../../store/open-store.ts";
import type { Store } from "../../store/store.ts";
import { changeHold } from "../holds/change-hold.ts";
import type { NewEntry } from "../ledger/append-entries.ts";
import { verifyLedger } from "../ledger/verify-ledger.ts";
import { exportAgain, exportPayouts } from "./export-payouts.ts";
import { explainDespite, explainMove, movePayouts, movePayoutTo } from "./move-payouts.ts";
import type { PaidDespite, PayoutMove, PayoutMoveOutcome } from "./move-payouts.work.ts";
import { fundPlatform, readPlatformMoney } from "./platform-money.ts";
import { proposePayouts } from "./propose-payouts.ts";

const changePayee = new URL("../../people/change-payee.work.ts", import.meta.url);
const append = new URL("../../../test/money/append.work.ts", import.meta.url);
const january = Date.parse("2026-01-10T12:00:00Z");
const payday = Date.parse("2026-02-15T00:00:00Z");
const calls = 20;
const amount = calls * perCallMicroUsd;

const makeEarner = (store: Store, atMs = january) => makeEarnerAt(store, { atMs, calls });
const fund = (store: Store, microUsd: number) => fundPlatform(store, { microUsd, actorAccountId: null, nowMs: january });
const propose = (store: Store, actorAccountId: string | null = null, nowMs = payday) => proposePayouts(store, { ...growthLimits, nowMs, minimumMicroUsd: 500_000, actorAccountId });
const nobody = { ...growthLimits, actorAccountId: null, fourEyes: true, note: null, nowMs: payday };
const move = (store: Store, payoutId: string, to: PayoutMove["to"], more: Partial<PayoutMove> = {}) => movePayoutTo(store, { ...nobody, payoutId, to, ...more });
const exportNow = (store: Store, actorAccountId: string | null = null) => exportPayouts(store, { ...growthLimits, nowMs: payday, actorAccountId, fourEyes: true });
const statusOf = async (store: Store, payoutId: string) => (await store.db.selectFrom("payouts").select("status").where("id", "=", payoutId).executeTakeFirstOrThrow()).status;
const refusalOf = (outcome: PayoutMoveOutcome | PaidDespite): string => (outcome.kind === "waits" ? outcome.reason : outcome.kind);

const mark = (store: Store, accountId: string, enteredMs: number, of = "the same account") =>
  store.db.insertInto("payee_marks").values({ account_id: accountId, kind: "bank", mark: of, entered_at: enteredMs }).execute();

const take = (microUsd: number, accountId: string): NewEntry => {
  const amounts = { shareBps: 10_000, grossMicroUsd: microUsd, developerMicroUsd: microUsd };
  return { accountId, atMs: payday, kind: "adjustment", ref: `adj_${microUsd}`, endpoint: "adjustment", payer: "platform", ...amounts };
};
const setFunding = (store: Store, micro: number) => store.db.updateTable("movement_hours").set({ gross_micro: micro, platform_micro: micro }).where("kind", "=", "funding").execute();

/** One payout, in each of the three states from which a step moves it on. */
const steps = [
  { from: "proposed", to: "approved" },
  { from: "approved", to: "exported" },
  { from: "exported", to: "paid" },
] as const;

async function bringTo(store: Store, state: (typeof steps)[number]["from"]) {
  const { accountId } = await makeEarner(store);
  const payoutId = (await propose(store)).proposed.find((each) => each.account_id === accountId)!.id;
  if (state !== "proposed") await move(store, payoutId, "approved");
  if (state === "exported") await move(store, payoutId, "exported");
  assert.equal(await statusOf(store, payoutId), state);
  return { accountId, payoutId };
}

describeBothStores("every step of a payout", (open, dialect) => {
  it("up to the export is refused while the account, or one that it is linked to, is held or has a finding [threat: pay-while-held]", async () => {
    const { store } = await open();
    await fund(store, 100 * amount);
    for (const { from, to } of steps.slice(0, 2)) {
      const { accountId, payoutId } = await bringTo(store, from);
      const attempt = async () => refusalOf(await move(store, payoutId, to));
      const suspension = { accountId, reason: "a test", actorAccountId: null, nowMs: payday, channel: undefined };
      await suspendAccount(store, suspension);
      assert.equal(await attempt(), "held", to);
      await resumeAccount(store, suspension);
      await store.db.insertInto("findings").values({ id: `find_${to}`, account_id: accountId, code: "c", detail: "", opened_at: 1, closed_at: null, resolution: null }).execute();
      assert.equal(await attempt(), "finding_open", to);
      await store.db.updateTable("findings").set({ closed_at: 2, resolution: "none" }).where("account_id", "=", accountId).execute();
      const [earlier, earliest] = [await makeAccount(store), await makeAccount(store)];
      await mark(store, accountId, 3, `bank ${to}`);
      await mark(store, earlier.accountId, 2, `bank ${to}`);
      await mark(store, earlier.accountId, 2, `other bank ${to}`);
      await mark(store, earliest.accountId, 1, `other bank ${to}`);
      const hold = { accountId: earliest.accountId, reason: "a test", actorAccountId: null, nowMs: payday };
      await changeHold(store, { ...hold, to: "open" });
      assert.equal(await attempt(), "linked_account", `${to}: through another account too`);
      assert.equal(await statusOf(store, payoutId), from);
      await changeHold(store, { ...hold, to: "lift" });
      assert.equal((await move(store, payoutId, to)).kind, "moved", to);
    }
  });

  it("that says what the bank did is recorded whatever is held by then, and says why the payout would not leave now [threat: unrecorded-payment]", async () => {
    const { store } = await open();
    await fund(store, 100 * amount);
    const operator = await makeAccount(store);
    const holdOf = (accountId: string) => changeHold(store, { accountId, to: "open", reason: "a test", actorAccountId: null, nowMs: payday });
    const objections: Record<string, (accountId: string) => Promise<unknown>> = {
      held: holdOf,
      finding_open: (accountId) => store.db.insertInto("findings").values({ id: `find_${accountId}`, account_id: accountId, code: "c", detail: "", opened_at: 1, closed_at: null, resolution: null }).execute(),
      async linked_account(accountId) {
        const earlier = await makeAccount(store);
        await mark(store, earlier.accountId, 1, "a bank");
        await mark(store, accountId, 2, "a bank");
        await holdOf(earlier.accountId);
      },
      balance_too_low: (accountId) => store.transact(append, [take(-1, accountId)]),
      not_funded: () => setFunding(store, 1),
    };
    for (const [reason, object] of Object.entries(objections)) {
      const { accountId, payoutId } = await bringTo(store, "exported");
      const other = await bringTo(store, "approved");
      await object(accountId);
      await object(other.accountId);
      assert.equal(refusalOf(await move(store, other.payoutId, "exported")), reason, "before the export it acts");
      const outcome = await move(store, payoutId, "paid", { actorAccountId: operator.accountId });
      assert(outcome.kind === "moved", reason);
      assert.equal(outcome.despite && refusalOf(outcome.despite), reason);
      assert.match(explainDespite(outcome.despite)!, /would not be exported now/);
      const entries = (await readLedger(store, accountId)).filter(({ kind }) => kind === "payout");
      assert.deepEqual(entries.map((entry) => [entry.ref, entry.developer_micro]), [[payoutId, -amount]]);
      const noted = await store.db.selectFrom("audit_log").select("detail").where("subject", "=", payoutId).where("action", "=", "payout.paid").executeTakeFirstOrThrow();
      assert.equal((JSON.parse(noted.detail) as { despite?: string }).despite, reason);
      assert.deepEqual(await move(store, payoutId, "paid"), { kind: "wrong_state", status: "paid" }, "recorded once");
      const returned = await move(store, payoutId, "returned", { note: "the bank sent it back" });
      assert.deepEqual([returned.kind, returned.kind === "moved" && returned.despite], ["moved", null]);
      await move(store, other.payoutId, "cancelled", { note: "a test" });
    }
    await setFunding(store, 100 * amount);
    const { payoutId } = await bringTo(store, "exported");
    assert.equal((await move(store, payoutId, "paid") as { despite: unknown }).despite, null);
    assert.equal((await verifyLedger(store)).ok, true);
  });

  it("that says what the bank did cannot be taken for a payout that was not exported [threat: unrecorded-payment]", async () => {
    const { store } = await open();
    await fund(store, 100 * amount);
    for (const from of ["proposed", "approved"] as const) {
      const { accountId, payoutId } = await bringTo(store, from);
      await changeHold(store, { accountId, to: "open", reason: "a test", actorAccountId: null, nowMs: payday });
      assert.deepEqual(await move(store, payoutId, "paid"), { kind: "wrong_state", status: from });
    }
  });

  it("that says what the bank did is recorded by an operator whose bank account the developer names after the export, and no other step is its [threat: unrecorded-payment]", async () => {
    const { store } = await open();
    await fund(store, 100 * amount);
    const operator = await makeAccount(store);
    await mark(store, operator.accountId, 1, "the operator's bank");
    const by = (payoutId: string, to: PayoutMove["to"]) => move(store, payoutId, to, { actorAccountId: operator.accountId, note: "a test" });
    const { accountId, payoutId } = await bringTo(store, "exported");
    const profile = { legal_name: "Ada", address: "London", country: "GB", tax_id: null, method: "bank_transfer" as const, account: "GB29NWBK60161331926819", bank_code: null };
    const change: PayeeChange = { accountId, profile, marks: [{ kind: "bank", mark: "the operator's bank" }], restMs: 0, resetUrl: "https://assay.example", nowMs: payday };
    assert.equal((await store.transact<PayeeChange, PayeeChangeOutcome>(changePayee, change)).kind, "changed");
    assert.equal((await by(payoutId, "returned")).kind, "own_payout");
    const outcome = await by(payoutId, "paid");
    assert.ok(outcome.kind === "moved" && outcome.payout.status === "paid", outcome.kind);
    assert.deepEqual(outcome.despite, { kind: "own_account" });
    assert.match(explainDespite(outcome.despite)!, /had it already.*no other step/);
    const noted = await store.db.selectFrom("audit_log").select(["actor_account_id", "detail"]).where("subject", "=", payoutId).where("action", "=", "payout.paid").executeTakeFirstOrThrow();
    assert.deepEqual([noted.actor_account_id, (JSON.parse(noted.detail) as { despite?: string }).despite], [operator.accountId, "own_account"]);
    assert.deepEqual((await readLedger(store, accountId)).filter(({ kind }) => kind === "payout").map((entry) => entry.developer_micro), [-amount]);
    assert.equal((await by(payoutId, "returned")).kind, "own_payout", "it would be credited to a linked account");
    assert.equal((await verifyLedger(store)).ok, true);
  });

  it("holds the later of two accounts that name one bank account, never the earlier: naming a victim's harms nobody", async () => {
    const { store } = await open();
    await fund(store, 100 * amount);
    const [victim, attacker] = [await makeEarner(store), await makeEarner(store)];
    await mark(store, victim.accountId, 1);
    await mark(store, attacker.accountId, 2);
    await changeHold(store, { accountId: attacker.accountId, to: "open", reason: "fraud", actorAccountId: null, nowMs: payday });
    const { proposed, waiting } = await propose(store);
    assert.deepEqual([proposed.map((each) => each.account_id), waiting.map((each) => each.reason)], [[victim.accountId], ["held"]]);
  });

  it("up to the export is refused when what the account can be paid, or the money in hand, no longer covers it", async () => {
    const { store } = await open();
    await fund(store, 2 * amount);
    const found = [];
    for (const { from, to } of steps.slice(0, 2)) found.push({ ...(await bringTo(store, from)), from, to });
    for (const { accountId, payoutId, from, to } of found) {
      await store.transact(append, [take(-1, accountId)]);
      assert.deepEqual(await move(store, payoutId, to), { kind: "balance_too_low", payableMicroUsd: amount - 1 });
      await store.transact(append, [take(1, accountId)]);
      assert.equal(await statusOf(store, payoutId), from);
    }
    await setFunding(store, 2 * amount - 1);
    for (const { payoutId, to } of found) assert.equal(refusalOf(await move(store, payoutId, to)), "not_funded", to);
    await setFunding(store, 2 * amount);
    for (const { payoutId, to } of found) assert.equal((await move(store, payoutId, to)).kind, "moved", to);
  });

  it("up to the export is refused once the payee was changed; what is exported is what was proposed, every time [threat: payee-swapped]", async () => {
    const { store } = await open();
    await fund(store, 100 * amount);
    const swap = (accountId: string, to: { account: string } | { legal_name: string } | { usable_from: number }) =>
      store.db.updateTable("payee_profiles").set(to).where("account_id", "=", accountId).execute();
    for (const { from, to } of steps.slice(0, 2)) {
      const { accountId, payoutId } = await bringTo(store, from);
      await swap(accountId, { account: "GB00THIEF" });
      assert.equal(refusalOf(await move(store, payoutId, to)), "payee_changed");
      await swap(accountId, { account: bankAccountOf(accountId) });
      await swap(accountId, { usable_from: payday + 1 });
      assert.equal(refusalOf(await move(store, payoutId, to)), "payee_changed", "it was changed and changed back");
      assert.equal((await move(store, payoutId, "cancelled", { note: "the payee" })).kind, "moved");
    }
    const first = await bringTo(store, "approved");
    await swap(first.accountId, { legal_name: "Somebody Else" });
    const { csv, exportId, payoutIds } = await exportNow(store);
    assert.deepEqual(payoutIds, [first.payoutId]);
    assert.match(csv, new RegExp(`,Ada Lovelace,.*,${bankAccountOf(first.accountId)},`));
    await swap(first.accountId, { account: "GB00THIEF" });
    const second = await bringTo(store, "approved");
    const later = await exportNow(store);
    assert.deepEqual([later.payoutIds, later.exportId === exportId], [[second.payoutId], false]);
    assert.equal((await move(store, first.payoutId, "paid")).kind, "moved", "the bank has the file");
    assert.equal((await exportAgain(store, exportId!)).csv, csv, "after the payee was changed and the payout paid");
    assert.equal((await exportAgain(store, undefined)).csv, later.csv, "without a name: the last");
    await assert.rejects(exportAgain(store, "export_none"), { code: "not_found" });
  });

  it("keeps the payee of a payout that an earlier version proposed, from its approval on", async () => {
    const { store } = await open();
    await fund(store, 100 * amount);
    const { accountId, payoutId } = await bringTo(store, "proposed");
    await store.db.updateTable("payouts").set({ payee: null }).where("id", "=", payoutId).execute();
    assert.equal((await move(store, payoutId, "approved")).kind, "moved");
    await store.db.updateTable("payee_profiles").set({ account: "GB00THIEF" }).where("account_id", "=", accountId).execute();
    assert.equal(refusalOf(await move(store, payoutId, "exported")), "payee_changed");
    await store.db.deleteFrom("payee_profiles").where("account_id", "=", accountId).execute();
    assert.equal(refusalOf(await move(store, payoutId, "exported")), "payee_missing");
  });

  it("can be undone whatever is held: a payout is cancelled before its export, and returned always", async () => {
    const { store } = await open();
    await fund(store, 100 * amount);
    for (const { from } of steps) {
      const { accountId, payoutId } = await bringTo(store, from);
      await changeHold(store, { accountId, to: "open", reason: "a test", actorAccountId: null, nowMs: payday });
      const to = from === "exported" ? "returned" : "cancelled";
      if (from === "exported") assert.deepEqual(await move(store, payoutId, "cancelled"), { kind: "wrong_state", status: "exported" });
      assert.equal((await move(store, payoutId, to, { note: "why" })).kind, "moved");
      assert.deepEqual((await readLedger(store, accountId)).filter(({ kind }) => kind !== "call"), []);
      assert.deepEqual(await move(store, payoutId, "approved"), { kind: "wrong_state", status: to });
    }
  });

  it("needs four eyes: nobody approves what it proposed, or acts on a payout of its own or a linked account [threat: approve-own-payout]", async () => {
    const { store } = await open();
    await fund(store, 100 * amount);
    const [one, other] = [await makeEarner(store), await makeAccount(store)];
    const { proposed } = await propose(store, other.accountId);
    const [own] = proposed;
    assert.equal(own?.account_id, one.accountId);
    const by = (actor: { accountId: string }, to: PayoutMove["to"], fourEyes = true) => move(store, own.id, to, { actorAccountId: actor.accountId, fourEyes });
    // Before any account has a mark: an account shares its own.
    assert.equal((await by(one, "approved")).kind, "own_payout");
    const third = await makeAccount(store);
    await mark(store, third.accountId, 1);
    await mark(store, one.accountId, 2);
    assert.equal((await by(other, "approved")).kind, "same_operator");
    for (const to of ["approved", "cancelled", "returned"] as const) {
      assert.equal((await by(one, to)).kind, "own_payout", to);
      assert.equal((await by(third, to)).kind, "own_payout", `${to}, linked`);
    }
    const outcome = await by(other, "approved");
    assert.match(outcome.kind === "moved" ? "" : explainMove(outcome), /account create --operator.*PAYOUT_FOUR_EYES=off/);
    const fourth = await makeAccount(store);
    assert.equal((await by(fourth, "approved")).kind, "moved");
    for (const to of ["exported"] as const) assert.equal((await by(one, to)).kind, "own_payout");
    assert.equal((await by(other, "exported")).kind, "moved");
    const paid = await by(one, "paid");
    assert.deepEqual([paid.kind, paid.kind === "moved" && paid.despite], ["moved", { kind: "own_account" }], "what the bank did only takes from the account");
    for (const each of [one, third]) assert.equal((await by(each, "returned")).kind, "own_payout", "it would be paid twice");
    const row = await store.db.selectFrom("payouts").select(["proposed_by", "approved_by"]).where("id", "=", own.id).executeTakeFirstOrThrow();
    assert.deepEqual([row.proposed_by, row.approved_by], [other.accountId, fourth.accountId]);
  });

  it("can be taken by one person alone with PAYOUT_FOUR_EYES=off", async () => {
    const { store } = await open();
    await fund(store, 100 * amount);
    const { accountId } = await makeEarner(store);
    const [{ id } = { id: "" }] = (await propose(store, accountId)).proposed;
    for (const to of ["approved", "exported", "paid"] as const) {
      assert.equal((await move(store, id, to, { actorAccountId: accountId, fourEyes: false })).kind, "moved", to);
    }
  });

  it("is taken for two hundred developers at once, and a held one among them stays behind with its reason", async () => {
    const { store } = await open();
    await fund(store, 300 * amount);
    const operator = await makeAccount(store);
    const earners: Awaited<ReturnType<typeof makeEarnerAt>>[] = [];
    while (earners.length < 200) earners.push(...(await Promise.all(Array.from({ length: 20 }, () => makeEarnerAt(store, { atMs: january, calls: 1 })))));
    const { proposed } = await proposePayouts(store, { ...growthLimits, nowMs: payday, minimumMicroUsd: 1, actorAccountId: operator.accountId });
    assert.equal(proposed.length, 200);
    const held = earners[100]!;
    await suspendAccount(store, { accountId: held.accountId, reason: "a test", actorAccountId: null, nowMs: payday, channel: undefined });
    const outcomes = await movePayouts(store, { ...nobody, payoutIds: proposed.map((each) => each.id), to: "approved" });
    const refused = outcomes.map((outcome, index) => [proposed[index]!.account_id, refusalOf(outcome)]).filter(([, kind]) => kind !== "moved");
    assert.deepEqual(refused, [[held.accountId, "held"]]);
    const { payoutIds, refused: notExported } = await exportNow(store);
    assert.deepEqual([payoutIds.length, notExported], [199, []]);
  });

  it("promises the money in hand once when two nodes propose at the same time [threat: promise-twice]", async () => {
    const database = await open();
    const { store } = database;
    await fund(store, amount);
    for (let each = 0; each < 2; each += 1) await makeEarner(store);
    const other = dialect === "postgres" ? (await openStore(database, { nowMs: Date.now(), onConnectionError: () => {} })).store : store;
    const proposeTogether = () => Promise.all([propose(store), propose(other)]);
    // Both nodes have read their candidates by the time the first may go on.
    const lock = { text: "SELECT pg_advisory_xact_lock(1496081742)", values: [] };
    const rounds = dialect === "postgres" ? await whileHeld(database.databaseUrl, [lock], proposeTogether) : await proposeTogether();
    if (other !== store) await other.close();
    assert.equal(rounds.flatMap(({ proposed }) => proposed).length, 1);
    assert.equal((await readPlatformMoney(store)).availableMicroUsd, 0);
    assert.equal((await verifyLedger(store)).ok, true);
  });

  it("shares out the money in hand to the oldest month first, whatever the accounts' ids", async () => {
    const { store } = await open();
    await fund(store, 2 * amount);
    const february = Date.parse("2026-02-10T12:00:00Z");
    const [newer, alsoNewer] = [await makeEarner(store, february), await makeEarner(store, february)];
    const older = await makeEarner(store, january);
    const { proposed, waiting } = await propose(store, null, Date.parse("2026-03-15T00:00:00Z"));
    assert.deepEqual(proposed.map((each) => each.account_id), [older.accountId, [newer.accountId, alsoNewer.accountId].toSorted()[0]]);
    assert.deepEqual(waiting.map((each) => each.reason), ["not_funded"]);
    await older.charge(february, calls);
    await move(store, proposed[0]!.id, "cancelled");
    const again = await propose(store, null, Date.parse("2026-03-15T00:00:00Z"));
    assert.deepEqual(again.proposed, [], "the oldest month needs more than there is, and nobody newer overtakes it");
  });
});
