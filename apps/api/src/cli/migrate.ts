import type { Command } from "commander";
import { defineCommand, type JsonOption } from "./define-command.ts";
import { printJson, printLines } from "./print.ts";
import { withStore } from "./with-store.ts";

async function runMigrate(options: JsonOption): Promise<void> {
  const report = await withStore(async ({ store, migrated }) => ({ store: store.dialect, migrated }));
  const line = report.migrated.length === 0 ? "The store is up to date." : `Migrated: ${report.migrated.join(", ")}.`;
  await (options.json ? printJson(report) : printLines([line]));
}

export function addMigrateCommand(program: Command): void {
  defineCommand(program, {
    name: "migrate",
    summary: "bring the store up to date (serve does so too)",
    example: "migrate",
  }).action(runMigrate);
}
