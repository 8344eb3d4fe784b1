import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import pg from "pg";
import { makeAccount } from "../../../test/make-account.ts";
import { makeCharge } from "../../../test/make-charge.ts";
import { readLedger } from "../../../test/read-ledger.ts";
import { waitUntil } from "../../../test/send.ts";
import { joinPostgres, whyPostgresIsSkipped } from "../../../test/start-postgres.ts";
import { type Relay, startRelay } from "../../../test/store/start-relay.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { migratePostgres } from "../../store/migrate.ts";
import { openPostgres } from "../../store/open-postgres.ts";
import type { PostgresStore } from "../../store/store.ts";
import { chargeOnPostgres } from "./charge-batch.postgres.ts";
import { termsAt, toColumns } from "./charge-batch.ts";

const nowMs = Date.UTC(2026, 0, 1);

describe("two batches on one connection", { skip: whyPostgresIsSkipped() }, () => {
  let postgres: Awaited<ReturnType<typeof joinPostgres>>;
  let relay: Relay;
  let store: PostgresStore;
  let watcher: pg.Client;
  before(async () => {
    postgres = await joinPostgres();
    const url = await postgres.newDatabase();
    await migratePostgres(url, nowMs);
    relay = await startRelay(url);
    store = openPostgres(relay.url, () => {});
    watcher = new pg.Client({ connectionString: url });
    await watcher.connect();
  });
  after(async () => {
    await store.close();
    await relay.close();
    await watcher.end();
    await postgres.stop();
  });

  const newAccount = async () => (await makeAccount(store, { nowMs })).accountId;
  const lockHead = (accountId: string) => watcher.query("SELECT 1 FROM ledger_heads WHERE account_id = $1 FOR UPDATE", [accountId]);
  const countEntries = async (...accountIds: string[]) => (await Promise.all(accountIds.map((each) => countOf(each)))).reduce((sum, count) => sum + count, 0);
  const countOf = async (accountId: string) =>
    (await watcher.query<{ count: number }>("SELECT count(*)::int AS count FROM ledger_entries WHERE account_id = $1", [accountId])).rows[0]!.count;
  const isSomeoneWaiting = async () =>
    (await watcher.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()")).rowCount! > 0;

  /** Charges two calls. Returns their receipts, or the failure. */
  const charge = (accountId: string): Promise<(string | undefined)[] | Error> =>
    chargeOnPostgres(store, toColumns([makeCharge({ accountId, atMs: nowMs }), makeCharge({ accountId, atMs: nowMs })], termsAt(nowMs, { payer: "platform", creditLimitMicroUsd: null }))).then(
      (outcomes) => outcomes.map((outcome) => (outcome.kind === "charged" ? outcome.receipt : undefined)),
      (error: Error) => error,
    );
  const receiptsOf = async (accountId: string) => (await readLedger(store, accountId)).map(({ seq, hash }) => `${seq}.${hash}`);

  it("one that fails between two others fails alone, and bills nothing", async () => {
    const [first, third] = [await newAccount(), await newAccount()];
    const outcomes = await Promise.all([charge(first), charge("acct_without_head"), charge(third)]);
    assert.ok(outcomes[1] instanceof Error);
    assert.deepEqual([outcomes[0], outcomes[2]], [await receiptsOf(first), await receiptsOf(third)]);
    assert.equal(await countEntries(first, third), 4);
  });

  it("the second is committed before the answer to the first is read; cut off then, both are read back and charged once", async () => {
    const [first, second] = [await newAccount(), await newAccount()];
    await charge(first);
    relay.holdAnswers();
    const charges = Promise.all([charge(first), charge(second)]);
    await waitUntil(async () => (await countEntries(first, second)) === 6, "both are committed");
    relay.cut();
    const [receiptsOfFirst, receiptsOfSecond] = await charges;
    assert.deepEqual(receiptsOfFirst, (await receiptsOf(first)).slice(2));
    assert.deepEqual(receiptsOfSecond, await receiptsOf(second));
    assert.equal(await countEntries(first, second), 6);
  });

  it("cut off while the first waits for a lock: each is charged once and answered, or refused and never billed", async () => {
    const [first, second] = [await newAccount(), await newAccount()];
    await charge(first);
    await watcher.query("BEGIN");
    await lockHead(first);
    const charges = Promise.all([charge(first), charge(second)]);
    await waitUntil(isSomeoneWaiting, "the first batch waits for the lock");
    relay.cut();
    await watcher.query("COMMIT");
    const [ofFirst, ofSecond] = await charges;
    const entries = [await receiptsOf(first), await receiptsOf(second)];
    assert.deepEqual([ofFirst instanceof Error ? [] : ofFirst, ofSecond instanceof Error ? [] : ofSecond], [entries[0]!.slice(2), entries[1]]);
    // A statement that was given up may still arrive, and bills nothing.
    assert.deepEqual(await charge(second), (await receiptsOf(second)).slice(-2));
    assert.equal(await countEntries(first, second), entries.flat().length + 2);
  });

  it("that carry one session: the second is committed before the answer to the first is read; cut off then, one call is attested and the others are used", async () => {
    const accountId = await newAccount();
    await charge(accountId);
    const sessionId = timeOrderedId("vis", nowMs);
    const copies = () => [1, 2].map(() => makeCharge({ accountId, atMs: nowMs, attestation: { sessionId, signals: 31, issues: null } }));
    const terms = termsAt(nowMs, { payer: "platform", creditLimitMicroUsd: null });
    const countBatches = async () => (await watcher.query<{ count: number }>("SELECT count(*)::int AS count FROM commit_batches WHERE committed = 1")).rows[0]!.count;
    const batchesBefore = await countBatches();
    relay.holdAnswers();
    const charges = Promise.all([copies(), copies()].map((batch) => chargeOnPostgres(store, toColumns(batch, terms))));
    await waitUntil(async () => (await countBatches()) === batchesBefore + 2, "both are committed");
    relay.cut();
    const outcomes = (await charges).flat();
    assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ["charged", "used", "used", "used"]);
    assert.equal(await countEntries(accountId), 3);
  });
});
