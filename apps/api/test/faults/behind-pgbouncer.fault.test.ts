import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import pg from "pg";
import { migratePostgres } from "../../src/store/migrate.ts";
import { openPostgres } from "../../src/store/open-postgres.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { PostgresStore } from "../../src/store/store.ts";
import { makeAccount } from "../make-account.ts";
import { startPostgres, type TestPostgres, whyPostgresIsSkipped } from "../start-postgres.ts";
import { startChargeLoad } from "../store/charge-load.ts";
import { applySessionSettings, startPgBouncer, type TestPgBouncer, whyPgBouncerIsSkipped } from "../store/start-pgbouncer.ts";
import { askServer } from "../store/start-postgres-pair.ts";

/** Tests for both stores that use what a pooler breaks: prepared statements, transactions, locks, pipelining, two nodes. */
const quickContract = [
  "apps/api/src/store/transact.test.ts",
  "apps/api/src/money/ledger/idempotency.test.ts",
  "apps/api/src/money/ledger/append-entries.test.ts",
  "apps/api/src/ads/reports/report-groups.test.ts",
  "apps/api/src/operations/operations.test.ts",
];

/** Every test for both stores: `npm run test:faults -- behind-pgbouncer --rounds 1`. */
const wholeContract = () => globSync("apps/api/**/*.test.ts").filter((file) => readFileSync(file, "utf8").includes("/both-stores.ts"));
const contract = process.env.ASSAY_TEST_ROUNDS === undefined ? quickContract : wholeContract();

const context = { nowMs: Date.now(), onConnectionError: () => {} };

describe("a node behind PgBouncer with transaction pooling", { skip: whyPostgresIsSkipped() || whyPgBouncerIsSkipped() }, () => {
  let postgres: TestPostgres;
  let pooler: TestPgBouncer;
  before(async () => {
    postgres = await startPostgres();
    pooler = await startPgBouncer(postgres);
    // The template makes the two roles.
    await postgres.newMigratedDatabase();
  });
  after(async () => {
    await pooler?.stop();
    await postgres?.stop();
  });

  it("does not start on sessions without their settings, and says how to set them", async () => {
    const { databaseUrl } = await postgres.newMigratedDatabase();
    const store = openPostgres(pooler.through(databaseUrl), () => {});
    await assert.rejects(store.ping(), (error: Error) => {
      assert.match(error.message, /^the session does not have .*statement_timeout = '6000'.*ALTER ROLE assay_service SET lock_timeout = '3000'/);
      return !error.message.includes("\n");
    });
    await store.close();
    applySessionSettings(postgres.url, "assay_service");
    await askServer(postgres, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'assay_service'");
    const settled = openPostgres(pooler.through(databaseUrl), () => {});
    await settled.ping();
    await settled.close();
  });

  it("starts without a lock that would outlive its transaction, and refuses to migrate", async () => {
    const { databaseUrl } = await postgres.newMigratedDatabase();
    const { store } = await openStore({ databaseUrl: pooler.through(databaseUrl), dataDir: "" }, context);
    await store.ping();
    await store.close();
    const empty = await postgres.newDatabase();
    await assert.rejects(migratePostgres(pooler.through(empty), Date.now()), /^RightsMissing: the database has no tables, and a pooler is in between, through which nothing can be migrated: run npm run -s assay -- migrate with DATABASE_OWNER_URL/);
    assert.deepEqual(await askServer(postgres, "SELECT pid FROM pg_locks WHERE locktype = 'advisory'"), []);
    await migratePostgres(empty, Date.now());
    assert.deepEqual(await migratePostgres(pooler.through(empty), Date.now()), []);
  });

  it("charges every call once while the pooler's sessions are ended under it", async (t) => {
    const { databaseUrl } = await postgres.newMigratedDatabase();
    const { store } = (await openStore({ databaseUrl: pooler.through(databaseUrl), dataDir: "" }, context)) as { store: PostgresStore };
    const { accountId } = await makeAccount(store);
    // Enough for two batches on the line at a time.
    const load = startChargeLoad(store, accountId, { callers: 200 });
    t.after(() => load.stop());
    await load.whenChargedMore(2_000);
    for (let round = 0; round < 5; round += 1) {
      await askServer(postgres, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'assay_service'");
      await load.whenChargedMore(1_000);
    }
    await load.stop();
    await store.close();
    const direct = new pg.Client({ connectionString: databaseUrl });
    await direct.connect();
    const refs = (await direct.query<{ ref: string }>("SELECT ref FROM ledger_entries WHERE ref LIKE 'sess%'")).rows.map(({ ref }) => ref);
    await direct.end();
    const found = new Set(refs);
    const { charged, refused, unknown } = load.told;
    t.diagnostic(`${charged.length} charged, ${refused.length} refused, ${unknown.length} without an answer`);
    assert.equal(found.size, refs.length);
    assert.deepEqual(charged.filter((ref) => !found.has(ref)), []);
    assert.deepEqual(refused.filter((ref) => found.has(ref)), []);
  });

  it("keeps the contract of both stores", async (t) => {
    const environment = { ...process.env, ASSAY_TEST_POSTGRES_URL: postgres.url, ASSAY_TEST_POSTGRES_POOLER: `127.0.0.1:${pooler.port}`, NODE_TEST_CONTEXT: undefined };
    const child = spawn(process.execPath, ["--test", "--test-concurrency=2", "--test-reporter=tap", "--test-name-pattern=/postgres/", ...contract], { env: environment, stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
    const code = await new Promise((resolve) => child.on("close", resolve));
    assert.equal(code, 0, output.split("\n").filter((line) => /^ *not ok/.test(line)).join("\n") + output.slice(-4_000));
    const passed = Number(/^# pass (\d+)$/m.exec(output)?.[1]);
    t.diagnostic(`${passed} tests of ${contract.length} files passed`);
    assert(passed > 20, `${passed} tests passed`);
  });
});
