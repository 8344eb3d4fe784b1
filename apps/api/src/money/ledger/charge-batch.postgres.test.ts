import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { makeCharge } from "../../../test/make-charge.ts";
import { readLedger } from "../../../test/read-ledger.ts";
import { msPerHour } from "../../formats/time.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import type { LineClient, PostgresStore } from "../../store/store.ts";
import { bookCorrection } from "../corrections/book-correction.ts";
import { chargeOnPostgres } from "./charge-batch.postgres.ts";
import { type CallCharge, termsAt, toColumns } from "./charge-batch.ts";

const nowMs = Date.UTC(2026, 0, 1);

/** The store, with a line whose connection breaks after its statement was committed: the answer is lost. */
function losingTheAnswer({ chargeLine, commitPool }: PostgresStore): Pick<PostgresStore, "chargeLine" | "commitPool"> {
  const connect = async (): Promise<LineClient> => {
    const line = await chargeLine.connect();
    return {
      async query(statement) {
        await line.query(statement);
        throw new Error("Connection terminated unexpectedly");
      },
    };
  };
  return { chargeLine: { ...chargeLine, connect }, commitPool };
}

describeBothStores("a batch whose answer was lost", (open, dialect) => {
  if (dialect === "sqlite") return;

  it("is read back: calls that it charged are its own, and replays are answered with what was stored before", async () => {
    const { store } = await open();
    assert.ok(store.dialect === "postgres");
    const { accountId } = await makeAccount(store, { nowMs });
    const charge = (key: string | undefined, body: string) =>
      makeCharge({ accountId, atMs: nowMs, idempotency: key === undefined ? undefined : { keyHash: key, input: "the same request", body } });
    const batchOf = (charges: ReturnType<typeof charge>[]) => toColumns(charges, termsAt(nowMs, { payer: "platform", creditLimitMicroUsd: null }));
    const [earlier] = await chargeOnPostgres(store, batchOf([charge("known", "the first answer")]));
    const outcomes = await chargeOnPostgres(
      losingTheAnswer(store),
      batchOf([charge("known", "a second answer"), charge("new", "its own answer"), charge(undefined, "")]),
    );
    assert.deepEqual(outcomes.map(({ kind }) => kind), ["replayed", "charged", "charged"]);
    assert.ok(outcomes[0]!.kind === "replayed" && outcomes[0]!.body === "the first answer");
    const entries = (await readLedger(store, accountId)).map(({ seq, hash }) => `${seq}.${hash}`);
    assert.deepEqual([earlier!, ...outcomes].map((outcome) => "receipt" in outcome && outcome.receipt), [entries[0], ...entries]);
  });

  it("is read back: what prepaid money did not cover is refused, not charged, and an expired answer is not replayed [threat: free-refusal]", async () => {
    const { store } = await open();
    assert.ok(store.dialect === "postgres");
    const { accountId } = await makeAccount(store, { nowMs });
    const deposit = { accountId, kind: "deposit", on: "prepaid", microUsd: 100_000, reason: undefined, actorAccountId: "acct_operator", mayCorrectOwn: false, nowMs } as const;
    await bookCorrection(store, deposit);
    const charge = (key: string | undefined, mode: "live" | "test" = "live") =>
      makeCharge({ accountId, mode, atMs: nowMs, idempotency: key === undefined ? undefined : { keyHash: key, input: "the same request", body: `an answer to ${key}` } });
    const batchOf = (charges: ReturnType<typeof charge>[], atMs = nowMs) =>
      toColumns(charges, termsAt(atMs, { payer: "developer", creditLimitMicroUsd: 0 }));
    await chargeOnPostgres(store, batchOf([charge("old")]));
    const nextDay = nowMs + 24 * msPerHour + 1;
    const batch = [charge("new"), charge("old"), charge(undefined), charge(undefined, "test"), charge("test", "test")];
    const outcomes = await chargeOnPostgres(losingTheAnswer(store), batchOf(batch, nextDay));
    assert.deepEqual(outcomes.map(({ kind }) => kind), ["charged", "refused", "refused", "charged", "charged"]);
    const [, , charged] = (await readLedger(store, accountId)).map(({ seq, hash }) => `${seq}.${hash}`);
    assert.deepEqual(outcomes.map((outcome) => outcome.kind === "charged" && outcome.receipt), [charged, false, false, undefined, undefined]);
  });

  it("is read back: what its session's earlier use refused is told from what prepaid money did not cover, and neither was charged", async () => {
    const { store } = await open();
    assert.ok(store.dialect === "postgres");
    const { accountId } = await makeAccount(store, { nowMs });
    await bookCorrection(store, { accountId, kind: "deposit", on: "prepaid", microUsd: 150_000, reason: undefined, actorAccountId: "acct_operator", mayCorrectOwn: false, nowMs });
    const [earlier, own, unused] = [timeOrderedId("vis", nowMs), timeOrderedId("vis", nowMs), timeOrderedId("vis", nowMs)];
    const charge = (sessionId: string | undefined, options: Partial<CallCharge> = {}) => {
      const made = makeCharge({ accountId, atMs: nowMs, attestation: { sessionId, signals: 31, issues: null }, ...options });
      return { ...made, ...(made.idempotency && { idempotency: { ...made.idempotency, body: `the answer ${made.ref}` } }) };
    };
    const key = (keyHash: string) => ({ idempotency: { keyHash, input: "the same request", body: "" } });
    const batchOf = (charges: CallCharge[]) => toColumns(charges, termsAt(nowMs, { payer: "developer", creditLimitMicroUsd: 0 }));
    const [known] = await chargeOnPostgres(store, batchOf([charge(earlier, key("known"))]));
    const batch = [
      charge(own, key("new")),
      charge(own, key("new-too")),
      charge(earlier),
      charge(earlier, key("known")),
      charge(undefined),
      charge(unused, key("uncovered")),
      charge(earlier, key("used")),
      charge(earlier, { mode: "test" }),
    ];
    const outcomes = await chargeOnPostgres(losingTheAnswer(store), batchOf(batch));
    assert.deepEqual(outcomes.map(({ kind }) => kind), ["charged", "used", "used", "replayed", "charged", "refused", "used", "charged"]);
    const [, first, second, third, ...more] = (await readLedger(store, accountId)).map(({ seq, hash }) => `${seq}.${hash}`);
    assert.deepEqual(more, []);
    assert.deepEqual([known, ...outcomes].map((outcome) => outcome && "receipt" in outcome && outcome.receipt), [first, second, false, false, first, third, false, false, undefined]);
    assert.deepEqual(await chargeOnPostgres(store, batchOf(batch.slice(0, 1))).then(([outcome]) => outcome!.kind), "replayed");
    const sessions = await store.db.selectFrom("attested_sessions").select("id").execute();
    assert.deepEqual(new Set(sessions.map(({ id }) => id)), new Set([earlier, own]));
  });
});
