import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { createSeededRandom } from "../../../test/faults/rig/seeded-random.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../../test/make-charge.ts";
import { readLedger } from "../../../test/read-ledger.ts";
import { msPerDay, msPerHour } from "../../formats/time.ts";
import { idAt, timeOrderedId } from "../../ids/time-ordered-id.ts";
import { deleteExpired } from "../../operations/delete-expired.ts";
import { openStore } from "../../store/open-store.ts";
import type { Store } from "../../store/store.ts";
import { bookCorrection } from "../corrections/book-correction.ts";
import type { CallCharge, ChargeOutcome } from "./charge-batch.ts";
import { sumAttestedCalls } from "./ledger.table.ts";
import { readAttestedShare } from "./read-attested-share.ts";
import { verifyLedger } from "./verify-ledger.ts";

const startMs = Date.UTC(2026, 0, 1);
const priceMicroUsd = 50_000;

const newSession = () => timeOrderedId("vis", startMs);
const attestedBy = (sessionId: string | undefined, issues: string | null = null) => ({ attestation: { sessionId, signals: sessionId === undefined ? 0 : 31, issues } });
const keyed = (keyHash: string) => ({ idempotency: { keyHash, input: "the same request", body: `the answer to ${keyHash}` } });
const kindsOf = (outcomes: readonly ChargeOutcome[]) => outcomes.map(({ kind }) => kind);

const deposit = (store: Store, accountId: string, microUsd: number) =>
  bookCorrection(store, { actorAccountId: "acct_operator", mayCorrectOwn: false, nowMs: startMs, accountId, kind: "deposit", on: "prepaid", microUsd, reason: undefined });

/** Everything that a charge writes for an account. */
async function readWritten({ db }: Store, accountId: string) {
  const records = await db.selectFrom("session_records").select(["id", "mode", "attested", "attestation_issues", "ledger_seq"]).where("account_id", "=", accountId).orderBy("id").execute();
  const rollups = await db.selectFrom("usage_rollups").select(["endpoint", "calls", "attested_calls"]).where("account_id", "=", accountId).orderBy("endpoint").execute();
  const sessions = await db.selectFrom("attested_sessions").select(["id", "ref", "at"]).where("account_id", "=", accountId).orderBy("id").execute();
  const answers = await db.selectFrom("idempotency_answers").select(["key_hash", "body"]).where("account_id", "=", accountId).orderBy("key_hash").execute();
  const entries = await db.selectFrom("ledger_entries").select(["seq", "ref", "kind"]).where("account_id", "=", accountId).orderBy("seq").execute();
  return { records, rollups, sessions, answers, entries };
}

/** One call is charged as attested, the others changed nothing. */
async function assertOneAttested(store: Store, accountId: string, some: { sessionId: string; charges: readonly CallCharge[]; outcomes: readonly ChargeOutcome[] }): Promise<void> {
  const { sessionId, charges, outcomes } = some;
  assert.deepEqual(kindsOf(outcomes).toSorted(), ["charged", ...outcomes.slice(1).map(() => "used")]);
  const { ref, atMs } = charges[outcomes.findIndex(({ kind }) => kind === "charged")]!;
  const { records, rollups, sessions, entries } = await readWritten(store, accountId);
  assert.deepEqual(sessions.map((row) => ({ ...row })), [{ id: sessionId, ref, at: atMs }]);
  assert.deepEqual(records.map((row) => [row.id, row.attested]), [[ref, 31]]);
  assert.deepEqual(rollups.map((row) => [row.calls, row.attested_calls]), [[1, 1]]);
  assert.deepEqual(entries.map((row) => row.ref), [ref]);
}

