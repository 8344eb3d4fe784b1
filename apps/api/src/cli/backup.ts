import type { Command } from "commander";
import { readConfig } from "../config.ts";
import { readVersion } from "../operations/read-version.ts";
import { prepareDataDir } from "../start/prepare-data-dir.ts";
import { type BackupOutcome, makeBackup } from "../transfer/backup/make-backup.ts";
import { defineCommand, type JsonOption } from "./define-command.ts";
import { ledgerSize, printJson, printLines } from "./print.ts";
import { explainFileError, Refusal } from "./refusal.ts";

type Made = Extract<BackupOutcome, { kind: "made" }>;

function refusalText(outcome: Exclude<BackupOutcome, Made>, { file, dataDir }: { file: string; dataDir: string }): string {
  switch (outcome.kind) {
    case "no_store":
      return `there is no store in ${dataDir} yet: set DATA_DIR to the folder that the service uses`;
    case "file_exists":
      return `${file} already exists: choose another name, or replace it with --force`;
    case "inside_data_dir":
      return `a backup inside ${dataDir} would be lost with it: choose a file elsewhere`;
    case "damaged":
      return `the store is damaged, so no backup was made: ${outcome.problems.join("; ")}`;
  }
}

async function runBackup(file: string, options: JsonOption & { force?: true }): Promise<void> {
  const { dataDir, databaseUrl, secretKey } = readConfig();
  if (databaseUrl !== undefined) {
    throw new Refusal('backup is for the embedded store: back PostgreSQL up with its own tools, such as pg_dump --format=custom "$DATABASE_URL"');
  }
  const lock = prepareDataDir(dataDir);
  try {
    const backup = { dataDir, secretKey, file, force: options.force === true, version: readVersion(), nowMs: Date.now() };
    const outcome = await makeBackup(backup).catch((error: Error) => {
      throw explainFileError(error, file);
    });
    if (outcome.kind !== "made") throw new Refusal(refusalText(outcome, { file, dataDir }));
    const { kind: _kind, ...report } = outcome;
    if (options.json) return await printJson(report);
    return await printLines([
      `${report.file}: ${report.bytes} bytes, checked; the ledger has ${ledgerSize(report)}.`,
      "It contains everything in the store and the installation's secret: protect it like both.",
    ]);
  } finally {
    lock.release();
  }
}

export function addBackupCommand(program: Command): void {
  defineCommand(program, {
    name: "backup",
    summary: "copy the embedded store into one file",
    example: "backup /var/backups/assay-$(date +%F).backup",
  })
    .argument("<file>", "the backup file: outside DATA_DIR, preferably on another disk")
    .option("--force", "replace the file if it exists")
    .action(runBackup);
}
