import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { buildIndex, createSqliteIndex } from "./build-index.ts";
import { changeTables } from "./change-tables.ts";
import { migrations } from "./migrations/list.ts";
import type { Migration } from "./migrations/migration.ts";
import { connectionSettings } from "./open-postgres.ts";

type Applied = { name: string; kind: string };

/** What a store of this very version has been through. */
export const migrationNames: readonly string[] = migrations.map(({ name }) => name);

// Of a migration that nobody knows, the worst is believed.
const createMigrationsTable = `CREATE TABLE IF NOT EXISTS migrations (name TEXT NOT NULL PRIMARY KEY, at BIGINT NOT NULL, kind TEXT NOT NULL DEFAULT 'contract')`;
const selectApplied = "SELECT name, kind FROM migrations";
/** Nothing in it comes from outside: it travels as text with the migration's own statements. */
const insertMigration = ({ name, kind }: Migration, nowMs: number): string => `INSERT INTO migrations (name, at, kind) VALUES ('${name}', ${nowMs}, '${kind}')`;

/** Any number, the same for every node: who holds it migrates, the others wait for it. */
const migrationLock = 4_157_201_187;
const lockPauseMs = 100;

/** Migrations of a newer version are welcome as long as they took nothing away that this version uses. */
function missingFrom(known: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const names = new Set(applied.map((each) => each.name));
  const unbearable = applied.filter(({ name, kind }) => kind !== "expand" && !known.some((each) => each.name === name));
  if (unbearable.length > 0) {
    throw new Error(`the database was migrated by a newer version of Assay (${unbearable.map(({ name }) => name).join(", ")})`);
  }
  return known.filter((each) => !names.has(each.name));
}

/** Brings the file up to date in one exclusive transaction; returns the names that were applied. */
export function migrateSqlite(path: string, nowMs: number, known: readonly Migration[] = migrations): string[] {
  const database = new DatabaseSync(path, { timeout: 30_000 });
  try {
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("PRAGMA synchronous = FULL");
    database.exec("BEGIN IMMEDIATE");
    try {
      database.exec(createMigrationsTable);
      const missing = missingFrom(known, database.prepare(selectApplied).all() as Applied[]);
      for (const each of missing) {
        for (const statement of each.statements("sqlite")) database.exec(statement);
        for (const plan of each.indexes ?? []) database.exec(createSqliteIndex(plan));
        database.exec(insertMigration(each, nowMs));
      }
      database.exec("COMMIT");
      return missing.map((each) => each.name);
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  } finally {
    database.close();
  }
}

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  // None of a call's limits: waiting for another node's migration is right, however long it takes.
  const client = new pg.Client({ ...connectionSettings(url), options: undefined });
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Asks again and again instead of waiting in a statement: an index that is being built waits for every statement that
 * began before it, and would wait for those that wait for its own lock.
 */
async function takeMigrationLock(client: pg.Client): Promise<void> {
  const ask = () => client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1) AS taken", [migrationLock]);
  while (!(await ask()).rows[0]!.taken) await sleep(lockPauseMs);
}

async function applyOnPostgres(client: pg.Client, migration: Migration, nowMs: number): Promise<void> {
  await changeTables(client, [...migration.statements("postgres"), insertMigration(migration, nowMs)]).catch((error: Error & { code?: string }) => {
    if (error.code !== "55P03") throw error;
    throw new Error(`the migration ${migration.name} could not get its locks while somebody held them, and nothing was changed: end long transactions and try again`, { cause: error });
  });
}

/** The same under an advisory lock, so that nodes that start together migrate once. */
export function migratePostgres(url: string, nowMs: number, known: readonly Migration[] = migrations): Promise<string[]> {
  return withClient(url, async (client) => {
    await takeMigrationLock(client);
    await client.query(createMigrationsTable);
    const missing = missingFrom(known, (await client.query<Applied>(selectApplied)).rows);
    for (const each of missing) await applyOnPostgres(client, each, nowMs);
    // Also of migrations that were applied before: a build that was cut short is finished by the next start.
    for (const plan of known.flatMap(({ indexes }) => indexes ?? [])) await buildIndex(client, plan);
    return missing.map((each) => each.name);
  });
}

/** What a start of this version would do to the file, which stays as it is. */
export function planSqlite(path: string): Migration[] {
  if (!existsSync(path)) return [...migrations];
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const hasAny = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get() !== undefined;
    return missingFrom(migrations, hasAny ? (database.prepare(selectApplied).all() as Applied[]) : []);
  } finally {
    database.close();
  }
}

export function planPostgres(url: string): Promise<Migration[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ found: boolean }>("SELECT to_regclass('migrations') IS NOT NULL AS found");
    return missingFrom(migrations, rows[0]!.found ? (await client.query<Applied>(selectApplied)).rows : []);
  });
}

/** The same, by name; for who wants to tell what was applied. */
export const findMigration = (name: string): Migration => migrations.find((each) => each.name === name)!;