describeBothStores("a session with a token", (open, dialect) => {
  async function prepare(options: Parameters<typeof makeCharger>[2] = {}) {
    const database = await open();
    const { store } = database;
    const { accountId } = await makeAccount(store, { nowMs: 1_000 });
    const { charge } = makeCharger(store, { nowMs: startMs }, options);
    return { database, store, accountId, charge, make: (more: Partial<CallCharge> = {}) => makeCharge({ accountId, atMs: startMs, ...more }) };
  }

  it("gives one attested call, although a hundred copies are sent at once", async () => {
    const { store, accountId, charge, make } = await prepare();
    const sessionId = newSession();
    const charges = Array.from({ length: 100 }, () => make(attestedBy(sessionId)));
    await assertOneAttested(store, accountId, { sessionId, charges, outcomes: await Promise.all(charges.map(charge)) });
    assert.equal((await charge(make(attestedBy(sessionId)))).kind, "used", "nor later");
    assert.deepEqual((await verifyLedger(store)).breaks, []);
  });

  it("gives one attested call within a batch, and the calls around it are charged", async () => {
    let batches = 0;
    const { store, accountId, charge, make } = await prepare({ onBatch: () => (batches += 1) });
    const other = await makeAccount(store, { nowMs: 1_000 });
    const [one, two] = [newSession(), newSession()];
    const charges = [
      make(attestedBy(one)),
      make(),
      make({ accountId: other.accountId, ...attestedBy(newSession()) }),
      make(attestedBy(one)),
      make({ ...attestedBy(two, "late_beats,proxied"), endpoint: "score" }),
      make(attestedBy(undefined, "token_expired")),
      make(attestedBy(one)),
      make({ verdict: undefined, endpoint: "servicescore_analyze", ref: "an_1" }),
      make(attestedBy(two)),
    ];
    const outcomes = await Promise.all(charges.map(charge));
    assert.equal(batches, 1);
    assert.deepEqual(kindsOf(outcomes), ["charged", "charged", "charged", "used", "charged", "charged", "used", "charged", "used"]);
    const written = await readWritten(store, accountId);
    assert.deepEqual(written.sessions.map(({ id, ref }) => [id, ref]), [[one, charges[0]!.ref], [two, charges[4]!.ref]]);
    assert.deepEqual(
      written.records.map(({ id, attested, attestation_issues: issues }) => [id, attested, issues]),
      [[charges[0]!.ref, 31, null], [charges[1]!.ref, null, null], [charges[4]!.ref, 31, "late_beats,proxied"], [charges[5]!.ref, 0, "token_expired"]],
    );
    assert.deepEqual(written.rollups.map(({ endpoint, calls, attested_calls: attested }) => [endpoint, calls, attested]), [["predict", 3, 1], ["score", 1, 1], ["servicescore_analyze", 1, 0]]);
    assert.deepEqual(written.entries.map(({ ref }) => ref), [0, 1, 4, 5, 7].map((index) => charges[index]!.ref));
    const span = { accountId, fromMs: startMs, toMs: startMs + msPerHour };
    const { calls, attested } = await sumAttestedCalls(store.db, span).executeTakeFirstOrThrow();
    assert.deepEqual([calls, attested], [4, 2], "an analysis of traffic cannot be attested and does not count");
    assert.equal(await readAttestedShare(store, { accountId, nowMs: startMs }), 0.5);
    assert.equal(await readAttestedShare(store, { accountId, nowMs: startMs + 31 * msPerDay }), null);
    assert.deepEqual((await verifyLedger(store)).breaks, []);
  });

  if (dialect === "postgres") it("gives one attested call when two nodes charge its copies at once, repeatedly", async () => {
    const { database, store, charge } = await prepare();
    const { store: otherStore } = await openStore(database, { nowMs: startMs, onConnectionError: () => {} });
    try {
      const nodes = [charge, makeCharger(otherStore, { nowMs: startMs }).charge];
      for (let round = 0; round < 5; round += 1) {
        const { accountId } = await makeAccount(store, { nowMs: 1_000 });
        const sessionId = newSession();
        const charges = Array.from({ length: 100 }, () => makeCharge({ accountId, atMs: startMs, ...attestedBy(sessionId) }));
        const outcomes = await Promise.all(charges.map((each, index) => nodes[index % 2]!(each)));
        await assertOneAttested(store, accountId, { sessionId, charges, outcomes });
      }
    } finally {
      await otherStore.close();
    }
  });

  it("is judged after the stored answer of its key, and a used one stores no answer", async () => {
    const { store, accountId, charge, make } = await prepare();
    const sessionId = newSession();
    const first = make({ ...attestedBy(sessionId), ...keyed("first-key") });
    const outcome = await charge(first);
    assert.ok(outcome.kind === "charged");
    const again = await charge(make({ ...attestedBy(sessionId), ...keyed("first-key") }));
    assert.ok(again.kind === "replayed" && again.receipt === outcome.receipt && again.body === "the answer to first-key");
    assert.equal((await charge(make({ ...attestedBy(sessionId), ...keyed("second-key") }))).kind, "used");
    assert.deepEqual((await readWritten(store, accountId)).answers.map((row) => row.key_hash), ["first-key"]);
    assert.equal((await charge(make({ ...attestedBy(undefined, "token_used"), ...keyed("second-key") }))).kind, "charged");
    const { answers, rollups, records } = await readWritten(store, accountId);
    assert.deepEqual(answers.map((row) => row.key_hash), ["first-key", "second-key"]);
    assert.deepEqual(rollups.map((row) => [row.calls, row.attested_calls]), [[2, 1]]);
    assert.deepEqual(records.map((row) => [row.attested, row.attestation_issues]), [[31, null], [0, "token_used"]]);
  });

  it("whose call is answered from the store is not used by that, and a copy after it in the batch is charged", async () => {
    let batches = 0;
    const { store, accountId, charge, make } = await prepare({ onBatch: () => (batches += 1) });
    await charge(make(keyed("known-key")));
    const sessionId = newSession();
    batches = 0;
    const charges = [make({ ...attestedBy(sessionId), ...keyed("known-key") }), make(attestedBy(sessionId)), make({ ...attestedBy(sessionId), ...keyed("known-key-of-a-copy") })];
    assert.deepEqual(kindsOf(await Promise.all(charges.map(charge))), ["replayed", "charged", "used"]);
    assert.equal(batches, 1);
    assert.deepEqual((await readWritten(store, accountId)).sessions.map(({ ref }) => ref), [charges[1]!.ref]);
  });

  it("is left unused by a call that prepaid money does not cover, and a used one is told before the money", async () => {
    const { store, accountId, charge, make } = await prepare({ payer: "developer", prepaid: { fromMs: 0, creditLimitMicroUsd: 0 } });
    await deposit(store, accountId, 2 * priceMicroUsd);
    const [used, left] = [newSession(), newSession()];
    const outcomes = await Promise.all([make(attestedBy(used)), make(), make(attestedBy(left)), make(attestedBy(used)), make(attestedBy(left))].map(charge));
    assert.deepEqual(kindsOf(outcomes), ["charged", "charged", "refused", "used", "refused"]);
    assert.deepEqual((await readWritten(store, accountId)).sessions.map(({ id }) => id), [used]);
    await deposit(store, accountId, priceMicroUsd);
    assert.equal((await charge(make(attestedBy(left)))).kind, "charged");
    assert.deepEqual((await readLedger(store, accountId)).map(({ kind }) => kind), ["deposit", "call", "call", "deposit", "call"]);
    assert.deepEqual((await verifyLedger(store)).breaks, []);
  });

  it("is neither looked up nor used in test mode, and the record says what its token gave", async () => {
    const { store, accountId, charge, make } = await prepare();
    const sessionId = newSession();
    const mode = "test";
    assert.deepEqual(kindsOf(await Promise.all([1, 2].map(() => charge(make({ mode, ...attestedBy(sessionId, "proxied") }))))), ["charged", "charged"]);
    assert.equal((await charge(make(attestedBy(sessionId)))).kind, "charged");
    const later = await charge(make({ mode, ...attestedBy(sessionId) }));
    assert.deepEqual(later, { kind: "charged", receipt: undefined });
    const { sessions, records, rollups } = await readWritten(store, accountId);
    assert.equal(sessions.length, 1);
    assert.deepEqual(records.map((row) => [row.mode, row.attested, row.attestation_issues]), [["test", 31, "proxied"], ["test", 31, "proxied"], ["live", 31, null], ["test", 31, null]]);
    assert.deepEqual(rollups.map((row) => [row.calls, row.attested_calls]), [[1, 1]]);
  });

  it("is deleted 48 hours after it was used, however long it lasted", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: 1_000 });
    const nowMs = startMs + 10 * msPerDay;
    const hoursAgo = [[72, 49], [72, 47], [49, 49], [48.001, 48.001], [47.999, 47.999], [1, 1]];
    const rows = hoursAgo.map(([startedHours, usedHours], index) => ({
      id: idAt("vis", nowMs - startedHours! * msPerHour),
      account_id: accountId,
      ref: `sess_${index}`,
      at: nowMs - usedHours! * msPerHour,
    }));
    await store.db.insertInto("attested_sessions").values(rows).execute();
    const { isMore } = await deleteExpired(store, { nowMs, retentionDays: 90, isOver: () => false });
    assert.equal(isMore, false);
    const left = await store.db.selectFrom("attested_sessions").select("ref").orderBy("ref").execute();
    assert.deepEqual(left.map(({ ref }) => ref), ["sess_1", "sess_4", "sess_5"]);
  });

  /** What must become of calls, one after the other in the order of their accounts. */
  function predictOutcomes(state: { keys: Set<string>; used: Set<string>; left: Map<string, number> }, charges: readonly CallCharge[]): string[] {
    const kinds = new Map<CallCharge, string>();
    const decide = ({ accountId, mode, attestation, idempotency }: CallCharge): string => {
      if (idempotency && state.keys.has(idempotency.keyHash)) return "replayed";
      if (mode === "live") {
        const session = attestation?.sessionId;
        if (session !== undefined && state.used.has(session)) return "used";
        if (state.left.get(accountId)! < priceMicroUsd) return "refused";
        state.left.set(accountId, state.left.get(accountId)! - priceMicroUsd);
        if (session !== undefined) state.used.add(session);
      }
      if (idempotency) state.keys.add(idempotency.keyHash);
      return "charged";
    };
    for (const charge of charges.toSorted((one, other) => (one.accountId < other.accountId ? -1 : one.accountId > other.accountId ? 1 : 0))) kinds.set(charge, decide(charge));
    return charges.map((charge) => kinds.get(charge)!);
  }

  it("and keys and balances in any mixture have the outcomes that the rules give, on both databases", async () => {
    const seen = new Set<string>();
    for (const seed of [1, 2, 3, 4]) {
      const random = createSeededRandom(seed);
      const { store, charge } = await prepare({ payer: "developer", prepaid: { fromMs: 0, creditLimitMicroUsd: 0 } });
      const accountIds = [await makeAccount(store, { nowMs: 1_000 }), await makeAccount(store, { nowMs: 1_000 })].map(({ accountId }) => accountId);
      const sessions = accountIds.map(() => Array.from({ length: 8 }, newSession));
      const state = { keys: new Set<string>(), used: new Set<string>(), left: new Map(accountIds.map((id) => [id, 0])) };
      const draw = (index: number, batch: number): CallCharge => {
        const account = random.between(0, 1);
        // Under a key of its own, or one of an earlier batch: answer-once.ts never sends one key twice in a batch.
        const key = random.isTrue(0.4) ? `key-${seed}-${account}-${random.isTrue(0.5) ? random.between(0, batch) : batch}-${index}` : undefined;
        return makeCharge({
          accountId: accountIds[account]!,
          atMs: startMs,
          mode: random.isTrue(0.15) ? "test" : "live",
          ...(random.isTrue(0.7) && attestedBy(random.isTrue(0.85) ? sessions[account]![random.between(0, 7)] : undefined)),
          ...(key !== undefined && keyed(key)),
        });
      };
      for (let batch = 0; batch < 8; batch += 1) {
        for (const accountId of accountIds) {
          const microUsd = random.between(0, 6) * 30_000;
          if (microUsd === 0) continue;
          await deposit(store, accountId, microUsd);
          state.left.set(accountId, state.left.get(accountId)! + microUsd);
        }
        const charges = Array.from({ length: random.between(1, 25) }, (_, index) => draw(index, batch));
        const expected = predictOutcomes(state, charges);
        assert.deepEqual(kindsOf(await Promise.all(charges.map(charge))), expected, `seed ${seed}, batch ${batch}`);
        for (const kind of expected) seen.add(kind);
      }
      const stored = await store.db.selectFrom("attested_sessions").select("id").execute();
      assert.deepEqual(new Set(stored.map(({ id }) => id)), state.used);
      assert.deepEqual((await verifyLedger(store)).breaks, []);
    }
    assert.deepEqual([...seen].toSorted(), ["charged", "refused", "replayed", "used"]);
  });
});
