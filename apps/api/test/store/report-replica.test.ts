import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import pg from "pg";
import { openStore } from "../../src/store/open-store.ts";
import { createReplicaAge, parsePosition } from "../../src/store/reports/replica-age.ts";
import type { Store } from "../../src/store/store.ts";
import { makeAccount, type TestAccount, vastTier } from "../make-account.ts";
import { predict, send, waitUntil } from "../send.ts";
import { startPostgres, type TestPostgres, whyPostgresIsSkipped } from "../start-postgres.ts";
import { makeTestFolder, startService, type TestService } from "../start-service.ts";

/** As documented. */
const staleSecondsMax = 10;

it("a replica is as new as the newest position of the primary that it has replayed", () => {
  const age = createReplicaAge();
  age.noteReplica(50n);
  assert.equal(age.asOfMs(), undefined, "nothing is known of the primary");
  age.notePrimary({ position: 100n, atMs: 1_000 });
  age.noteReplica(99n);
  assert.equal(age.asOfMs(), undefined, "one byte is missing");
  age.notePrimary({ position: 200n, atMs: 2_000 });
  age.noteReplica(150n);
  assert.equal(age.asOfMs(), 1_000);
  age.notePrimary({ position: 200n, atMs: 3_000 });
  age.noteReplica(200n);
  assert.equal(age.asOfMs(), 3_000, "an idle primary has nothing newer");
  age.noteReplica(120n);
  assert.equal(age.asOfMs(), 1_000, "it was made again from an older copy");
  age.notePrimary({ position: 90n, atMs: 4_000 });
  assert.equal(age.asOfMs(), undefined, "another primary: positions of the old one say nothing");
  assert.deepEqual([parsePosition("0/0"), parsePosition("1/A"), parsePosition("16/B374D848")], [0n, 0x1_0000_000an, 0x16_b374_d848n]);
});

describe("reports from a replica", { skip: whyPostgresIsSkipped() }, () => {
  let primary: TestPostgres;
  let replica: TestPostgres;
  let database: { databaseUrl: string; databaseOwnerUrl: string };
  let store: Store;
  let node: TestService;
  let account: TestAccount;
  let operator: pg.Client;

  before(async () => {
    primary = await startPostgres();
    database = await primary.newMigratedDatabase();
    replica = await startPostgres(undefined, { standbyOf: primary });
    ({ store } = await openStore({ databaseUrl: database.databaseUrl, dataDir: makeTestFolder() }, { nowMs: Date.now(), onConnectionError: () => {} }));
    account = await makeAccount(store, { tier: vastTier });
    node = await startService({ databaseUrl: database.databaseUrl, env: { DATABASE_REPORT_URL: at(replica), LOG_LEVEL: "info" } });
    operator = await connect();
  });
  after(async () => {
    await operator?.end();
    await node?.stop();
    await store?.close();
    await replica?.stop();
    await primary?.stop();
  });

  /** The same database at the other server. */
  const at = ({ port }: TestPostgres) => Object.assign(new URL(database.databaseUrl), { port: String(port) }).href;
  const connect = async () => {
    const client = new pg.Client({ connectionString: replica.url });
    client.on("error", () => {});
    await client.connect();
    return client;
  };
  const headers = () => ({ "x-api-key": account.liveKey });
  const usage = async () => {
    const answer = await send(node, "/api/usage", { headers: headers() });
    assert.equal(answer.status, 200);
    const asOf = answer.headers["assay-data-as-of"];
    return { calls: answer.json().calls as number, asOf: asOf === undefined ? undefined : Date.parse(String(asOf)) };
  };
  const pending = async () => {
    const answer = await send(node, "/api/balance", { headers: headers() });
    assert.equal(answer.headers["assay-data-as-of"], undefined);
    return JSON.stringify(answer.json());
  };
  const from = async () => (await send(node, "/api/status")).json().reports as { from: string; stale_seconds_max: number };
  const untilFrom = (place: string) => waitUntil(async () => (await from()).from === place, `reports are read from the ${place}`);
  const lag = async () => /^assay_report_replica_lag_seconds (\S+)$/m.exec((await send(node, "/metrics")).text)?.[1];

  it("come from it, say how old they may be, and are no older than the bound; balances are never read from it", async () => {
    await untilFrom("replica");
    assert.deepEqual(await from(), { from: "replica", stale_seconds_max: staleSecondsMax });
    assert(Number(await lag()) >= 0);
    assert.equal((await predict(node, account.liveKey)).status, 200);
    await waitUntil(async () => (await usage()).calls === 1, "the replica has the call");
    await operator.query("SELECT pg_wal_replay_pause()");
    const earlier = await pending();
    const pausedMs = Date.now();
    for (let call = 0; call < 5; call += 1) assert.equal((await predict(node, account.liveKey)).status, 200);
    const stale = await usage();
    assert(stale.asOf !== undefined && stale.calls === 1, "the report is the replica's, which stands still");
    assert.notEqual(await pending(), earlier, "the balance has the new calls");
    // Every answer keeps its promise, also on the way to the primary.
    await waitUntil(async () => {
      const askedMs = Date.now();
      const { calls, asOf } = await usage();
      if (asOf === undefined) {
        assert.equal(calls, 6, "the primary's report is current");
        return true;
      }
      assert(askedMs - asOf <= staleSecondsMax * 1_000 + 1_000, `as of ${askedMs - asOf} ms before the question`);
      assert(asOf <= pausedMs + 3_000, "a replica that stands still does not become newer");
      return false;
    }, "reports are read from the primary");
    assert.deepEqual(await from(), { from: "primary", stale_seconds_max: 0 });
    // The change is logged with the next measurement, which must not find a replica that has caught up.
    await waitUntil(() => node.logs().includes("the replica cannot be used: reports are read from the primary"), "the change is logged");
    await operator.query("SELECT pg_wal_replay_resume()");
    await untilFrom("replica");
    assert.equal((await usage()).calls, 6, "it has caught up");
  });

  it("come from the primary while the replica is down, which fails nothing, and no start either", async () => {
    await replica.halt();
    for (let asked = 0; asked < 10; asked += 1) assert.equal((await usage()).calls, 6);
    const other = await startService({ databaseUrl: database.databaseUrl, env: { DATABASE_REPORT_URL: at(replica) } });
    try {
      assert.equal((await send(other, "/health/ready")).status, 200);
      assert.deepEqual((await send(other, "/api/status")).json().reports, { from: "primary", stale_seconds_max: 0 });
    } finally {
      await other.stop();
    }
    await untilFrom("primary");
    await replica.restart();
    await untilFrom("replica");
    assert.equal((await usage()).calls, 6);
  });

  it("a replica that was promoted is neither read nor written", async () => {
    const promoter = await connect();
    await promoter.query("SELECT pg_promote()");
    await waitUntil(async () => (await usage()).asOf === undefined, "reports are read from the primary");
    const ledgerAt = async (server: TestPostgres) => {
      const client = new pg.Client({ connectionString: Object.assign(new URL(server.url), { pathname: new URL(database.databaseUrl).pathname }).href });
      await client.connect();
      try {
        return Number((await client.query("SELECT count(*) AS count FROM ledger_entries")).rows[0].count);
      } finally {
        await client.end();
      }
    };
    const entries = await ledgerAt(replica);
    assert.equal((await predict(node, account.liveKey)).status, 200);
    assert.equal((await usage()).calls, 7);
    assert.equal((await usage()).asOf, undefined);
    assert.equal(await ledgerAt(replica), entries);
    await promoter.end();
  });
});
