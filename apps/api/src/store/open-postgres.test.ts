import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { makeAccount } from "../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../test/make-charge.ts";
import { waitUntil } from "../../test/send.ts";
import { startPostgres, type TestPostgres, whyPostgresIsSkipped } from "../../test/start-postgres.ts";
import { migratePostgres } from "./migrate.ts";
import { migrations } from "./migrations/list.ts";
import type { Migration } from "./migrations/migration.ts";
import { connectionsPerNode, openPostgres } from "./open-postgres.ts";
import type { PostgresStore } from "./store.ts";

/** A second is how long the server waits for a client in the middle of a transaction. */
const standstillMs = 1_300;

describe("a node's connections to PostgreSQL", { skip: whyPostgresIsSkipped() }, () => {
  let postgres: TestPostgres;
  let store: PostgresStore;
  let watcher: pg.Client;
  const ended: (Error & { code?: string })[] = [];
  before(async () => {
    postgres = await startPostgres();
    const url = await postgres.newDatabase();
    await migratePostgres(url, Date.now());
    store = openPostgres(url, (error) => ended.push(error));
    watcher = new pg.Client({ connectionString: url });
    watcher.on("error", () => {});
    await watcher.connect();
  });
  after(async () => {
    await store.close();
    await watcher.end();
    await postgres.stop();
  });

  const countConnections = async () =>
    (await watcher.query<{ count: number }>("SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'assay'")).rows[0]!.count;
  const napOf = (seconds: number) => sql`SELECT pg_sleep(${sql.lit(seconds)})`.execute(store.db);

  const write = () => store.write([store.db.deleteFrom("key_changes").where("seq", "<", 0)]);

  it("are bounded, and calls are billed even while reports occupy all of theirs", async () => {
    const { accountId } = await makeAccount(store);
    const charger = makeCharger(store, { nowMs: Date.now() });
    let areReportsDone = false;
    const reports = Promise.all(Array.from({ length: 60 }, () => napOf(0.15))).then(() => (areReportsDone = true));
    const counts: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(Array.from({ length: 100 }, () => charger.charge(makeCharge({ accountId, atMs: Date.now() }))));
      counts.push(await countConnections());
    }
    assert.equal(areReportsDone, false, "500 calls were billed while the reports were running");
    await reports;
    assert(counts.every((count) => count <= connectionsPerNode) && counts.some((count) => count > 1), String(counts));
  });

  it("make every commit durable, whatever the database, the role and the URL say", async () => {
    const url = new URL(await postgres.newDatabase());
    await migratePostgres(url.href, Date.now());
    await watcher.query(`ALTER DATABASE "${url.pathname.slice(1)}" SET synchronous_commit = off`);
    await watcher.query("ALTER ROLE CURRENT_USER SET synchronous_commit = off");
    url.searchParams.set("options", "-c synchronous_commit=off -c work_mem=5MB");
    const seen: Migration = {
      name: "9001-seen",
      kind: "expand",
      onLargeTables: "",
      statements: () => ["CREATE TABLE seen AS SELECT current_setting('synchronous_commit') AS value"],
    };
    await migratePostgres(url.href, Date.now(), [...migrations, seen]);
    const careless = openPostgres(url.href, () => {});
    try {
      const plain = new pg.Client({ connectionString: url.href });
      await plain.connect();
      assert.equal((await plain.query("SHOW synchronous_commit")).rows[0].synchronous_commit, "off", "any other client would lose commits");
      await plain.end();
      for (const pool of [careless.commitPool, careless.pool]) {
        assert.equal((await pool.query("SHOW synchronous_commit")).rows[0].synchronous_commit, "on");
        assert.equal((await pool.query("SHOW work_mem")).rows[0].work_mem, "5MB", "what the URL sets besides stays");
      }
      assert.equal((await careless.pool.query("SELECT value FROM seen")).rows[0].value, "on", "migrations too");
      const inTransaction = await careless.transact<object, string>(new URL("../../test/store/show-durability.work.ts", import.meta.url), {});
      assert.equal(inTransaction, "on", "also where money is decided");
    } finally {
      await careless.close();
      await watcher.query("ALTER ROLE CURRENT_USER RESET synchronous_commit");
    }
  });

  it("refuse at once as overloaded when all are in use and too many callers wait", async () => {
    await watcher.query("SELECT pg_advisory_lock(1)");
    const naps = Array.from({ length: 7 }, () => sql`SELECT pg_advisory_xact_lock(1)`.execute(store.db));
    while (store.pool.totalCount < 7 || store.pool.waitingCount > 0) await sleep(5);
    const waiters = Array.from({ length: 500 }, () => napOf(0));
    while (store.pool.waitingCount < 500) await sleep(5);
    for (const ask of [() => napOf(0), write]) {
      await assert.rejects(ask, { code: "overloaded", detail: "too many callers wait for a connection to the database" });
    }
    await watcher.query("SELECT pg_advisory_unlock(1)");
    await Promise.all([...naps, ...waiters]);
  });

  it("write once, and without an error, although the node stood still in the middle and the server ended the transaction", async () => {
    const { accountId } = await makeAccount(store);
    const renamed = (await store.db.selectFrom("accounts").select("email").where("id", "=", accountId).executeTakeFirstOrThrow()).email;
    // BEGIN is sent as soon as there is a connection; its answer, and the end of the connection, are read after the stop.
    store.pool.once("acquire", () => setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, standstillMs)));
    const touch = store.db.updateTable("accounts").set("email", `again-${renamed}`).where("email", "=", renamed);
    assert.deepEqual(await store.write([touch]), [1]);
    assert.equal(ended.filter(({ code }) => code === "25P03").length, 1, "the server has ended a transaction");
  });

  it("write nothing twice: when the connection is lost after COMMIT was sent, the caller is told of an error", async () => {
    const note = { seq: sql<number>`(SELECT coalesce(max(seq), 0) + 1 FROM key_changes)`, subject: "sent once", at: Date.now() };
    const noted = store.db.selectFrom("key_changes").select("seq").where("subject", "=", note.subject);
    store.pool.once("acquire", (client) => {
      const query = client.query.bind(client) as (...asked: unknown[]) => Promise<unknown>;
      const cutAtCommit = (...asked: unknown[]) => {
        const answer = query(...asked);
        // The server commits, and nobody reads its answer.
        if (asked[0] === "COMMIT") {
          const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
          stream.pause();
          void waitUntil(async () => (await watcher.query("SELECT 1 FROM key_changes WHERE subject = $1", [note.subject])).rowCount === 1, "it has committed").then(() => stream.destroy());
        }
        return answer;
      };
      Object.assign(client, { query: cutAtCommit });
    });
    await assert.rejects(store.write([store.db.insertInto("key_changes").values(note)]), /^Error: Connection terminated unexpectedly/);
    assert.equal((await noted.execute()).length, 1);
  });

  it("fail as overloaded while the database is down, and work again once it is up", async () => {
    const transfer = () => store.transact(new URL("../../test/store/transfer-work.ts", import.meta.url), {});
    postgres.kill9();
    // Open connections fail with their own errors first.
    while (store.pool.totalCount + store.commitPool.totalCount > 0) await store.ping().then(() => sleep(5), () => sleep(5));
    for (const ask of [() => napOf(0), transfer, write]) {
      await assert.rejects(ask, (error: Error & { code?: string; detail?: string }) => error.code === "overloaded" && error.detail!.startsWith("no connection to the database: "));
    }
    await postgres.restart();
    await napOf(0);
  });
});
