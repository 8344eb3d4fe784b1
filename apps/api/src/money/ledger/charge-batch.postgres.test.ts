import assert from "node:assert/strict";
import { it } from "node:test";
import type { Pool, PoolClient } from "pg";
import { describeBothStores } from "../../../test/both-stores.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { makeCharge } from "../../../test/make-charge.ts";
import { readLedger } from "../../../test/read-ledger.ts";
import { msPerHour } from "../../formats/time.ts";
import { bookCorrection } from "../corrections/book-correction.ts";
import { chargeOnPostgres } from "./charge-batch.postgres.ts";
import { toColumns } from "./charge-batch.ts";

const nowMs = Date.UTC(2026, 0, 1);

/** A pool whose first connection breaks after its statement was committed: the answer is lost. */
function losingTheFirstAnswer(pool: Pool): Pool {
  let isLost = false;
  const connect = async (): Promise<PoolClient> => {
    const client = await pool.connect();
    if (isLost) return client;
    isLost = true;
    const query = client.query.bind(client) as (statement: unknown) => Promise<unknown>;
    return Object.assign(Object.create(client) as PoolClient, {
      async query(statement: unknown) {
        await query(statement);
        throw new Error("Connection terminated unexpectedly");
      },
      release: () => client.release(),
    });
  };
  return Object.assign(Object.create(pool) as Pool, { connect, query: pool.query.bind(pool) });
}

describeBothStores("a batch whose answer was lost", (open, dialect) => {
  if (dialect === "sqlite") return;

  it("is read back: calls that it charged are its own, and replays are answered with what was stored before", async () => {
    const { store } = await open();
    assert.ok(store.dialect === "postgres");
    const { accountId } = await makeAccount(store, { nowMs });
    const charge = (key: string | undefined, body: string) =>
      makeCharge({ accountId, atMs: nowMs, idempotency: key === undefined ? undefined : { keyHash: key, input: "the same request", body } });
    const batchOf = (charges: ReturnType<typeof charge>[]) => toColumns(charges, { payer: "platform", modelVersion: "m", creditLimitMicroUsd: null, nowMs }).columns;
    const [earlier] = await chargeOnPostgres(store.commitPool, batchOf([charge("known", "the first answer")]));
    const outcomes = await chargeOnPostgres(
      losingTheFirstAnswer(store.commitPool),
      batchOf([charge("known", "a second answer"), charge("new", "its own answer"), charge(undefined, "")]),
    );
    assert.deepEqual(outcomes.map(({ kind }) => kind), ["replayed", "charged", "charged"]);
    assert.ok(outcomes[0]!.kind === "replayed" && outcomes[0]!.body === "the first answer");
    const entries = (await readLedger(store, accountId)).map(({ seq, hash }) => `${seq}.${hash}`);
    assert.deepEqual([earlier!, ...outcomes].map((outcome) => outcome.kind !== "refused" && outcome.receipt), [entries[0], ...entries]);
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
      toColumns(charges, { payer: "developer", modelVersion: "m", creditLimitMicroUsd: 0, nowMs: atMs }).columns;
    await chargeOnPostgres(store.commitPool, batchOf([charge("old")]));
    const nextDay = nowMs + 24 * msPerHour + 1;
    const batch = [charge("new"), charge("old"), charge(undefined), charge(undefined, "test"), charge("test", "test")];
    const outcomes = await chargeOnPostgres(losingTheFirstAnswer(store.commitPool), batchOf(batch, nextDay));
    assert.deepEqual(outcomes.map(({ kind }) => kind), ["charged", "refused", "refused", "charged", "charged"]);
    const [, , charged] = (await readLedger(store, accountId)).map(({ seq, hash }) => `${seq}.${hash}`);
    assert.deepEqual(outcomes.map((outcome) => outcome.kind === "charged" && outcome.receipt), [charged, false, false, undefined, undefined]);
  });
});
