import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { chainOldOnSqlite, chainStepOnPostgres } from "./audit-chain.ts";
import { buildIndex, changeTables, createSqliteIndex } from "./change-tables.ts";
import { migrations } from "./migrations/list.ts";
import type { Migration } from "./migrations/migration.ts";
import { type CheckedClient, connectToPrimary } from "./primary/primary-client.ts";
import { durableCommits } from "./primary/session-settings.ts";
import { findMissingRight, grantRights } from "./service-rights.ts";

type Applied = { name: string; kind: string };

/** The migrations of a store of this version. */
export const migrationNames: readonly string[] = migrations.map(({ name }) => name);

// A migration without a kind counts as a contract.
const createMigrationsTable = `CREATE TABLE IF NOT EXISTS migrations (name TEXT NOT NULL PRIMARY KEY, at BIGINT NOT NULL, kind TEXT NOT NULL DEFAULT 'contract')`;
const selectApplied = "SELECT name, kind FROM migrations";
/** As text, to be sent with the migration's statements. It contains no input. */
const insertMigration = ({ name, kind }: Migration, nowMs: number): string => `INSERT INTO migrations (name, at, kind) VALUES ('${name}', ${nowMs}, '${kind}')`;

/** An arbitrary number, the same for every node: the node that holds the lock migrates. */
const migrationLock = 4_157_201_187;
const lockPauseMs = 100;

/** Throws if a newer version has applied a contract migration. */
function pendingOf(known: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const names = new Set(applied.map((each) => each.name));
  const incompatible = applied.filter(({ name, kind }) => kind !== "expand" && !known.some((each) => each.name === name));
  if (incompatible.length > 0) {
    throw new Error(`the database was migrated by a newer version of Assay (${incompatible.map(({ name }) => name).join(", ")})`);
  }
  return known.filter((each) => !names.has(each.name));
}

