import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../../test/make-charge.ts";
import { growthLimits } from "../../../test/money/growth-limits.ts";
import { readLedger } from "../../../test/read-ledger.ts";
import { msPerHour } from "../../formats/time.ts";
import { openStore } from "../../store/open-store.ts";
import type { Store } from "../../store/store.ts";
import type { NewEntry } from "../ledger/append-entries.ts";
import { verifyLedger } from "../ledger/verify-ledger.ts";
import { listCandidates } from "../payouts/propose-payouts.ts";
import { bookCorrection, type Correction } from "./book-correction.ts";
import { settlePrepaid } from "./settle-prepaid.ts";
import { tellLowBalances } from "./tell-low-balances.ts";

const nowMs = Date.UTC(2026, 0, 1, 10);
const append = new URL("../../../test/money/append.work.ts", import.meta.url);
const operator = { actorAccountId: "acct_operator", mayCorrectOwn: false, nowMs };
const deposit = (store: Store, accountId: string, microUsd: number) => bookCorrection(store, { ...operator, accountId, kind: "deposit", on: "prepaid", microUsd, reason: undefined });
const adjust = (store: Store, accountId: string, change: Pick<Correction, "on" | "microUsd">) => bookCorrection(store, { ...operator, accountId, kind: "adjustment", reason: "A test.", ...change });
const chargeToDeposits = (store: Store, creditLimitMicroUsd = 0) => makeCharger(store, { nowMs }, { payer: "developer", prepaid: { fromMs: nowMs, creditLimitMicroUsd } });
const spendableOf = async (store: Store, accountId: string) =>
  (await store.db.selectFrom("ledger_heads").select("spendable_micro").where("account_id", "=", accountId).executeTakeFirstOrThrow()).spendable_micro;
const settle = (store: Store, atMs: number) => settlePrepaid(store, { nowMs: atMs, isOver: () => false, prepaidFromMs: nowMs, publicUrl: "https://assay.example" });

describeBothStores("prepaid calls", (open) => {
  it("pass exactly as often as a deposit of 0.50 USD allows when 100 race on two nodes [threat: overdraft]", async () => {
    const database = await open();
    const { store } = database;
    const { accountId } = await makeAccount(store, { nowMs });
    await deposit(store, accountId, 500_000);
    // The embedded store has one node; a second process beside it is the command line.
    const { store: second } = await openStore(database, { nowMs, onConnectionError: () => {} });
    const nodes = [chargeToDeposits(store), chargeToDeposits(second)];
    const outcomes = await Promise.all(Array.from({ length: 100 }, (_, index) => nodes[index % 2]!.charge(makeCharge({ accountId, atMs: nowMs }))));
    await second.close();
    const kinds = Map.groupBy(outcomes, ({ kind }) => kind);
    assert.deepEqual([kinds.get("charged")?.length, kinds.get("refused")?.length], [10, 90]);
    assert.equal((await readLedger(store, accountId)).length, 11);
    assert.equal(await spendableOf(store, accountId), 0);
    const records = await store.db.selectFrom("session_records").select("id").where("account_id", "=", accountId).execute();
    assert.equal(records.length, 10, "a refused call leaves no session record");
    assert.ok((await verifyLedger(store)).ok);
  });

  it("are decided one by one within a batch, and a refused one stores no answer under its key", async () => {
    const { store } = await open();
    const [poor, rich] = [await makeAccount(store, { nowMs }), await makeAccount(store, { nowMs })];
    await deposit(store, poor.accountId, 120_000);
    await deposit(store, rich.accountId, 1_000_000);
    const charger = chargeToDeposits(store);
    const charge = (accountId: string, key?: string, mode: "live" | "test" = "live") =>
      charger.charge(makeCharge({ accountId, mode, atMs: nowMs, idempotency: key === undefined ? undefined : { keyHash: key, input: "in", body: `the answer to ${key}` } }));
    const batch = [charge(poor.accountId, "a"), charge(poor.accountId), charge(poor.accountId, "c"), charge(poor.accountId, "t", "test"), charge(rich.accountId)];
    assert.deepEqual((await Promise.all(batch)).map(({ kind }) => kind), ["charged", "charged", "refused", "charged", "charged"]);
    assert.equal((await charge(poor.accountId, "a")).kind, "replayed", "a stored answer is looked up before the money");
    assert.equal((await charge(poor.accountId, "c")).kind, "refused");
    await deposit(store, poor.accountId, 30_000);
    assert.equal((await charge(poor.accountId, "c")).kind, "charged", "the same key works once there is money");
    assert.equal(await spendableOf(store, poor.accountId), 0);
    assert.ok((await verifyLedger(store)).ok);
  });

  it("may take an account down to the credit limit, and not a micro-dollar further", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs });
    const kindAt = async (limit: number) => (await chargeToDeposits(store, limit).charge(makeCharge({ accountId, atMs: nowMs }))).kind;
    assert.deepEqual([await kindAt(49_999), await kindAt(50_000), await kindAt(99_999), await kindAt(100_000)], ["refused", "charged", "refused", "charged"]);
  });

  it("are never refused where the platform pays, or before the announced day", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs });
    assert.equal((await makeCharger(store, { nowMs }).charge(makeCharge({ accountId, atMs: nowMs }))).kind, "charged");
    const early = makeCharger(store, { nowMs }, { payer: "developer", prepaid: { fromMs: nowMs + 1, creditLimitMicroUsd: 0 } });
    assert.equal((await early.charge(makeCharge({ accountId, atMs: nowMs }))).kind, "charged");
    assert.equal(await spendableOf(store, accountId), -50_000, "what is charged before that day counts");
  });
});

