import { randomBytes } from "node:crypto";
import { closeSync, existsSync, linkSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../config.ts";
import { type DataDirLock, lockDataDir } from "../transfer/backup/lock-data-dir.ts";
import { finishPlacement, isPlacementPending } from "../transfer/backup/place-store.ts";
import { localTokenFileName, readSecretFile, secretFileName, syncToDisk } from "../transfer/backup/store-files.ts";

/** How long a start waits while a restore swaps the store. The swap is instant; staging before it may take minutes. */
const lockWaitMs = 5_000;
const triesMax = 3;

/** Creates the folder if needed and checks that it is writable, before anything else is opened. */
export function makeDataDir(dataDir: string): void {
  const probe = join(dataDir, `.write-probe-${process.pid}`);
  try {
    // Private to its owner; an existing folder keeps its mode.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    closeSync(openSync(probe, "w"));
    rmSync(probe);
  } catch (error) {
    throw new ConfigError(`DATA_DIR ${dataDir} cannot be written to (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Completes a restore that was interrupted after its commit point. */
function finishRestore(dataDir: string): void {
  if (!isPlacementPending(dataDir)) return;
  const lock = lockDataDir(dataDir, { exclusive: true, waitMs: lockWaitMs });
  if (!lock) return;
  try {
    finishPlacement(dataDir);
  } finally {
    lock.release();
  }
}

/** Makes the folder ready for use and locks it (shared), so that no restore replaces the store before the release. */
export function prepareDataDir(dataDir: string): DataDirLock {
  makeDataDir(dataDir);
  for (let tries = 0; tries < triesMax; tries += 1) {
    finishRestore(dataDir);
    const lock = lockDataDir(dataDir, { exclusive: false, waitMs: lockWaitMs });
    if (!lock) break;
    if (!isPlacementPending(dataDir)) return lock;
    lock.release();
  }
  throw new ConfigError(`DATA_DIR ${dataDir} is being restored: try again when that is done`);
}

/** A secret of 32 random bytes: generated once, readable by its owner only. */
export function readOrMakeSecret(dataDir: string, name = secretFileName): string {
  const path = join(dataDir, name);
  if (!existsSync(path)) {
    // Linked into place atomically: of two processes that start together, neither may read half a secret.
    const draft = join(dataDir, `.${name}-${process.pid}`);
    try {
      writeFileSync(draft, randomBytes(32).toString("base64url"), { mode: 0o600, flush: true });
      linkSync(draft, path);
      // Without the name, the next start after a power failure would make another secret.
      syncToDisk(dataDir);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOSPC") throw new ConfigError(`DATA_DIR ${dataDir}: the disk is full`);
      if (code !== "EEXIST") throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
  return readSecretFile(dataDir, name)!;
}

/** A file that was emptied or cut would open the mailbox to a guess. */
export function readOrMakeLocalToken(dataDir: string): string {
  const token = readOrMakeSecret(dataDir, localTokenFileName).trim();
  if (!/^[\w-]{43,}$/.test(token)) throw new ConfigError(`DATA_DIR ${dataDir}: the file ${localTokenFileName} is damaged; delete it, and the next start makes a new one`);
  return token;
}
