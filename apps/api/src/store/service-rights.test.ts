import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import pg from "pg";
import { makeAccount } from "../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../test/make-charge.ts";
import { joinPostgres, type RoleUrls, type TestPostgres, whyPostgresIsSkipped } from "../../test/start-postgres.ts";
import { makeTestFolder } from "../../test/start-service.ts";
import { runSql } from "../../test/store/run-sql.ts";
import { noteAction } from "../register/audit.table.ts";
import { verifyAudit } from "../register/verify-audit.ts";
import { migrateAsOwner } from "./migrate.ts";
import { openStore } from "./open-store.ts";
import { findExcessRights, guardedTables, limitedRights } from "./service-rights.ts";
import type { PostgresStore } from "./store.ts";

const nowMs = Date.UTC(2026, 10, 15, 12);
/** How PostgreSQL refuses for want of rights. A trigger's refusal is not enough here: the role must not get that far. */
const denied = { code: "42501" };

describe("the service's role", { skip: whyPostgresIsSkipped() }, () => {
  let postgres: Pick<TestPostgres, "newMigratedDatabase" | "stop">;
  let urls: RoleUrls;
  let store: PostgresStore;
  let client: pg.Client;

  before(async () => {
    postgres = await joinPostgres();
    urls = await postgres.newMigratedDatabase();
    const opened = await openStore({ ...urls, dataDir: makeTestFolder() }, { nowMs, onConnectionError: () => {} });
    assert(opened.store.dialect === "postgres");
    store = opened.store;
    const { accountId } = await makeAccount(store, { nowMs });
    const charger = makeCharger(store, { nowMs });
    for (let call = 0; call < 3; call += 1) await charger.charge(makeCharge({ accountId, atMs: nowMs }));
    for (const subject of ["camp_1", "camp_2"]) await noteAction(store.db, { actorAccountId: null, action: "campaign.pause", subject, detail: {}, nowMs }).execute();
    client = new pg.Client({ connectionString: urls.databaseUrl });
    await client.connect();
  });
  after(async () => {
    await client.end();
    await store.close();
    await postgres.stop();
  });

  const asOwner = (...statements: string[]) => runSql({ ...urls, dataDir: "" }, statements);
  const namesOf = async (text: string, values: unknown[] = []) => (await client.query<{ name: string }>(text, values)).rows.map(({ name }) => name);
  const columnsOf = (table: string) => namesOf("SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum", [table]);
  const partitionsOf = (table: string) => namesOf("SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass ORDER BY 1", [table]);

  /** Everything that must stay as it is: rows, triggers and functions. */
  async function readGuarded(): Promise<unknown> {
    const rows = await Promise.all(guardedTables.map((table) => store.pool.query(`SELECT to_jsonb(t) AS row FROM ${table} t ORDER BY 1`)));
    const triggers = await store.pool.query("SELECT tgrelid::regclass::text, tgname, tgenabled, tgfoid FROM pg_trigger ORDER BY 1, 2");
    const functions = await store.pool.query("SELECT oid, prosrc, proowner, proacl::text FROM pg_proc WHERE proname LIKE 'assay%' ORDER BY 1");
    const rights = await store.pool.query("SELECT relname, relowner, relacl::text FROM pg_class WHERE relname = ANY ($1) ORDER BY 1", [guardedTables]);
    return [...rows, triggers, functions, rights].map((each) => each.rows);
  }

  async function areDenied(statements: readonly string[]): Promise<void> {
    const guarded = await readGuarded();
    for (const statement of statements) await assert.rejects(client.query(statement), denied, statement);
    assert.deepEqual(await readGuarded(), guarded);
  }

  it("is limited for exactly the tables that the database guards by triggers, for their ends, and for the migrations", async () => {
    const guardedByTriggers = await namesOf(
      `SELECT DISTINCT c.relname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
       WHERE NOT t.tgisinternal AND NOT c.relispartition AND (t.tgtype & 2) <> 0 AND (t.tgtype & 16) <> 0 AND p.prosrc LIKE '%append-only%' ORDER BY 1`,
    );
    assert(guardedByTriggers.includes("ledger_entries"));
    assert.deepEqual(Object.keys(limitedRights).toSorted(), [...guardedByTriggers, "audit_head", "migrations"].toSorted());
  });

  for (const table of guardedTables) {
    it(`cannot change ${table} in any way [threat: service-rewrites]`, async () => {
      const columns = await columnsOf(table);
      const [first] = columns;
      const key = (await namesOf("SELECT attname AS name FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey) WHERE i.indrelid = $1::regclass AND i.indisprimary", [table])).join(", ");
      const names = columns.join(", ");
      await areDenied([
        ...columns.map((column) => `UPDATE ${table} SET ${column} = ${column}`),
        `UPDATE ${table} SET ${first} = ${first} WHERE false`,
        `DELETE FROM ${table}`,
        `TRUNCATE ${table}`,
        `TRUNCATE ${table} CASCADE`,
        `INSERT INTO ${table} (${names}) SELECT ${names} FROM ${table} ON CONFLICT (${key}) DO UPDATE SET ${first} = excluded.${first}`,
        `MERGE INTO ${table} t USING (SELECT 1) AS one ON true WHEN MATCHED THEN DELETE`,
        `MERGE INTO ${table} t USING (SELECT 1) AS one ON true WHEN MATCHED THEN UPDATE SET ${first} = t.${first}`,
        `SELECT 1 FROM ${table} FOR UPDATE`,
        `WITH gone AS (DELETE FROM ${table} RETURNING 1) SELECT count(*) FROM gone`,
        `DO $$ BEGIN DELETE FROM ${table}; END $$`,
        `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
        `ALTER TABLE ${table} DISABLE TRIGGER USER`,
        `ALTER TABLE ${table} ALTER COLUMN ${first} DROP NOT NULL`,
        `ALTER TABLE ${table} RENAME TO renamed`,
        `ALTER TABLE ${table} OWNER TO CURRENT_USER`,
        `ALTER TABLE ${table} SET SCHEMA pg_catalog`,
        `ALTER TABLE ${table} ADD COLUMN added TEXT`,
        `DROP TABLE ${table} CASCADE`,
        `CREATE RULE forget AS ON INSERT TO ${table} DO INSTEAD NOTHING`,
        `CREATE TRIGGER forget BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
        `CREATE POLICY hidden ON ${table} USING (false)`,
        `CREATE INDEX another ON ${table} (${first})`,
        `COPY ${table} FROM PROGRAM 'true'`,
        `COPY ${table} FROM '/dev/null'`,
      ]);
    });
  }

  it("cannot reach the partitions of the ledger, not even to add or to read a row [threat: service-rewrites]", async () => {
    const partitions = await partitionsOf("ledger_entries");
    assert(partitions.length > 1);
    for (const partition of partitions) {
      await areDenied([
        `UPDATE ${partition} SET hash = hash`,
        `DELETE FROM ${partition}`,
        `TRUNCATE ${partition}`,
        `DROP TABLE ${partition}`,
        `ALTER TABLE ${partition} DISABLE TRIGGER ALL`,
        `ALTER TABLE ledger_entries DETACH PARTITION ${partition}`,
        `INSERT INTO ${partition} SELECT * FROM ledger_entries`,
        `SELECT 1 FROM ${partition}`,
      ]);
    }
  });

  it("can neither become the owner, nor replace what the owner made, nor create anything [threat: service-rewrites]", async () => {
    const functions = await namesOf("SELECT oid::regprocedure::text AS name FROM pg_proc WHERE proname LIKE 'assay%' ORDER BY 1");
    assert(functions.some((name) => name.startsWith("assay_charge_calls_v2(")));
    await areDenied([
      ...functions.flatMap((name) => [
        `ALTER FUNCTION ${name} SET search_path = pg_temp`,
        `ALTER FUNCTION ${name} OWNER TO CURRENT_USER`,
        `ALTER FUNCTION ${name} RENAME TO other`,
        `DROP FUNCTION ${name} CASCADE`,
      ]),
      "CREATE OR REPLACE FUNCTION assay_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$",
      "CREATE FUNCTION convert_to(varchar, text) RETURNS bytea LANGUAGE sql AS $$ SELECT ''::bytea $$",
      "CREATE OPERATOR || (LEFTARG = varchar, RIGHTARG = text, FUNCTION = textcat)",
      "CREATE TABLE another (id TEXT)",
      "CREATE VIEW another AS SELECT 1",
      "CREATE SCHEMA assay_service",
      "CREATE EXTENSION pgcrypto",
      "CREATE EVENT TRIGGER forget ON ddl_command_start EXECUTE FUNCTION assay_refuse_change()",
      "DROP SCHEMA public CASCADE",
      "ALTER SCHEMA public RENAME TO other",
      "ALTER DATABASE postgres OWNER TO CURRENT_USER",
      `ALTER DATABASE ${new URL(urls.databaseUrl).pathname.slice(1)} SET session_replication_role = replica`,
      "SET ROLE assay_owner",
      "SET SESSION AUTHORIZATION assay_owner",
      "SET session_replication_role = replica",
      "ALTER ROLE CURRENT_USER SUPERUSER",
      "ALTER ROLE CURRENT_USER CREATEROLE",
      "GRANT assay_owner TO CURRENT_USER",
      "ALTER SYSTEM SET session_replication_role = replica",
      "UPDATE pg_class SET relowner = 0",
      "SELECT assay_chain_action_v1('act_x')",
    ]);
  });

  it("gives itself no right: GRANT has no effect", async () => {
    const guarded = await readGuarded();
    for (const table of guardedTables) await client.query(`GRANT ALL ON ${table} TO CURRENT_USER`).catch((error: { code?: string }) => assert.equal(error.code, denied.code));
    assert.deepEqual(await readGuarded(), guarded);
  });

  it("adds a row to the audit log without a say in its place or its hash [threat: service-rewrites]", async () => {
    const values = "'act_z', 1, 'campaign.pause', 'camp_3', '{}'";
    await areDenied([
      `INSERT INTO audit_log (id, at, action, subject, detail, hash) VALUES (${values}, 'forged')`,
      `INSERT INTO audit_log (id, at, action, subject, detail, seq) VALUES (${values}, 99)`,
      "UPDATE audit_head SET seq = 99",
    ]);
  });

  it("cannot mislead the functions of the owner by temporary tables of the same names [threat: service-rewrites]", async () => {
    const { seq: seqBefore } = await verifyAudit(store, () => {});
    const forger = new pg.Client({ connectionString: urls.databaseUrl });
    await forger.connect();
    try {
      await forger.query("CREATE TEMP TABLE audit_head (id bigint, seq bigint, hash text)");
      await forger.query("INSERT INTO pg_temp.audit_head VALUES (1, 700, 'forged')");
      await forger.query("CREATE TEMP TABLE accounts (id text)");
      await forger.query("SET search_path = pg_temp, public");
      await forger.query("INSERT INTO public.audit_log (id, at, action, subject, detail) VALUES ('act_misled', 1, 'campaign.pause', 'camp_4', '{}')");
    } finally {
      await forger.end();
    }
    const problems: string[] = [];
    const report = await verifyAudit(store, (seq, problem) => problems.push(`${seq} ${problem}`));
    assert.deepEqual([problems, report.seq, report.unchained], [[], seqBefore + 1, 0]);
  });

  it("gets days of the two daily tables from the owner's functions, and nothing else", async () => {
    const day = "'2026-11-20', 'sess_0', 'sess_1'";
    const guarded = await readGuarded();
    for (const table of ["ledger_entries", "session_records_default", "audit_log", "session_records; DROP TABLE ledger_entries", ""]) {
      for (const call of [`assay_make_day_v1($1, ${day}, false)`, "assay_detach_day_v1($1, '2026-11-20')", "assay_drop_day_v1($1, '2026-11-20')"]) {
        await assert.rejects(client.query(`SELECT ${call}`, [table]), /no daily table/, `${call} ${table}`);
      }
    }
    await client.query("SELECT assay_make_day_v1('session_records', '2026-11-20', $1, $2, true)", ["sess_0'); DELETE FROM ledger_entries; --", "sess_1"]);
    assert((await partitionsOf("session_records")).includes("session_records_d20261120"));
    await client.query("SELECT assay_detach_day_v1('session_records', '2026-11-20')");
    await client.query("SELECT assay_drop_day_v1('session_records', '2026-11-20')");
    assert(!(await partitionsOf("session_records")).includes("session_records_d20261120"));
    assert.deepEqual(await readGuarded(), guarded);
  });

  it("is told apart from every role that could do more", async () => {
    const excessAs = async (username: string) => {
      const other = new pg.Client({ connectionString: Object.assign(new URL(urls.databaseUrl), { username }).href });
      await other.connect();
      try {
        return await findExcessRights(other);
      } finally {
        await other.end();
      }
    };
    const all = `UPDATE and DELETE on ${guardedTables.toSorted().join(", ")}`;
    assert.deepEqual(await excessAs("assay_service"), []);
    assert.deepEqual(await excessAs("assay_owner"), [all, "CREATE in the schema public"]);
    assert.deepEqual(await excessAs("assay"), [all, "CREATE in the schema public"], "a superuser");
    const [partition] = await partitionsOf("ledger_entries");
    const role = `role_${new URL(urls.databaseUrl).pathname.slice(1)}`;
    const admin = new pg.Client({ connectionString: Object.assign(new URL(urls.databaseUrl), { username: "assay" }).href });
    await admin.connect();
    try {
      await admin.query(`CREATE ROLE ${role} LOGIN NOINHERIT`);
      const steps: [grant: string, revoke: string, expected: string[]][] = [
        ["GRANT SELECT, INSERT ON ledger_entries TO", "REVOKE ALL ON ledger_entries FROM", []],
        ["GRANT DELETE ON ledger_entries TO", "REVOKE ALL ON ledger_entries FROM", ["UPDATE and DELETE on ledger_entries"]],
        ["GRANT TRUNCATE ON audit_log TO", "REVOKE ALL ON audit_log FROM", ["UPDATE and DELETE on audit_log"]],
        ["GRANT UPDATE (hash) ON audit_log TO", "REVOKE ALL ON audit_log FROM", ["UPDATE and DELETE on audit_log"]],
        [`GRANT UPDATE ON ${partition} TO`, `REVOKE ALL ON ${partition} FROM`, ["UPDATE and DELETE on ledger_entries"]],
        ["GRANT CREATE ON SCHEMA public TO", "REVOKE CREATE ON SCHEMA public FROM", ["CREATE in the schema public"]],
        ["GRANT assay_owner TO", "REVOKE assay_owner FROM", [all, "CREATE in the schema public"]],
        ["GRANT pg_write_all_data TO", "REVOKE pg_write_all_data FROM", [all]],
      ];
      for (const [grant, revoke, expected] of steps) {
        await admin.query(`${grant} ${role}`);
        assert.deepEqual(await excessAs(role), expected, grant);
        await admin.query(`${revoke} ${role}`);
      }
      await admin.query(`DROP ROLE ${role}`);
    } finally {
      await admin.end();
    }
  });

  it("loses with the next migration what somebody granted it, or everybody, beyond its rights", async () => {
    await asOwner("GRANT ALL ON ledger_entries TO assay_service", "GRANT UPDATE ON audit_log TO PUBLIC", "GRANT CREATE ON SCHEMA public TO PUBLIC");
    assert.deepEqual(await findExcessRights(client), ["UPDATE and DELETE on audit_log, ledger_entries", "CREATE in the schema public"]);
    assert.deepEqual(await migrateAsOwner({ serviceUrl: urls.databaseUrl, ownerUrl: urls.databaseOwnerUrl }, nowMs), []);
    assert.deepEqual(await findExcessRights(client), []);
  });
});