/** Migrates the file in one exclusive transaction; returns the names of the applied migrations. */
export function migrateSqlite(path: string, nowMs: number, known: readonly Migration[] = migrations): string[] {
  const database = new DatabaseSync(path, { timeout: 30_000 });
  try {
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("PRAGMA synchronous = FULL");
    database.exec("BEGIN IMMEDIATE");
    try {
      database.exec(createMigrationsTable);
      const pending = pendingOf(known, database.prepare(selectApplied).all() as Applied[]);
      for (const each of pending) {
        const before = each.verifySqlite?.(database);
        for (const statement of each.statements("sqlite")) database.exec(statement);
        if (each.verifySqlite?.(database) !== before) throw new Error(`the migration ${each.name} would have changed what it copied: nothing was changed`);
        for (const plan of each.indexes ?? []) database.exec(createSqliteIndex(plan));
        database.exec(insertMigration(each, nowMs));
      }
      database.exec("COMMIT");
      chainOldOnSqlite(database);
      return pending.map((each) => each.name);
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  } finally {
    database.close();
  }
}

async function withClient<Result>(url: string, work: (client: CheckedClient) => Promise<Result>): Promise<Result> {
  // Without the session's timeouts: another node's migration may take any time.
  const client = await connectToPrimary(url, durableCommits);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Polls instead of waiting in a statement: CREATE INDEX CONCURRENTLY waits for every statement that began before it, and
 * would deadlock with a node that waits for this lock in a statement.
 */
async function takeMigrationLock(client: pg.Client): Promise<void> {
  const ask = () => client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1) AS taken", [migrationLock]);
  while (!(await ask()).rows[0]!.taken) await sleep(lockPauseMs);
}

async function applyOnPostgres(client: pg.Client, migration: Migration, nowMs: number): Promise<void> {
  await changeTables(client, [...migration.statements("postgres"), insertMigration(migration, nowMs)]).catch((error: Error & { code?: string }) => {
    if (error.code !== "55P03") throw error;
    throw new Error(`the migration ${migration.name} could not get its locks, and nothing was changed: end long transactions and try again`, { cause: error });
  });
}

/** For a session that only waits: the lock is held no longer than the statement that gets it. */
async function waitForMigration(client: pg.Client): Promise<void> {
  const ask = () => client.query<{ free: boolean }>("SELECT pg_try_advisory_xact_lock($1) AS free", [migrationLock]);
  while (!(await ask()).rows[0]!.free) await sleep(lockPauseMs);
}

/** A migration holds a lock for its session, which a pooler would hand to somebody else. */
const refusePooler = (what: string): never => {
  throw new RightsMissing(`${what}, and a pooler is in between, through which nothing can be migrated`);
};

/** The role may not do what this version needs, and another one may. */
export class RightsMissing extends Error {
  override readonly name = "RightsMissing";
  constructor(problem: string) {
    super(`${problem}: run npm run -s assay -- migrate with DATABASE_OWNER_URL, as the role that owns the tables`);
  }
}

/** The role of a URL, and whether it owns the tables, or may create them where there are none. */
async function readRole(client: pg.Client): Promise<{ role: string; isOwner: boolean; isMigrated: boolean }> {
  const { rows } = await client.query<{ role: string; isOwner: boolean; isMigrated: boolean }>(
    `SELECT current_user AS role, to_regclass('migrations') IS NOT NULL AS "isMigrated", coalesce(
       (SELECT pg_has_role(c.relowner, 'USAGE') FROM pg_class c WHERE c.oid = to_regclass('migrations')), has_schema_privilege(current_schema(), 'CREATE'), false) AS "isOwner"`,
  );
  return rows[0]!;
}

/** For a role that may not migrate: throws unless the owner has done everything. */
async function checkMigrated(client: pg.Client, role: string, known: readonly Migration[]): Promise<void> {
  const missing = await findMissingRight(client);
  if (missing !== undefined) throw new RightsMissing(`the role ${role} has no right to use the table ${missing}`);
  const pending = pendingOf(known, (await client.query<Applied>(selectApplied)).rows);
  if (pending.length > 0) throw new RightsMissing(`the role ${role} may not apply the migrations that are pending (${pending.map(({ name }) => name).join(", ")})`);
}

async function migrateAs(client: pg.Client, nowMs: number, known: readonly Migration[]): Promise<string[]> {
  await client.query(createMigrationsTable);
  const pending = pendingOf(known, (await client.query<Applied>(selectApplied)).rows);
  for (const each of pending) await applyOnPostgres(client, each, nowMs);
  // Including indexes of applied migrations: the next start finishes an interrupted build.
  for (const plan of known.flatMap(({ indexes }) => indexes ?? [])) await buildIndex(client, plan);
  if (known.some(({ name }) => name === chainMigration)) await chainOldActions(client);
  return pending.map((each) => each.name);
}

/**
 * Migrates under an advisory lock, so that nodes that start at the same time migrate once. A role that does not own the
 * tables waits for a migration that is under way, and then checks that nothing is left to do.
 */
export function migratePostgres(url: string, nowMs: number, known: readonly Migration[] = migrations): Promise<string[]> {
  return withClient(url, async (client) => {
    if (client.isPooled) await waitForMigration(client);
    else await takeMigrationLock(client);
    const { role, isOwner, isMigrated } = await readRole(client);
    if (isOwner && !client.isPooled) return migrateAs(client, nowMs, known);
    if (isOwner && !isMigrated) refusePooler("the database has no tables");
    if (!isMigrated) throw new RightsMissing(`the database has no tables, and the role ${role} may not create them`);
    await checkMigrated(client, role, known);
    return [];
  });
}

/** Migrates as the owner of the tables, and grants the service's role what it needs. */
export async function migrateAsOwner(urls: { ownerUrl: string; serviceUrl: string }, nowMs: number): Promise<string[]> {
  const { role } = await withClient(urls.serviceUrl, readRole);
  return withClient(urls.ownerUrl, async (owner) => {
    if (owner.isPooled) refusePooler("DATABASE_OWNER_URL leads to a pooler");
    await takeMigrationLock(owner);
    const migrated = await migrateAs(owner, nowMs, migrations);
    await grantRights(owner, role);
    return migrated;
  });
}

const chainMigration = "0010-audit-chain";

/** Chains rows from before the migration, a step at a time. */
async function chainOldActions(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ chained: number }>(chainStepOnPostgres);
    if (rows[0]!.chained === 0) return;
  }
}

/** The migrations that a start of this version would apply; the file is not changed. */
export function planSqlite(path: string): Migration[] {
  if (!existsSync(path)) return [...migrations];
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const hasAny = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get() !== undefined;
    return pendingOf(migrations, hasAny ? (database.prepare(selectApplied).all() as Applied[]) : []);
  } finally {
    database.close();
  }
}

export function planPostgres(url: string): Promise<Migration[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ found: boolean }>("SELECT to_regclass('migrations') IS NOT NULL AS found");
    return pendingOf(migrations, rows[0]!.found ? (await client.query<Applied>(selectApplied)).rows : []);
  });
}

export const findMigration = (name: string): Migration => migrations.find((each) => each.name === name)!;
