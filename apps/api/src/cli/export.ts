import type { Command } from "commander";
import { existsSync } from "node:fs";
import { type Config, readConfig } from "../config.ts";
import { isoTime } from "../formats/time.ts";
import { readVersion } from "../operations/read-version.ts";
import { explainOpenError } from "../start/explain-open-error.ts";
import { prepareDataDir } from "../start/prepare-data-dir.ts";
import { migrationNames } from "../store/migrate.ts";
import { hasStore } from "../transfer/backup/place-store.ts";
import { databasePathOf, fingerprintOf, readSecretFile } from "../transfer/backup/store-files.ts";
import { type ExportReport, exportStore } from "../transfer/export/export-store.ts";
import { openPostgresSource, openSqliteSource, type TableSource } from "../transfer/export/read-tables.ts";
import { defineCommand, type JsonOption } from "./define-command.ts";
import { openFileSink } from "./open-sink.ts";
import { printJson, printLines, writeOut } from "./print.ts";
import { explainFileError, Refusal } from "./refusal.ts";

async function openSource(config: Config): Promise<TableSource> {
  if (config.databaseUrl !== undefined) return openPostgresSource(config.databaseUrl);
  if (!hasStore(config.dataDir)) throw new Refusal(`there is no store in ${config.dataDir} yet: set DATA_DIR to the folder that the service uses`);
  return openSqliteSource(databasePathOf(config.dataDir));
}

/** The export has the tables of this version. */
function refuseOtherVersion({ migrations }: TableSource): void {
  const isUpToDate = migrations.length === migrationNames.length && migrations.every((name, index) => name === migrationNames[index]);
  if (!isUpToDate) throw new Refusal("the store belongs to another version of Assay: run the migrate command, or use that version");
}

async function exportTo(config: Config, write: (text: string) => Promise<void>): Promise<ExportReport> {
  const lock = config.databaseUrl === undefined ? prepareDataDir(config.dataDir) : undefined;
  try {
    const source = await openSource(config).catch((error: Error) => {
      throw explainOpenError(error, config);
    });
    try {
      refuseOtherVersion(source);
      const secret = config.secretKey ?? readSecretFile(config.dataDir);
      const fingerprint = secret === undefined ? null : fingerprintOf(secret);
      return await exportStore(source, { version: readVersion(), exported_at: isoTime(Date.now()), fingerprint }, write);
    } finally {
      await source.close();
    }
  } finally {
    lock?.release();
  }
}

async function exportToFile(config: Config, { file, force }: { file: string; force: boolean }): Promise<ExportReport> {
  if (!force && existsSync(file)) throw new Refusal(`${file} already exists: choose another name, or replace it with --force`);
  const sink = await openFileSink(file, { encoding: "utf8", mode: 0o600, flush: true });
  try {
    const report = await exportTo(config, sink.write);
    await sink.commit();
    return report;
  } catch (error) {
    await sink.discard();
    throw explainFileError(error as Error, file);
  }
}

const describe = ({ tables, rows, bytes }: ExportReport): string =>
  `Exported ${rows} rows of ${tables} tables, ${bytes} bytes. They contain everything in the store: protect them like it.`;

async function runExport(options: JsonOption & { out?: string; force?: true }): Promise<void> {
  const config = readConfig();
  const { out } = options;
  if (out === undefined) {
    if (options.json) throw new Refusal("--json needs --out FILE: without it standard output is the export itself");
    const report = await exportTo(config, writeOut);
    process.stderr.write(`${describe(report)}\n`);
    return;
  }
  const report = await exportToFile(config, { file: out, force: options.force === true });
  await (options.json ? printJson(report) : printLines([describe(report)]));
}

export function addExportCommand(program: Command): void {
  defineCommand(program, {
    name: "export",
    summary: "write the whole store as lines, for import",
    example: "export --out assay.export",
  })
    .option("--out <file>", "write to this file instead of standard output")
    .option("--force", "replace the file if it exists")
    .action(runExport);
}
