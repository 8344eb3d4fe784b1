import type { Command } from "commander";
import { type RestoreOutcome, restoreBackup } from "../transfer/backup/restore-backup.ts";
import { type Config, ConfigError, readConfig } from "../config.ts";
import { makeDataDir } from "../start/prepare-data-dir.ts";
import { defineCommand, type JsonOption } from "./define-command.ts";
import { explainFileError } from "./explain-file-error.ts";
import { isoTime, ledgerSize, printJson, printLines } from "./print.ts";
import { Refusal } from "./refusal.ts";

type Options = JsonOption & { force?: true };
type Restored = Extract<RestoreOutcome, { kind: "restored" }>;

function explain(outcome: Exclude<RestoreOutcome, Restored>, { file, config: { dataDir } }: { file: string; config: Config }): string {
  switch (outcome.kind) {
    case "in_use":
      return `a service or another command uses ${dataDir}: stop it first`;
    case "store_exists":
      return `there is a store in ${dataDir}: with --force it is moved aside, into a folder beside the new one`;
    case "not_a_backup":
      return `${file} is no backup, or only the beginning of one: it must be a whole file that the backup command made`;
    case "altered":
      return `${file} is not as it was made: its bytes and its checksum differ, so nothing was restored`;
    case "secret_missing":
      return "the installation had its secret in SECRET_KEY, so the backup does not hold it: set SECRET_KEY to the same value";
    case "secret_differs":
      return "SECRET_KEY is not the secret that the backup was made under: set it to that one, or unset it where the backup holds its own";
    case "damaged":
      return `what ${file} holds is damaged, so nothing was restored: ${outcome.problems.join("; ")}`;
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
    `${dataDir} holds the store of ${isoTime(madeMs)} again: ${ledgerSize(restored)}, every chain, balance and hour verified.`,
    ...(replaced === undefined ? [] : [`What was there before is in ${replaced}.`]),
    "Whatever happened since then is not in it: keys that were revoked since are good again, see docs/backup.md.",
  ];
}

async function runRestore(file: string, options: Options): Promise<void> {
  const config = readConfig();
  if (config.databaseUrl !== undefined) {
    throw new Refusal("restore is for the embedded store: bring PostgreSQL back with its own tools, such as pg_restore");
  }
  makeDataDir(config.dataDir);
  const order = { dataDir: config.dataDir, secretKey: config.secretKey, file, force: options.force === true, nowMs: Date.now() };
  const outcome = await restoreBackup(order).catch((error: Error) => {
    if (error.message.includes("newer version of Assay")) throw new ConfigError(error.message);
    throw explainFileError(error, file);
  });
  if (outcome.kind !== "restored") throw new Refusal(explain(outcome, { file, config }));
  await (options.json ? printJson(describeJson(outcome)) : printLines(describe(outcome, config.dataDir)));
}

export function addRestoreCommand(program: Command): void {
  defineCommand(program, {
    name: "restore",
    summary: "put a backup into DATA_DIR while nothing uses it",
    example: "restore /var/backups/assay-2026-11-15.backup",
  })
    .argument("<file>", "what the backup command made")
    .option("--force", "move the store that is there aside")
    .action(runRestore);
}
