import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import pg from "pg";
import { waitUntil } from "../../test/send.ts";
import { startPostgres, type TestPostgres, whyPostgresIsSkipped } from "../../test/start-postgres.ts";
import { makeTestFolder } from "../../test/start-service.ts";
import { migratePostgres, migrateSqlite, planPostgres, planSqlite } from "./migrate.ts";
import { migrations } from "./migrations/list.ts";
import type { Migration } from "./migrations/migration.ts";

const nowMs = 1_800_000_000_000;
const next = (more: Partial<Migration>): Migration => ({ name: "9001-next", kind: "expand", onLargeTables: "Nothing.", statements: () => [], ...more });

describe("every migration", () => {
  it("is numbered and describes its effect on large tables", () => {
    for (const [index, { name, onLargeTables, kind }] of migrations.entries()) {
      assert.match(name, new RegExp(`^${String(index + 1).padStart(4, "0")}-[a-z-]+$`));
      assert.match(onLargeTables, /^[A-Z].{60,}\.$/, name);
      assert(kind === "expand" || kind === "contract");
    }
  });
});

describe("the embedded store", () => {
  const makePath = () => join(makeTestFolder(), "assay.sqlite");

  it("is not changed by planning its migrations", () => {
    const path = makePath();
    const names = migrations.map(({ name }) => name);
    assert.deepEqual(planSqlite(path).map(({ name }) => name), names);
    assert.deepEqual(migrateSqlite(path, nowMs, migrations.slice(0, -1)), names.slice(0, -1));
    for (let round = 0; round < 2; round += 1) assert.deepEqual(planSqlite(path).map(({ name }) => name), names.slice(-1));
    assert.deepEqual(migrateSqlite(path, nowMs), names.slice(-1));
    assert.deepEqual(planSqlite(path), []);
  });

  it("opens with older code after an expand migration, and not after a contract migration", () => {
    for (const kind of ["expand", "contract"] as const) {
      const path = makePath();
      migrateSqlite(path, nowMs, [...migrations, next({ kind })]);
      if (kind === "expand") assert.deepEqual(migrateSqlite(path, nowMs), []);
      else assert.throws(() => migrateSqlite(path, nowMs), /newer version of Assay \(9001-next\)/);
    }
  });
});

describe("PostgreSQL", { skip: whyPostgresIsSkipped() }, () => {
  let postgres: TestPostgres;
  let url: string;
  const clients: pg.Client[] = [];
  const connect = async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    clients.push(client);
    return client;
  };
  const insertChange = (client: pg.Client, seq: number) => client.query("INSERT INTO key_changes (seq, subject, at) VALUES ($1, '*', 0)", [seq]);

  before(async () => {
    postgres = await startPostgres();
    url = await postgres.newDatabase();
    assert.equal((await planPostgres(url)).length, migrations.length);
    await migratePostgres(url, nowMs);
  });
  after(async () => {
    for (const client of clients) await client.end();
    await postgres.stop();
  });

  it("serves calls while a migration waits for a table, and migrates as soon as it is free", async () => {
    const [reader, writer] = [await connect(), await connect()];
    await reader.query("BEGIN");
    await reader.query("SELECT count(*) FROM key_changes");
    let isMigrated = false;
    const migration = next({ name: "9002-column", statements: () => ["ALTER TABLE key_changes ADD COLUMN note TEXT"] });
    const migrated = migratePostgres(url, nowMs, [...migrations, migration]).then((names) => {
      isMigrated = true;
      return names;
    });
    const isWaiting = async () => (await writer.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).rowCount! > 0;
    await waitUntil(isWaiting, "the migration waits for its lock");
    // Queued behind the waiting migration: without its lock timeout they would wait for the reader.
    for (let seq = 1; seq <= 3; seq += 1) await insertChange(writer, seq);
    assert.equal(isMigrated, false);
    await reader.query("COMMIT");
    assert.deepEqual(await migrated, ["9002-column"]);
  });

  // Creating the index of a partitioned table briefly locks the table, between two transactions; building it does not.
  for (const [table, held, columns] of [["clicks", "clicks", "at, offer_id"], ["ledger_entries", "ledger_entries_0", "at, kind"]] as const) {
    it(`builds an index on ${table} during a writer's transaction, and another node repeats a build that a crash interrupted`, async () => {
      const [writer, other] = [await connect(), await connect()];
      const name = `${table}_test`;
      await writer.query("BEGIN");
      await writer.query(`LOCK TABLE ${held} IN ROW EXCLUSIVE MODE`);
      const migration = next({ name: `9003-${table}`, indexes: [{ name, table, columns, where: "at > 0" }] });
      const nodes = Promise.allSettled([1, 2, 3].map(() => migratePostgres(url, nowMs, [...migrations, migration])));
      const building = "FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONCURRENTLY%' AND state = 'active'";
      const isBuilding = async () => (await other.query(`SELECT 1 ${building}`)).rowCount! > 0;
      await waitUntil(isBuilding, "the index is being built");
      // A writer's lock: it would wait only for a statement that locks writers out.
      await other.query(`SET lock_timeout = 3000; BEGIN; LOCK TABLE ${table} IN ROW EXCLUSIVE MODE; COMMIT`);
      await other.query(`SELECT pg_terminate_backend(pid) ${building}`);
      await waitUntil(async () => !(await isBuilding()), "the first node's build has ended");
      const validity = async () => (await other.query<{ valid: boolean }>("SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)", [name])).rows[0]?.valid;
      assert.notEqual(await validity(), true);
      await writer.query("COMMIT");
      const outcomes = await nodes;
      assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ["fulfilled", "fulfilled", "rejected"]);
      assert.equal(await validity(), true);
      const recorded = await other.query("SELECT 1 FROM migrations WHERE name = $1", [migration.name]);
      assert.equal(recorded.rowCount, 1);
    });
  }

  it("applies a migration completely or not at all", async () => {
    const broken = next({ name: "9004-broken", statements: () => ["CREATE TABLE half (id TEXT)", "SELECT 1 / 0"] });
    await assert.rejects(migratePostgres(url, nowMs, [...migrations, broken]), /division by zero/);
    const { rows } = await (await connect()).query("SELECT to_regclass('half') AS half, (SELECT count(*)::int FROM migrations WHERE name = '9004-broken') AS recorded");
    assert.deepEqual(rows, [{ half: null, recorded: 0 }]);
  });

  it("opens with older code after an expand migration, and not after a contract migration", async () => {
    assert.deepEqual(await migratePostgres(url, nowMs), [], "three migrations of a newer version were applied above");
    await migratePostgres(url, nowMs, [...migrations, next({ name: "9005-less", kind: "contract" })]);
    await assert.rejects(migratePostgres(url, nowMs), /newer version of Assay \(9005-less\)/);
  });
});
