import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { foundation } from "./migrations/0001-foundation.ts";
import { outcomesAndHours } from "./migrations/0002-outcomes-and-hours.ts";
import { ads } from "./migrations/0003-ads.ts";
import { accountsAndMail } from "./migrations/0004-accounts-and-mail.ts";
import { dashboard } from "./migrations/0005-dashboard.ts";
import { payoutsAndJobs } from "./migrations/0006-payouts-and-jobs.ts";
import { connectionSettings } from "./open-postgres.ts";
import type { Dialect } from "./store.ts";

/** In order, for ever: a migration that has been released is never changed. */
const migrations: { name: string; statements: (dialect: Dialect) => string[] }[] = [
  { name: "0001-foundation", statements: foundation },
  { name: "0002-outcomes-and-hours", statements: outcomesAndHours },
  { name: "0003-ads", statements: ads },
  { name: "0004-accounts-and-mail", statements: accountsAndMail },
  { name: "0005-dashboard", statements: dashboard },
  { name: "0006-payouts-and-jobs", statements: payoutsAndJobs },
];

const createMigrationsTable = `CREATE TABLE IF NOT EXISTS migrations (name TEXT NOT NULL PRIMARY KEY, at BIGINT NOT NULL)`;
const insertMigration = {
  sqlite: "INSERT INTO migrations (name, at) VALUES (?, ?)",
  postgres: "INSERT INTO migrations (name, at) VALUES ($1, $2)",
};

/** Any number, the same for every node: who holds it migrates, the others wait for it. */
const migrationLock = 4_157_201_187;

function missingFrom(applied: readonly { name: string }[]) {
  const names = new Set(applied.map((each) => each.name));
  const unknown = [...names].filter((name) => !migrations.some((each) => each.name === name));
  if (unknown.length > 0) {
    throw new Error(`the database was migrated by a newer version of Assay (${unknown.join(", ")})`);
  }
  return migrations.filter((each) => !names.has(each.name));
}

/** Brings the file up to date in one exclusive transaction; returns the names that were applied. */
export function migrateSqlite(path: string, nowMs: number): string[] {
  const database = new DatabaseSync(path, { timeout: 30_000 });
  try {
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("PRAGMA synchronous = FULL");
    database.exec("BEGIN IMMEDIATE");
    try {
      database.exec(createMigrationsTable);
      const missing = missingFrom(database.prepare("SELECT name FROM migrations").all() as { name: string }[]);
      for (const each of missing) {
        for (const statement of each.statements("sqlite")) database.exec(statement);
        database.prepare(insertMigration.sqlite).run(each.name, nowMs);
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

/** The same under an advisory lock, so that nodes that start together migrate once. */
export async function migratePostgres(url: string, nowMs: number): Promise<string[]> {
  // No lock or idle limits here: waiting for another node's migration is right, however long it takes.
  const client = new pg.Client({ ...connectionSettings(url), options: undefined });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [migrationLock]);
    await client.query(createMigrationsTable);
    const missing = missingFrom((await client.query<{ name: string }>("SELECT name FROM migrations")).rows);
    for (const each of missing) {
      await client.query("BEGIN");
      for (const statement of each.statements("postgres")) await client.query(statement);
      await client.query(insertMigration.postgres, [each.name, nowMs]);
      await client.query("COMMIT");
    }
    return missing.map((each) => each.name);
  } finally {
    await client.end();
  }
}
