import type { Command } from "commander";
import { join } from "node:path";
import { readConfig } from "../config.ts";
import { explainOpenError } from "../start/explain-open-error.ts";
import { migrateByOwner } from "../start/migrate-by-owner.ts";
import { findMigration, planPostgres, planSqlite } from "../store/migrate.ts";
import type { Migration } from "../store/migrations/migration.ts";
import { sqliteFileName } from "../store/open-store.ts";
import { defineCommand, type JsonOption } from "./define-command.ts";
import { printJson, printLines } from "./print.ts";
import { withStore } from "./with-store.ts";

const upToDate = "The store is up to date.";
const describe = ({ name, kind, onLargeTables }: Migration): string => `${name} (${kind}): ${onLargeTables}`;

async function runMigrate(options: JsonOption): Promise<void> {
  const byOwner = await migrateByOwner(readConfig());
  // Opened as the service opens it: its role must find everything in place.
  const report = await withStore(async ({ store, migrated }) => ({ store: store.dialect, migrated: [...byOwner, ...migrated] }));
  const lines = report.migrated.map((name) => describe(findMigration(name)));
  await (options.json ? printJson(report) : printLines(lines.length === 0 ? [upToDate] : ["Migrated:", ...lines]));
}

async function runPlan(options: JsonOption): Promise<void> {
  const config = readConfig();
  const databaseUrl = config.databaseOwnerUrl ?? config.databaseUrl;
  const plan = databaseUrl === undefined ? async () => planSqlite(join(config.dataDir, sqliteFileName)) : () => planPostgres(databaseUrl);
  const pending = await plan().catch((error: Error) => {
    throw explainOpenError(error, config, config.databaseOwnerUrl === undefined ? undefined : "DATABASE_OWNER_URL");
  });
  const report = pending.map(({ name, kind, onLargeTables }) => ({ name, kind, on_large_tables: onLargeTables }));
  const store = databaseUrl === undefined ? "sqlite" : "postgres";
  await (options.json ? printJson({ store, pending: report }) : printLines(pending.length === 0 ? [upToDate] : ["To migrate:", ...pending.map(describe)]));
}

export function addMigrateCommand(program: Command): void {
  defineCommand(program, {
    name: "migrate",
    summary: "migrate the store to this version",
    example: "migrate --dry-run",
  })
    .option("--dry-run", "change nothing: only list what would be done")
    .action((options: JsonOption & { dryRun?: true }) => (options.dryRun ? runPlan(options) : runMigrate(options)));
}
