import type { Command } from "commander";
import { once } from "node:events";
import { createWriteStream, existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { finished } from "node:stream/promises";
import { fingerprintOf } from "../transfer/backup/secret-fingerprint.ts";
import { databasePathOf, readSecretFile } from "../transfer/backup/store-files.ts";
import { hasStore } from "../transfer/backup/place-store.ts";
import { type Config, readConfig } from "../config.ts";
import { explainOpenError } from "../start/explain-open-error.ts";
import { type ExportReport, exportStore } from "../transfer/export/export-store.ts";
import { openPostgresSource, openSqliteSource, type TableSource } from "../transfer/export/read-tables.ts";
import { prepareDataDir } from "../start/prepare-data-dir.ts";
import { readVersion } from "../operations/read-version.ts";
import { migrationNames } from "../store/migrate.ts";
import { defineCommand, type JsonOption } from "./define-command.ts";
import { explainFileError } from "./explain-file-error.ts";
import { isoTime, printJson, printLines, writeOut } from "./print.ts";
import { Refusal } from "./refusal.ts";

type Options = JsonOption & { out?: string; force?: true };

async function openSource(config: Config): Promise<TableSource> {
  if (config.databaseUrl !== undefined) return openPostgresSource(config.databaseUrl);
  if (!hasStore(config.dataDir)) throw new Refusal(`there is no store in ${config.dataDir} yet: set DATA_DIR to the folder that the service uses`);
  return openSqliteSource(databasePathOf(config.dataDir));
}

/** The tables are exported as this version knows them. */
function refuseOtherVersion({ migrations }: TableSource): void {
  const isUpToDate = migrations.length === migrationNames.length && migrations.every((name, index) => name === migrationNames[index]);
  if (!isUpToDate) throw new Refusal("the store is that of another version of Assay: bring it up to date with the migrate command, or use that version");
}

async function exportTo(config: Config, write: (text: string) => Promise<void>): Promise<ExportReport> {
  const hold = config.databaseUrl === undefined ? prepareDataDir(config.dataDir) : undefined;
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
    hold?.release();
  }
}

/** For its owner's eyes only, and under its name only when it is complete. */
async function exportToFile(config: Config, { file, force }: { file: string; force: boolean }): Promise<ExportReport> {
  if (!force && existsSync(file)) throw new Refusal(`${file} exists already: choose another name, or replace it with --force`);
  const part = join(dirname(file), `.${basename(file)}.${process.pid}.part`);
  const stream = createWriteStream(part, { flags: "wx", mode: 0o600, flush: true });
  const failed = once(stream, "error").then(([error]: Error[]) => Promise.reject(error));
  failed.catch(() => {});
  try {
    const report = await exportTo(config, async (text) => {
      if (!stream.write(text)) await Promise.race([once(stream, "drain"), failed]);
    });
    stream.end();
    await finished(stream);
    await rename(part, file);
    return report;
  } catch (error) {
    stream.destroy();
    throw explainFileError(error as Error, file);
  } finally {
    await rm(part, { force: true });
  }
}

const describe = ({ tables, rows, bytes }: ExportReport): string =>
  `Exported ${rows} rows of ${tables} tables, ${bytes} bytes. They hold what the store holds: keep them as safe.`;

async function runExport(options: Options): Promise<void> {
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
    summary: "write the whole store as lines, for import elsewhere",
    example: "export --out assay.export",
  })
    .option("--out <file>", "write to this file instead of standard output")
    .option("--force", "replace the file if it is there")
    .action(runExport);
}