describeBothStores("the share of a prepaid call", (open) => {
  it("is spendable once its hour is over, exactly once however often and wherever it is settled", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs });
    await deposit(store, accountId, 100_000);
    const charger = chargeToDeposits(store);
    for (let call = 0; call < 2; call += 1) await charger.charge(makeCharge({ accountId, atMs: nowMs + call }));
    await settle(store, nowMs + msPerHour - 1);
    assert.equal(await spendableOf(store, accountId), 0, "the hour is not over");
    const runs = await Promise.all([1, 2, 3].map(() => settle(store, nowMs + msPerHour)));
    assert.equal(runs.reduce((sum, run) => sum + run.confirmedMicroUsd, 0), 68_000);
    assert.equal(await spendableOf(store, accountId), 68_000);
    assert.equal((await charger.charge(makeCharge({ accountId, atMs: nowMs + msPerHour }))).kind, "charged");
    assert.deepEqual(await settle(store, nowMs + msPerHour), { begun: 0, confirmedMicroUsd: 0, isMore: false });
    assert.equal(await spendableOf(store, accountId), 18_000);
    assert.ok((await verifyLedger(store)).ok);
  });

  it("is all that becomes spendable: what calls earned that the platform paid for is not", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs });
    await deposit(store, accountId, 100_000);
    const [byPlatform, byDeveloper] = [makeCharger(store, { nowMs }), chargeToDeposits(store)];
    for (const charger of [byPlatform, byDeveloper, byPlatform]) assert.equal((await charger.charge(makeCharge({ accountId, atMs: nowMs }))).kind, "charged");
    assert.equal((await settle(store, nowMs + msPerHour)).confirmedMicroUsd, 34_000);
    assert.equal(await spendableOf(store, accountId), 84_000);
    assert.ok((await verifyLedger(store)).ok);
  });

  it("counts with calls that a node of an earlier version charged, which did not count them", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs });
    await deposit(store, accountId, 200_000);
    const before = await store.db.selectFrom("ledger_heads").select(["spendable_micro", "spendable_seq"]).where("account_id", "=", accountId).executeTakeFirstOrThrow();
    await chargeToDeposits(store).charge(makeCharge({ accountId, atMs: nowMs }));
    // The first version of the function moved everything but these two columns.
    await store.db.updateTable("ledger_heads").set(before).where("account_id", "=", accountId).execute();
    assert.ok((await verifyLedger(store)).ok, "what is not counted yet is no break");
    const outcomes = [];
    for (let call = 0; call < 4; call += 1) outcomes.push((await chargeToDeposits(store).charge(makeCharge({ accountId, atMs: nowMs }))).kind);
    assert.deepEqual(outcomes, ["charged", "charged", "charged", "refused"]);
    await store.db.updateTable("ledger_heads").set(before).where("account_id", "=", accountId).execute();
    assert.equal((await deposit(store, accountId, 50_000)).spendableMicroUsd, 50_000);
    assert.ok((await verifyLedger(store)).ok);
  });
});

