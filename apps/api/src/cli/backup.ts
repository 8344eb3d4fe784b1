import type { Command } from "commander";
import { type BackupOutcome, makeBackup } from "../transfer/backup/make-backup.ts";
import { type Config, readConfig } from "../config.ts";
import { prepareDataDir } from "../start/prepare-data-dir.ts";
import { readVersion } from "../operations/read-version.ts";
import { defineCommand, type JsonOption } from "./define-command.ts";
import { explainFileError } from "./explain-file-error.ts";
import { ledgerSize, printJson, printLines } from "./print.ts";
import { Refusal } from "./refusal.ts";

type Options = JsonOption & { force?: true };
type Made = Extract<BackupOutcome, { kind: "made" }>;

function explain(outcome: Exclude<BackupOutcome, Made>, { file, config: { dataDir } }: { file: string; config: Config }): string {
  switch (outcome.kind) {
    case "no_store":
      return `there is no store in ${dataDir} yet: set DATA_DIR to the folder that the service uses`;
    case "file_exists":
      return `${file} exists already: choose another name, or replace it with --force`;
    case "inside_data_dir":
      return `a backup inside ${dataDir} would be lost with it: choose a file elsewhere`;
    case "damaged":
      return `the store is damaged, so no backup was made of it: ${outcome.problems.join("; ")}`;
  }
}

const describe = (made: Made): string[] => [
  `${made.file}: ${made.bytes} bytes, checked; the ledger has ${ledgerSize(made)}.`,
  "It holds all that the store holds, and the installation's secret: keep it as safe as both.",
];

async function runBackup(file: string, options: Options): Promise<void> {
  const config = readConfig();
  if (config.databaseUrl !== undefined) {
    throw new Refusal('backup is for the embedded store: back PostgreSQL up with its own tools, such as pg_dump --format=custom "$DATABASE_URL"');
  }
  const hold = prepareDataDir(config.dataDir);
  try {
    const order = { dataDir: config.dataDir, secretKey: config.secretKey, file, force: options.force === true, version: readVersion(), nowMs: Date.now() };
    const outcome = await makeBackup(order).catch((error: Error) => {
      throw explainFileError(error, file);
    });
    if (outcome.kind !== "made") throw new Refusal(explain(outcome, { file, config }));
    const { kind: _kind, ...report } = outcome;
    await (options.json ? printJson(report) : printLines(describe(outcome)));
  } finally {
    hold.release();
  }
}

export function addBackupCommand(program: Command): void {
  defineCommand(program, {
    name: "backup",
    summary: "copy the embedded store into one file, while it runs",
    example: "backup /var/backups/assay-$(date +%F).backup",
  })
    .argument("<file>", "where to: outside DATA_DIR, best on another disk")
    .option("--force", "replace the file if it is there")
    .action(runBackup);
}
