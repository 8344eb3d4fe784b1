import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { makeAccount, type TestAccount, vastTier } from "../../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../../test/make-charge.ts";
import { readLedger, receiptOf } from "../../../test/read-ledger.ts";
import { type Answer, predict } from "../../../test/send.ts";
import type { TestService } from "../../../test/start-service.ts";
import { verifyLedger } from "./verify-ledger.ts";

const accountsCount = 12;
const callsPerAccount = 40;

describeBothStores("concurrent calls", (open, dialect) => {
  let database: TestDatabase;
  let nodes: TestService[];
  let accounts: TestAccount[];

  before(async () => {
    database = await open();
    // A SQLite file has one node only.
    nodes = await Promise.all(Array.from({ length: dialect === "postgres" ? 2 : 1 }, () => database.serve()));
    accounts = [];
    for (let count = 0; count < accountsCount; count += 1) accounts.push(await makeAccount(database.store, { tier: vastTier }));
  });

  it("are each billed once, each with its own receipt, in chains that verify", async () => {
    const callers = Array.from({ length: callsPerAccount }, (_, call) => accounts.map((account) => ({ account, call }))).flat();
    const answers = new Map<TestAccount, Answer[]>(accounts.map((account) => [account, []]));
    await Promise.all(
      callers.map(async ({ account, call }, index) => {
        const key = call % 10 === 9 ? account.testKey : account.liveKey;
        const answer = await predict(nodes[index % nodes.length]!, key);
        assert.equal(answer.status, 200, answer.text);
        answers.get(account)!.push(answer);
      }),
    );
    for (const account of accounts) {
      const billed = answers.get(account)!.filter((answer) => receiptOf(answer) !== undefined);
      const promised = billed.map((answer) => ({ ...receiptOf(answer)!, ref: answer.json().session_id })).toSorted((one, other) => one.seq - other.seq);
      const entries = await readLedger(database.store, account.accountId);
      assert.deepEqual(promised, entries.map(({ seq, hash, ref }) => ({ seq, hash, ref })));
      assert.equal(entries.length, callsPerAccount * 0.9);
    }
    const report = await verifyLedger(database.store);
    assert.deepEqual([report.ok, report.breaks, report.entries], [true, [], accountsCount * callsPerAccount * 0.9]);
  });

  it("fail together when one of a batch cannot be billed, and nothing is charged", async () => {
    const { store } = database;
    const nowMs = Date.now();
    const charger = makeCharger(store, { nowMs });
    const account = await makeAccount(store);
    const charges = [
      makeCharge({ accountId: account.accountId, atMs: nowMs }),
      makeCharge({ accountId: "acct_that_does_not_exist", atMs: nowMs }),
    ];
    const outcomes = await Promise.allSettled(charges.map((charge) => charger.charge(charge)));
    for (const outcome of outcomes) {
      assert(outcome.status === "rejected");
      assert.equal((outcome.reason as { code: string }).code, "overloaded");
    }
    assert.deepEqual(await readLedger(store, account.accountId), []);
    const next = await charger.charge(charges[0]!);
    assert(next.kind === "charged" && next.receipt?.startsWith("1."));
  });

  it("of one batch at two rates and in two hours are summed apart, in usage that equals the ledger", async () => {
    const { store } = database;
    const atMs = Date.UTC(2026, 0, 1, 0, 59, 59, 999);
    const { accountId } = await makeAccount(store, { nowMs: atMs });
    const charger = makeCharger(store, { nowMs: atMs });
    const kinds = [6_800, 6_900].flatMap((shareBps) => [atMs, atMs + 1].map((each) => ({ shareBps, atMs: each })));
    await Promise.all(kinds.map((kind) => charger.charge(makeCharge({ accountId, ...kind }))));
    const rollups = await store.db.selectFrom("usage_rollups").select(["hour", "share_bps", "calls"]).where("account_id", "=", accountId).execute();
    assert.equal(rollups.reduce((sum, { calls }) => sum + calls, 0), kinds.length);
    assert.deepEqual(new Set(rollups.map(({ share_bps }) => share_bps)), new Set([6_800, 6_900]));
    const report = await verifyLedger(store);
    assert.deepEqual([report.ok, report.breaks], [true, []]);
  });

  it("of a flooding account fill at most half of the queue, the rest is refused uncharged, and another account gets into the next batch", async () => {
    const { store } = database;
    const nowMs = Date.now();
    let batches = 0;
    const charger = makeCharger(store, { nowMs }, { onBatch: () => (batches += 1) });
    const [loud, quiet] = [await makeAccount(store), await makeAccount(store)];
    // Two batches of 32 (64 on PostgreSQL) start at once; the queue behind them has 10,000 places.
    const takenMax = 2 * (store.dialect === "sqlite" ? 32 : 64) + 5_000;
    const charges = Array.from({ length: takenMax + 25 }, () => charger.charge(makeCharge({ accountId: loud.accountId, atMs: nowMs })));
    assert.equal(charger.depth(), takenMax);
    const quietBatch = charger.charge(makeCharge({ accountId: quiet.accountId, atMs: nowMs })).then(() => batches);
    const outcomes = await Promise.allSettled(charges);
    assert((await quietBatch) <= 3, `the quiet account waited for ${await quietBatch} batches`);
    assert(batches >= 5_000 / 250, "the flood took many more");
    const refused = outcomes.filter(({ status }) => status === "rejected");
    assert.equal(refused.length, 25);
    for (const { reason } of refused as PromiseRejectedResult[]) assert.equal((reason as { code: string }).code, "overloaded");
    assert.equal((await readLedger(store, loud.accountId)).length, takenMax);
    await charger.drain();
  });
});
