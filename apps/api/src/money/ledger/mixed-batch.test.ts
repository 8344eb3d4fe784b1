import { currentModel } from "@assay/scoring/current-model.ts";
import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { makeAnswerOnce, makeCharge, makeCharger } from "../../../test/make-charge.ts";
import { readLedger } from "../../../test/read-ledger.ts";
import type { Failure } from "../../failure/failure.ts";
import { msPerDay } from "../../formats/time.ts";
import type { Store } from "../../store/store.ts";
import { promised, type Waiter } from "../../store/waiter.ts";
import { bookCorrection } from "../corrections/book-correction.ts";
import type { BilledAnswer } from "./answer-once.ts";
import type { CallCharge } from "./charge-batch.ts";
import { verifyLedger } from "./verify-ledger.ts";

const startMs = Date.UTC(2026, 0, 1);

const readRecords = (store: Store, accountId: string) =>
  store.db
    .selectFrom("session_records")
    .select(["id", "mode", "endpoint", "at", "user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor"])
    .select(["service_score", "recommendation", "ledger_seq"])
    .where("account_id", "=", accountId)
    .orderBy("ledger_seq")
    .execute();

type Call = { charge: CallCharge; key: string | undefined; body: string };

describeBothStores("a batch of unlike calls", (open, dialect) => {
  // On PostgreSQL it would fail. Calls that go through answer-once.ts never come so far: the second waits for the first.
  if (dialect === "sqlite") it("replays a key of its own to the second call, with the receipt of the first", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: 1_000 });
    const { charge } = makeCharger(store, { nowMs: startMs });
    const idempotency = { keyHash: "the-hash-of-one-key-22", input: "[]", body: "the answer" };
    const [first, second] = await Promise.all([1, 2].map(() => charge(makeCharge({ accountId, atMs: startMs, idempotency }))));
    assert.ok(first?.kind === "charged" && second?.kind === "replayed");
    assert.deepEqual([second.receipt, second.body], [first.receipt, "the answer"]);
    assert.equal((await readLedger(store, accountId)).length, 1);
  });

  it("charges new keys, replays known ones and those it has just seen, and reuses expired ones, each once", async () => {
    const { store } = await open();
    const [one, other] = [await makeAccount(store, { nowMs: 1_000 }), await makeAccount(store, { nowMs: 1_000 })];
    const clock = { nowMs: startMs };
    let batches = 0;
    const answerOnce = makeAnswerOnce(store, clock, makeCharger(store, clock, { onBatch: () => (batches += 1) }).charger);
    const make = (options: Partial<CallCharge> = {}): Call => ({ charge: makeCharge({ accountId: one.accountId, atMs: clock.nowMs, ...options }), key: undefined, body: "unkeyed" });
    const keyed = (key: string, body: string, options: Partial<CallCharge> = {}): Call => ({ ...make(options), key, body });
    const answer = ({ charge, key, body }: Call) =>
      promised<BilledAnswer>((waiter) => answerOnce({ charge, body, idempotencyKey: key, input: () => 'a "request"\nof two lines' }, waiter));
    await answer(keyed("old", "expired by now"));
    clock.nowMs += msPerDay + 1;
    const known = await answer(keyed("known", "the first answer"));
    const unlike = [
      ...Array.from({ length: 9 }, () => make()),
      keyed("known", "never sent"),
      keyed("new", "the new answer"),
      keyed("new", "never sent either"),
      keyed("old", "the answer after expiry"),
      keyed("test", "a test answer", { mode: "test" }),
      keyed("test", "never sent", { mode: "test" }),
      make({ endpoint: "score" }),
      make({ shareBps: 7_000 }),
      make(),
      make({ accountId: other.accountId }),
      keyed("known", "the other's answer", { accountId: other.accountId }),
      make({ verdict: undefined, endpoint: "servicescore_analyze", ref: "an_1" }),
      ...Array.from({ length: 10 }, () => make()),
    ];
    batches = 0;
    const answers = await Promise.all(unlike.map(answer));
    assert.equal(batches, 1);

    const replays = new Map([[9, known], [11, answers[10]!], [14, answers[13]!]]);
    for (const [index, { body, receipt, replayed }] of answers.entries()) {
      const first = replays.get(index);
      assert.deepEqual({ body, receipt, replayed }, first ? { ...first, replayed: true } : { body: unlike[index]!.body, receipt, replayed: false }, `call ${index}`);
    }
    for (const { accountId } of [one, other]) {
      const charged = unlike.flatMap(({ charge }, index) => (charge.accountId === accountId && charge.mode === "live" && !replays.has(index) ? [{ charge, receipt: answers[index]!.receipt }] : []));
      const entries = (await readLedger(store, accountId)).slice(accountId === one.accountId ? 2 : 0);
      assert.deepEqual(
        entries.map(({ seq, hash, ref, endpoint, share_bps, gross_micro, developer_micro }) => [`${seq}.${hash}`, ref, endpoint, share_bps, gross_micro, developer_micro]),
        charged.map(({ charge: { ref, endpoint, shareBps }, receipt }) => [receipt, ref, endpoint, shareBps, 50_000, 5 * shareBps]),
      );
      const records = (await readRecords(store, accountId)).filter(({ ledger_seq }) => ledger_seq !== null && ledger_seq >= entries[0]!.seq);
      assert.deepEqual(
        records.map(({ id, endpoint, ledger_seq }) => [id, endpoint, ledger_seq]),
        entries.filter(({ ref }) => ref !== "an_1").map(({ ref, endpoint, seq }) => [ref, endpoint, seq]),
      );
    }
    assert.deepEqual((await verifyLedger(store)).breaks, []);
    assert.deepEqual(await answer(keyed("old", "never sent")), { ...answers[12]!, replayed: true });
  });

  it("stores a session's signals as they were sent, and nothing for those that were not", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: 1_000 });
    const charger = makeCharger(store, { nowMs: startMs });
    const observed = [{}, { user_engagement: 0, page_views: 0, return_visitor: false }, { session_duration: 12.345, scroll_depth: 1, interaction_count: 9_007_199_254_740_991, return_visitor: true }];
    const charges = observed.map((signals) => makeCharge({ accountId, atMs: startMs, verdict: { signals, score: currentModel.score(signals), processingTimeMs: 0.5, modelVersion: currentModel.version, calibration: null } }));
    await Promise.all(charges.map((charge) => charger.charge(charge)));
    const expected = charges.map(({ ref, verdict }, index) => {
      const { user_engagement = null, session_duration = null, scroll_depth = null, interaction_count = null, page_views = null, return_visitor } = verdict!.signals;
      const signals = { user_engagement, session_duration, scroll_depth, interaction_count, page_views, return_visitor: return_visitor === undefined ? null : Number(return_visitor) };
      return { id: ref, mode: "live", endpoint: "predict", at: startMs, ...signals, service_score: verdict!.score.serviceScore, recommendation: verdict!.score.recommendation, ledger_seq: index + 1 };
    });
    assert.deepEqual((await readRecords(store, accountId)).map((record) => ({ ...record })), expected);
  });

  it("stores with each session which model scored it, and on which calibration", async () => {
    const { store } = await open();
    const [one, other] = [await makeAccount(store, { nowMs: 1_000 }), await makeAccount(store, { nowMs: 1_000 })];
    let batches = 0;
    const charger = makeCharger(store, { nowMs: startMs }, { onBatch: () => (batches += 1) });
    // The accounts take turns, so that the batch has to be sorted.
    const judged = ["model-2", "model-1", "model-2", "model-1", "model-3", "model-2"].map((modelVersion, index) => ({
      accountId: [one, other][index % 2]!.accountId,
      modelVersion,
      calibration: [null, 3, 12, null, null, 1][index]!,
    }));
    const score = currentModel.score({});
    // The first call is a batch of its own; the others gather meanwhile.
    const first = charger.charge(makeCharge({ accountId: one.accountId, atMs: startMs }));
    const charges = judged.map(({ accountId, ...by }) => makeCharge({ accountId, atMs: startMs, verdict: { signals: {}, score, processingTimeMs: 0.5, ...by } }));
    await Promise.all([first, ...charges.map((charge) => charger.charge(charge))]);
    assert.ok(batches <= 2);
    const records = await store.db.selectFrom("session_records").select(["id", "account_id", "model_version", "calibration"]).execute();
    const stored = new Map(records.map(({ id, account_id: accountId, model_version: modelVersion, calibration }) => [id, { accountId, modelVersion, calibration }]));
    assert.deepEqual(charges.map(({ ref }) => stored.get(ref)), judged);
  });

  it("refuses what prepaid money does not cover among calls that it charges, and tells everybody although one waiter throws", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: 1_000 });
    await bookCorrection(store, { actorAccountId: "acct_operator", mayCorrectOwn: false, nowMs: startMs, accountId, kind: "deposit", on: "prepaid", microUsd: 110_000, reason: undefined });
    const thrown: unknown[] = [];
    const onWaiterError = (error: unknown) => thrown.push(error);
    const { charger } = makeCharger(store, { nowMs: startMs }, { payer: "developer", prepaid: { fromMs: 0, creditLimitMicroUsd: 0 }, onWaiterError });
    const answerOnce = makeAnswerOnce(store, { nowMs: startMs }, charger, { onWaiterError });
    const ask = (key: string, waiter: Waiter<BilledAnswer>) =>
      answerOnce({ charge: makeCharge({ accountId, atMs: startMs }), body: `the answer to ${key}`, idempotencyKey: key, input: () => "in" }, waiter);
    const bug = new Error("the socket is gone");
    const throwBug = (): never => {
      throw bug;
    };
    ask("a", { settle: throwBug, fail: throwBug });
    const outcomes = await Promise.allSettled(["b", "c", "a", "d", "c"].map((key) => promised<BilledAnswer>((waiter) => ask(key, waiter))));
    const told = outcomes.map((outcome) => (outcome.status === "fulfilled" ? [outcome.value.body, outcome.value.replayed] : (outcome.reason as Failure).code));
    assert.deepEqual(told, [["the answer to b", false], "payment_required", ["the answer to a", true], "payment_required", "payment_required"]);
    assert.deepEqual(thrown, [bug]);
    assert.deepEqual((await readLedger(store, accountId)).map(({ kind }) => kind), ["deposit", "call", "call"]);
    const stored = await store.db.selectFrom("idempotency_answers").select("body").orderBy("body").execute();
    assert.deepEqual(stored.map(({ body }) => body), ["the answer to a", "the answer to b"]);
    await charger.drain();
  });

  it("that fails leaves nothing to the next one", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: 1_000 });
    const charger = makeCharger(store, { nowMs: startMs });
    const failing = ["acct_that_does_not_exist", accountId, accountId].map((each) => charger.charge(makeCharge({ accountId: each, atMs: startMs })));
    for (const { status } of await Promise.allSettled(failing)) assert.equal(status, "rejected");
    const next = makeCharge({ accountId, atMs: startMs });
    await charger.charge(next);
    assert.deepEqual((await readLedger(store, accountId)).map(({ ref }) => ref), [next.ref]);
    assert.deepEqual((await verifyLedger(store)).breaks, []);
  });
});
