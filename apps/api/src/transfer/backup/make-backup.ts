import { closeSync, existsSync, linkSync, openSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { backup as copyDatabase, DatabaseSync } from "node:sqlite";
import { findProblems } from "../../store/check-sqlite.ts";
import { hasStore } from "./place-store.ts";
import { closeSeal, insertSeal } from "./seal-backup.ts";
import { fingerprintOf } from "./secret-fingerprint.ts";
import { databasePathOf, readSecretFile } from "./store-files.ts";
import { syncToDisk } from "./sync-files.ts";

/** How long opening the store may wait for a writer; reading it then waits for nobody. */
const busyTimeoutMs = 10_000;
/** All of them: see `copyStore`. */
const pagesAtOnce = 2 ** 31 - 1;

export type BackupOrder = {
  dataDir: string;
  /** From the settings; undefined where the secret lies in the data folder. */
  secretKey: string | undefined;
  file: string;
  /** Whether a file that is there may be replaced. */
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
 * Copies the store as it is at one moment, while others write to it. In one step: a copy in several steps begins
 * anew whenever another process has written in between, and under load would never end. The step is one long read, for
 * which no writer waits; the log beside the store grows meanwhile by what is written, and shrinks to its usual size after.
 */
async function copyStore(from: string, to: string): Promise<void> {
  // Nobody but its owner may read it, from its first byte on.
  closeSync(openSync(to, "wx", 0o600));
  const store = new DatabaseSync(from, { timeout: busyTimeoutMs });
  try {
    await copyDatabase(store, to, { rate: pagesAtOnce });
  } finally {
    store.close();
  }
}

type Counts = { entries: number; accounts: number };

/** Checks the copy and makes one file of it that needs no other beside it. */
function checkAndSeal(path: string, { secretKey, dataDir, version, nowMs }: BackupOrder): { problems: string[]; counts: Counts } {
  const copy = new DatabaseSync(path);
  try {
    copy.exec("PRAGMA journal_mode = DELETE");
    const problems = findProblems(copy, "whole");
    if (problems.length > 0) return { problems, counts: { entries: 0, accounts: 0 } };
    const ownSecret = readSecretFile(dataDir);
    const secret = secretKey ?? ownSecret;
    insertSeal(copy, {
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

/** Under its name only when it is complete; without `force` never in the place of another file, not even one that came meanwhile. */
function placeFile(part: string, file: string, force: boolean): "placed" | "file_exists" {
  syncToDisk(part);
  try {
    if (!force) linkSync(part, file);
  } catch {
    // There is such a file, or the disk knows no links, and then looking must do.
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

/** Copies, checks and seals the embedded store into one file, whether a service runs on it or not. Migrates nothing. */
export async function makeBackup(order: BackupOrder): Promise<BackupOutcome> {
  const file = resolve(order.file);
  if (!hasStore(order.dataDir)) return { kind: "no_store" };
  if (isInside(file, order.dataDir)) return { kind: "inside_data_dir" };
  if (!order.force && existsSync(file)) return { kind: "file_exists" };
  const part = join(dirname(file), `.${basename(file)}.${process.pid}.part`);
  try {
    await copyStore(databasePathOf(order.dataDir), part);
    const { problems, counts } = checkAndSeal(part, order);
    if (problems.length > 0) return { kind: "damaged", problems };
    await closeSeal(part);
    const { size: bytes } = statSync(part);
    return placeFile(part, file, order.force) === "placed" ? { kind: "made", file, bytes, ...counts } : { kind: "file_exists" };
  } finally {
    for (const ending of ["", "-journal"]) rmSync(part + ending, { force: true });
  }
}