describeBothStores("prepaid money and earnings", (open) => {
  const entryOf = (accountId: string, entry: Pick<NewEntry, "kind" | "payer" | "grossMicroUsd" | "developerMicroUsd">): NewEntry => ({ accountId, atMs: nowMs, ref: "a_test", endpoint: "test", shareBps: 6_800, ...entry });

  it("are never the same dollar: earnings cannot be spent, and prepaid money is not paid out [threat: money-twice]", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs });
    const charger = chargeToDeposits(store);
    await store.transact<NewEntry[], number[]>(append, [entryOf(accountId, { kind: "click", payer: "advertiser", grossMicroUsd: 1_000_000, developerMicroUsd: 680_000 })]);
    await adjust(store, accountId, { on: "earnings", microUsd: 300_000 });
    assert.equal((await charger.charge(makeCharge({ accountId, atMs: nowMs }))).kind, "refused", "earnings are paid out, not spent");
    assert.deepEqual(await adjust(store, accountId, { on: "prepaid", microUsd: 60_000 }).then(({ balanceMicroUsd, spendableMicroUsd }) => [balanceMicroUsd, spendableMicroUsd]), [1_040_000, 60_000]);
    assert.equal((await charger.charge(makeCharge({ accountId, atMs: nowMs }))).kind, "charged");
    await adjust(store, accountId, { on: "prepaid", microUsd: -10_000 });
    assert.equal(await spendableOf(store, accountId), 0, "a refund is no longer spendable");
    await store.transact<NewEntry[], number[]>(append, [entryOf(accountId, { kind: "reversal", payer: "developer", grossMicroUsd: -50_000, developerMicroUsd: -34_000 })]);
    assert.equal(await spendableOf(store, accountId), 16_000, "a reversed call gives its price back and its share with it");
    await settle(store, nowMs + msPerHour);
    assert.equal(await spendableOf(store, accountId), 50_000);
    const payable = async () => (await listCandidates(store, { ...growthLimits, nowMs: Date.UTC(2026, 1, 20), minimumMicroUsd: 0 })).candidates.map(({ states }) => states.confirmedMicroUsd);
    assert.deepEqual(await payable(), [980_000], "what was earned is payable in full, and nothing else is");
    for (let call = 0; call < 2; call += 1) await chargeToDeposits(store, 1_000_000).charge(makeCharge({ accountId, atMs: nowMs }));
    assert.deepEqual(await payable(), [980_000], "prepaid money covers them");
    await chargeToDeposits(store, 1_000_000).charge(makeCharge({ accountId, atMs: nowMs }));
    await chargeToDeposits(store, 1_000_000).charge(makeCharge({ accountId, atMs: nowMs }));
    assert.deepEqual(await payable(), [966_000], "a debt of calls is settled with earnings");
    assert.ok((await verifyLedger(store)).ok);
  });

  it("are each at most 4,000,000,000 USD, above zero and below: a correction beyond that is refused whole", async () => {
    const { store } = await open();
    const [depositor, earner, debtor] = [await makeAccount(store, { nowMs }), await makeAccount(store, { nowMs }), await makeAccount(store, { nowMs })];
    const step = 1_000_000_000_000_000;
    const beyond = { code: "invalid_request", message: /sums would no longer be exact/ };
    const sumsOf = ({ balanceMicroUsd, spendableMicroUsd }: Awaited<ReturnType<typeof deposit>>) => [balanceMicroUsd, spendableMicroUsd];
    for (let times = 1; times <= 4; times += 1) {
      assert.deepEqual(sumsOf(await deposit(store, depositor.accountId, step)), [times * step, times * step]);
      assert.deepEqual(sumsOf(await adjust(store, earner.accountId, { on: "earnings", microUsd: step })), [times * step, 0]);
      assert.deepEqual(sumsOf(await adjust(store, debtor.accountId, { on: "earnings", microUsd: -step })), [-times * step, 0]);
    }
    await assert.rejects(adjust(store, earner.accountId, { on: "earnings", microUsd: 1 }), beyond, "the balance");
    await assert.rejects(adjust(store, debtor.accountId, { on: "earnings", microUsd: -1 }), beyond, "a debt");
    assert.deepEqual(sumsOf(await adjust(store, depositor.accountId, { on: "earnings", microUsd: -step })), [3 * step, 4 * step]);
    await assert.rejects(deposit(store, depositor.accountId, 1), beyond, "spendable money, while the balance has room");
    for (const [{ accountId }, entries] of [[depositor, 5], [earner, 4], [debtor, 4]] as const) assert.equal((await readLedger(store, accountId)).length, entries);
    assert.ok((await verifyLedger(store)).ok);
  });

  it("are recomputed by the verification of the ledger", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs });
    await deposit(store, accountId, 1_000_000);
    await store.db.updateTable("ledger_heads").set({ spendable_micro: 1_000_001 }).where("account_id", "=", accountId).execute();
    const { ok, breaks } = await verifyLedger(store);
    assert.deepEqual([ok, breaks], [false, [{ accountId, seq: 1, problem: "spendable money is 1000001 micro-USD, but the entries give 1000000" }]]);
  });
});

describeBothStores("a balance that is low", (open) => {
  it("pays for fewer than a hundred calls together with the credit limit, and is told with the calls that are left", async () => {
    const { store } = await open();
    const [enough, low, spent] = [await makeAccount(store, { nowMs }), await makeAccount(store, { nowMs }), await makeAccount(store, { nowMs })];
    const creditMicroUsd = 4_000_000;
    await deposit(store, enough.accountId, 1_000_000);
    await deposit(store, low.accountId, 999_999);
    await deposit(store, spent.accountId, 1);
    await adjust(store, spent.accountId, { on: "prepaid", microUsd: -creditMicroUsd - 50_001 });
    assert.equal(await tellLowBalances(store, { creditMicroUsd, nowMs, isOver: () => false }), 2);
    const told = await store.db.selectFrom("webhook_events").select("data").where("type", "=", "balance.low").execute();
    const toldOf = new Map(told.map(({ data }) => JSON.parse(data) as Record<string, unknown>).map((data) => [data["account_id"], data]));
    assert.deepEqual(toldOf.get(low.accountId), { account_id: low.accountId, spendable_usd: 0.999_999, calls_left: 99 });
    assert.deepEqual(toldOf.get(spent.accountId), { account_id: spent.accountId, spendable_usd: -4.05, calls_left: 0 });
  });
});
