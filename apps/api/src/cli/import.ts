import type { Command } from "commander";
import { createReadStream } from "node:fs";
import { type Config, ConfigError, readConfig } from "../config.ts";
import { explainOpenError } from "../start/explain-open-error.ts";
import { makeDataDir } from "../start/prepare-data-dir.ts";
import { migrateByOwner } from "../start/migrate-by-owner.ts";
import { openPostgresTarget } from "../transfer/export/fill-postgres.ts";
import { openSqliteTarget } from "../transfer/export/fill-sqlite.ts";
import { type ImportOutcome, importStore, type TableTarget } from "../transfer/export/import-store.ts";
import { defineCommand, type JsonOption } from "./define-command.ts";
import { ledgerSize, printJson, printLines } from "./print.ts";
import { explainFileError, Refusal } from "./refusal.ts";

type Imported = Extract<ImportOutcome, { kind: "imported" }>;

function refusalText(outcome: Exclude<ImportOutcome, Imported>): string {
  switch (outcome.kind) {
    case "not_an_export":
      return "the input is not an export of Assay; nothing was imported";
    case "cut_short":
      return "the export is truncated: its last line is missing; nothing was imported";
    case "altered":
      return "the export was altered: its checksum does not match; nothing was imported";
    case "other_version":
      return `the export was made by version ${outcome.version}, which has other tables: use the same version on both sides; nothing was imported`;
    case "secret_differs":
      return "SECRET_KEY must be the secret of the installation that was exported (its DATA_DIR/secret.key, or its SECRET_KEY); nothing was imported";
    case "not_empty":
      return `the database is not empty (${outcome.table} has rows): import into a new one; nothing was imported`;
    case "unfit":
      return `${outcome.table} cannot be imported: ${outcome.problem}; nothing was imported`;
    case "broken":
      return `the imported ledger does not verify: ${outcome.problems.join("; ")}; nothing was imported`;
  }
}

async function openTarget(config: Config): Promise<TableTarget> {
  const nowMs = Date.now();
  if (config.databaseUrl !== undefined) {
    await migrateByOwner(config);
    const target = await openPostgresTarget(config.databaseOwnerUrl ?? config.databaseUrl, nowMs).catch((error: Error) => {
      throw explainOpenError(error, config);
    });
    if (target === "in_use") throw new Refusal("a service is connected to the database: stop it first; nothing was imported");
    return target;
  }
  makeDataDir(config.dataDir);
  const target = openSqliteTarget(config.dataDir, nowMs);
  if (target === "in_use") throw new Refusal(`a service or another command uses ${config.dataDir}: stop it first; nothing was imported`);
  if (target === "store_exists") throw new Refusal(`there is a store in ${config.dataDir}: import into an empty folder; nothing was imported`);
  return target;
}

async function runImport(file: string | undefined, options: JsonOption): Promise<void> {
  const config = readConfig();
  if (config.databaseUrl === undefined && config.secretKey === undefined) {
    throw new ConfigError("SECRET_KEY is required for an import: it must be the secret of the installation that was exported");
  }
  const chunks: AsyncIterable<Uint8Array> = file === undefined ? process.stdin : createReadStream(file);
  const outcome = await importStore(chunks, await openTarget(config), config.secretKey === undefined ? [] : [config.secretKey, ...config.previousSecretKeys]).catch((error: Error) => {
    const explained = explainFileError(error, file ?? "standard input");
    throw explained === error ? explainOpenError(error, config) : explained;
  });
  if (outcome.kind !== "imported") throw new Refusal(refusalText(outcome));
  const { kind: _kind, ...report } = outcome;
  const line = `Imported ${report.rows} rows of ${report.tables} tables: ${ledgerSize(report)}, every chain, balance and hour verified.`;
  await (options.json ? printJson(report) : printLines([line]));
}

export function addImportCommand(program: Command): void {
  defineCommand(program, {
    name: "import",
    summary: "fill an empty database from an export",
    example: "import assay.export",
  })
    .argument("[file]", "a file that export wrote; standard input if omitted")
    .action(runImport);
}
