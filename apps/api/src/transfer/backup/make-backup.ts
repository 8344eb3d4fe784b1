import { closeSync, existsSync, linkSync, openSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { backup as copyDatabase, DatabaseSync } from "node:sqlite";
import { findProblems } from "../../store/check-sqlite.ts";
import { appendChecksum, insertMetadata } from "./backup-file.ts";
import { hasStore } from "./place-store.ts";
import { databasePathOf, fingerprintOf, readSecretFile, syncToDisk } from "./store-files.ts";

/** How long opening the store may wait for a writer. Reading it then waits for no writer. */
const busyTimeoutMs = 10_000;
/** All pages in one step: see `copyStore`. */
const pagesPerStep = 2 ** 31 - 1;

export type BackupOptions = {
  dataDir: string;
  /** From the settings; undefined when the secret is in the data folder. */
  secretKey: string | undefined;
  file: string;
  /** Replace an existing file. */
  force: boolean;
  version: string;
  nowMs: number;
};

export type BackupOutcome =
  | { kind: "made"; file: string; bytes: number; entries: number; accounts: number }
  | { kind: "no_store" }
  | { kind: "file_exists" }
  | { kind: "inside_data_dir" }
  | { kind: "damaged"; problems: string[] };

/**
 * Copies a snapshot of the store while others write to it. In one step: a stepwise copy restarts whenever another
 * process writes in between, and under load would never end. The step is one long read that blocks no writer. The
 * write-ahead log grows meanwhile and shrinks afterwards.
 */
async function copyStore(from: string, to: string): Promise<void> {
  // Readable by its owner only, from the first byte on.
  closeSync(openSync(to, "wx", 0o600));
  const store = new DatabaseSync(from, { timeout: busyTimeoutMs });
  try {
    await copyDatabase(store, to, { rate: pagesPerStep });
  } finally {
    store.close();
  }
}

type Counts = { entries: number; accounts: number };

/**
 * Salts of networks are deleted within two days, and a backup is kept for longer. A restored store makes new ones. A
 * store that was not migrated yet has none.
 */
function dropSalts(copy: DatabaseSync): void {
  if (!copy.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'network_salts'").get()) return;
  copy.exec("PRAGMA secure_delete = ON");
  copy.exec("DELETE FROM network_salts");
}

/** Checks the copy, makes it a single file without a journal, and adds the backup's metadata. */
function checkAndDescribe(path: string, { secretKey, dataDir, version, nowMs }: BackupOptions): { problems: string[]; counts: Counts } {
  const copy = new DatabaseSync(path);
  try {
    copy.exec("PRAGMA journal_mode = DELETE");
    const problems = findProblems(copy, "whole");
    if (problems.length > 0) return { problems, counts: { entries: 0, accounts: 0 } };
    dropSalts(copy);
    const ownSecret = readSecretFile(dataDir);
    const secret = secretKey ?? ownSecret;
    insertMetadata(copy, {
      madeMs: nowMs,
      version,
      secret: secretKey === undefined ? ownSecret : undefined,
      fingerprint: secret === undefined ? undefined : fingerprintOf(secret),
    });
    const counts = copy.prepare("SELECT coalesce(sum(seq), 0) AS entries, count(*) AS accounts FROM ledger_heads").get() as Counts;
    return { problems, counts: { ...counts } };
  } finally {
    copy.close();
  }
}

/** Renames the complete file into place. Without `force` it never replaces another file, not even one created meanwhile. */
function placeFile(part: string, file: string, force: boolean): "placed" | "file_exists" {
  syncToDisk(part);
  try {
    if (!force) linkSync(part, file);
  } catch {
    // The file exists, or the file system has no hard links; then an existence check must do.
    if (existsSync(file)) return "file_exists";
  }
  renameSync(part, file);
  syncToDisk(dirname(file));
  return "placed";
}

function isInside(file: string, folder: string): boolean {
  const path = relative(realpathSync(folder), join(realpathSync(dirname(file)), basename(file)));
  return !path.startsWith("..");
}

/** Copies the embedded store into one checked file, whether or not a service is running. Migrates nothing. */
export async function makeBackup(options: BackupOptions): Promise<BackupOutcome> {
  const { dataDir, force } = options;
  const file = resolve(options.file);
  if (!hasStore(dataDir)) return { kind: "no_store" };
  if (isInside(file, dataDir)) return { kind: "inside_data_dir" };
  if (!force && existsSync(file)) return { kind: "file_exists" };
  const part = join(dirname(file), `.${basename(file)}.${process.pid}.part`);
  try {
    await copyStore(databasePathOf(dataDir), part);
    const { problems, counts } = checkAndDescribe(part, options);
    if (problems.length > 0) return { kind: "damaged", problems };
    await appendChecksum(part);
    const { size: bytes } = statSync(part);
    return placeFile(part, file, force) === "placed" ? { kind: "made", file, bytes, ...counts } : { kind: "file_exists" };
  } finally {
    for (const ending of ["", "-journal"]) rmSync(part + ending, { force: true });
  }
}
