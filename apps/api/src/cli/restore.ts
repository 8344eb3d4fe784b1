import type { Command } from "commander";
import { ConfigError, readConfig } from "../config.ts";
import { isoTime } from "../formats/time.ts";
import { makeDataDir } from "../start/prepare-data-dir.ts";
import { type RestoreOutcome, restoreBackup } from "../transfer/backup/restore-backup.ts";
import { defineCommand, type JsonOption } from "./define-command.ts";
import { ledgerSize, printJson, printLines } from "./print.ts";
import { explainFileError, Refusal } from "./refusal.ts";

type Restored = Extract<RestoreOutcome, { kind: "restored" }>;

function refusalText(outcome: Exclude<RestoreOutcome, Restored>, { file, dataDir }: { file: string; dataDir: string }): string {
  switch (outcome.kind) {
    case "in_use":
      return `a service or another command uses ${dataDir}: stop it first`;
    case "store_exists":
      return `there is a store in ${dataDir}: --force moves it aside, into a folder beside the new one`;
    case "not_a_backup":
      return `${file} is not a backup, or is truncated: it must be a complete file that the backup command made`;
    case "altered":
      return `${file} was altered: its checksum does not match, so nothing was restored`;
    case "secret_missing":
      return "the installation had its secret in SECRET_KEY, so the backup does not contain it: set SECRET_KEY to the same value";
    case "secret_differs":
      return "SECRET_KEY is not the backup's secret: set it to that one, or unset it if the backup contains its own";
    case "damaged":
      return `the store in ${file} is damaged, so nothing was restored: ${outcome.problems.join("; ")}`;
  }
}

const describeJson = ({ madeMs, version, entries, accounts, replaced }: Restored) => ({
  made_at: isoTime(madeMs),
  version,
  entries,
  accounts,
  replaced: replaced ?? null,
});

function describe(restored: Restored, dataDir: string): string[] {
  const { madeMs, replaced } = restored;
  return [
    `${dataDir} now has the store of ${isoTime(madeMs)}: ${ledgerSize(restored)}, every chain, balance and hour verified.`,
    ...(replaced === undefined ? [] : [`The previous store is in ${replaced}.`]),
    "Everything after that time is missing: keys revoked since are valid again, see docs/backup.md.",
  ];
}

async function runRestore(file: string, options: JsonOption & { force?: true }): Promise<void> {
  const { dataDir, databaseUrl, secretKey, previousSecretKeys } = readConfig();
  if (databaseUrl !== undefined) {
    throw new Refusal("restore is for the embedded store: restore PostgreSQL with its own tools, such as pg_restore");
  }
  makeDataDir(dataDir);
  const outcome = await restoreBackup({ dataDir, secretKey, previousSecretKeys, file, force: options.force === true, nowMs: Date.now() }).catch((error: Error) => {
    if (error.message.includes("newer version of Assay")) throw new ConfigError(error.message);
    throw explainFileError(error, file);
  });
  if (outcome.kind !== "restored") throw new Refusal(refusalText(outcome, { file, dataDir }));
  await (options.json ? printJson(describeJson(outcome)) : printLines(describe(outcome, dataDir)));
}

export function addRestoreCommand(program: Command): void {
  defineCommand(program, {
    name: "restore",
    summary: "restore a backup into an unused DATA_DIR",
    example: "restore /var/backups/assay-2026-11-15.backup",
  })
    .argument("<file>", "a file that the backup command made")
    .option("--force", "move an existing store aside")
    .action(runRestore);
}
