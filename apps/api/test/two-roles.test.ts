/** The service on PostgreSQL as a role that does not own the tables: how such roles are made, and what a start says. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { Client } from "pg";
import { readBlocks, readDocument } from "../../../scripts/testing/read-document.ts";
import { migrationNames } from "../src/store/migrate.ts";
import { assayOn } from "./cli/run-assay.ts";
import { predict } from "./send.ts";
import { joinPostgres, type TestPostgres, whyPostgresIsSkipped } from "./start-postgres.ts";
import { makeTestFolder, serviceEnvironment, spawnService, startService, type TestService, testSecretKey } from "./start-service.ts";

const [newDatabase, newService, newOwner, ...more] = readBlocks(readDocument("docs/operating.md")).filter(({ language }) => language === "sql");
assert(newDatabase && newService && newOwner && more.length === 0);

/** The names of one run: roles belong to the whole server. */
type Names = { owner: string; service: string; old: string; database: string };

const excess = /the role of DATABASE_URL can do more than the service needs \(UPDATE and DELETE on [\w, ]*\bledger_entries\b[\w, ]*; CREATE in the schema public\): docs\/operating\.md/;

describe("two roles of PostgreSQL", { skip: whyPostgresIsSkipped() }, () => {
  let postgres: Pick<TestPostgres, "newDatabase" | "newMigratedDatabase" | "stop">;
  let serverUrl: string;
  const services: TestService[] = [];

  before(async () => {
    postgres = await joinPostgres();
    serverUrl = await postgres.newDatabase();
  });
  after(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await postgres.stop();
  });

  const urlOf = (database: string, username = "assay"): string => Object.assign(new URL(serverUrl), { pathname: database, username }).href;
  const namesOf = (): Names => {
    const suffix = randomBytes(4).toString("hex");
    return { owner: `owner_${suffix}`, service: `service_${suffix}`, old: `old_${suffix}`, database: `roles_${suffix}` };
  };
  async function runAs(url: string, statements: readonly string[]): Promise<void> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }
  /** A block of the document as a superuser would run it, with the names of this run. */
  async function follow(block: { text: string }, { owner, service, old, database }: Names): Promise<void> {
    const text = block.text.replaceAll(/\bDATABASE assay\b/g, `DATABASE ${database}`).replaceAll(/\bassay_owner\b/g, owner).replaceAll(/\bassay_service\b/g, service).replaceAll(/\bassay\b/g, old);
    await runAs(serverUrl, text.split(";\n").filter((statement) => statement.trim() !== ""));
  }
  async function start(databaseUrl: string, env: Record<string, string> = {}): Promise<TestService> {
    const service = await startService({ databaseUrl, env });
    services.push(service);
    return service;
  }
  /** The line with which a start ends. */
  async function readRefusal(databaseUrl: string): Promise<string> {
    const { logs, whenEnded } = spawnService(serviceEnvironment({ databaseUrl, dataDir: makeTestFolder() }));
    assert.equal(await whenEnded, 1);
    const [line, ...rest] = logs().trimEnd().split("\n");
    assert.deepEqual(rest, []);
    return line!;
  }
  const assayAs = (databaseUrl: string, ownerUrl?: string) =>
    assayOn({ databaseUrl, dataDir: makeTestFolder(), env: { SECRET_KEY: testSecretKey, ...(ownerUrl !== undefined && { DATABASE_OWNER_URL: ownerUrl }) } });
  async function makeKey(databaseUrl: string): Promise<string> {
    const assay = assayAs(databaseUrl);
    await assay.json("account", "create", "--email", "a@example.com", "--tier", "Starter", "--verified");
    return (await assay.json<{ api_key: string }>("key", "create", "--email", "a@example.com", "--name", "n")).api_key;
  }
  async function verify(databaseUrl: string): Promise<[ok: boolean, entries: number]> {
    const { ok, entries } = await assayAs(databaseUrl).json<{ ok: boolean; entries: number }>("ledger", "verify");
    return [ok, entries];
  }

  it("are made for a new database as the guide says, and the service bills with nothing to warn of", async () => {
    const names = namesOf();
    await follow(newDatabase, names);
    const [databaseUrl, ownerUrl] = [urlOf(names.database, names.service), urlOf(names.database, names.owner)];
    assert.match(await readRefusal(databaseUrl), /^Assay cannot start: the database has no tables, and the role service_\w+ may not create them: run npm run -s assay -- migrate with DATABASE_OWNER_URL/);
    const pending = await assayAs(databaseUrl, ownerUrl).json<{ pending: unknown[] }>("migrate", "--dry-run");
    assert.equal(pending.pending.length, migrationNames.length);
    assert.deepEqual(await assayAs(databaseUrl, ownerUrl).json("migrate"), { store: "postgres", migrated: migrationNames });
    assert.deepEqual(await assayAs(databaseUrl, ownerUrl).json("migrate"), { store: "postgres", migrated: [] });
    const key = await makeKey(databaseUrl);
    const service = await start(databaseUrl);
    assert.equal((await predict(service, key)).status, 200);
    assert.doesNotMatch(service.logs(), /role of DATABASE_URL|"level":[45]0/);
    assert.deepEqual(await verify(databaseUrl), [true, 1]);
    for (const statement of ["DELETE FROM ledger_entries", "CREATE TEMP TABLE ledger_entries (id text)"]) await assert.rejects(runAs(databaseUrl, [statement]), { code: "42501" }, statement);
  });

  it("replace one role while nodes serve: the old one, which every start warns of, keeps the tables", async () => {
    const names = namesOf();
    await runAs(serverUrl, [`CREATE ROLE ${names.old} LOGIN`, `CREATE DATABASE ${names.database} OWNER ${names.old}`]);
    const [oldUrl, databaseUrl] = [urlOf(names.database, names.old), urlOf(names.database, names.service)];
    const oldNode = await start(oldUrl);
    assert.match(oldNode.logs(), excess);
    assert.equal(oldNode.logs().split("\n").filter((line) => line.includes("role of DATABASE_URL")).length, 1);
    const key = await makeKey(oldUrl);
    assert.equal((await predict(oldNode, key)).status, 200);
    await follow(newService, names);
    await assayAs(databaseUrl, oldUrl).json("migrate");
    const next = await start(databaseUrl);
    assert.doesNotMatch(next.logs(), /role of DATABASE_URL/);
    for (const node of [oldNode, next]) assert.equal((await predict(node, key)).status, 200);
    assert.deepEqual(await verify(databaseUrl), [true, 3]);
    await assert.rejects(runAs(databaseUrl, ["DELETE FROM ledger_entries"]), { code: "42501" });
  });

  it("replace one role that keeps its name: a new owner takes its tables", async () => {
    const names = namesOf();
    await runAs(serverUrl, [`CREATE ROLE ${names.old} LOGIN`, `CREATE DATABASE ${names.database} OWNER ${names.old}`]);
    const [databaseUrl, ownerUrl] = [urlOf(names.database, names.old), urlOf(names.database, names.owner)];
    const key = await makeKey(databaseUrl);
    await follow({ text: newOwner.text.replace(/REASSIGN.*\n/, "") }, names);
    // What the superuser runs in the database itself.
    await runAs(urlOf(names.database), [`REASSIGN OWNED BY ${names.old} TO ${names.owner}`]);
    assert.match(await readRefusal(databaseUrl), /^Assay cannot start: the role old_\w+ has no right to use the table \w+: run npm run -s assay -- migrate with DATABASE_OWNER_URL/);
    await assayAs(databaseUrl, ownerUrl).json("migrate");
    const service = await start(databaseUrl);
    assert.doesNotMatch(service.logs(), /role of DATABASE_URL/);
    assert.equal((await predict(service, key)).status, 200);
    await assert.rejects(runAs(databaseUrl, ["DELETE FROM ledger_entries"]), { code: "42501" });
  });

  it("stop a start that finds migrations pending, with one line that names them and the command", async () => {
    const { databaseUrl, databaseOwnerUrl } = await postgres.newMigratedDatabase();
    await runAs(databaseOwnerUrl, [`DELETE FROM migrations WHERE name = '${migrationNames.at(-1)}'`]);
    const expected = new RegExp(`the role assay_service may not apply the migrations that are pending \\(${migrationNames.at(-1)}\\): run npm run -s assay -- migrate with DATABASE_OWNER_URL`);
    assert.match(await readRefusal(databaseUrl), expected);
    assert.match(await assayAs(databaseUrl).refusal("account", "list"), expected, "a command too");
  });

  it("warn of a node that knows the owner, and name the setting whose URL does not work", async () => {
    const { databaseUrl, databaseOwnerUrl } = await postgres.newMigratedDatabase();
    const service = await start(databaseUrl, { DATABASE_OWNER_URL: databaseOwnerUrl });
    assert.match(service.logs(), /DATABASE_OWNER_URL is set for the service, which never uses it/);
    assert.match(await assayAs(databaseUrl, `${databaseOwnerUrl}_not`).refusal("migrate"), /^DATABASE_OWNER_URL: the database cannot be used: database ".+_not" does not exist/);
  });
});
