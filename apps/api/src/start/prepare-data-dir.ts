import { randomBytes } from "node:crypto";
import { closeSync, existsSync, linkSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DataDirHold, holdDataDir } from "../transfer/backup/hold-data-dir.ts";
import { finishPlacing, isPlacingDue } from "../transfer/backup/place-store.ts";
import { readSecretFile, secretFileName } from "../transfer/backup/store-files.ts";
import { ConfigError } from "../config.ts";

/** How long a start waits for a restore that is exchanging the store: that takes an instant, what comes before it may take minutes. */
const holdWaitMs = 5_000;
const triesMax = 3;

/** Makes sure that there is a folder that can be written to, before anything else is opened. */
export function makeDataDir(dataDir: string): void {
  const probe = join(dataDir, `.write-probe-${process.pid}`);
  try {
    // What is in it is nobody else's business; a folder that is there already keeps its mode.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    closeSync(openSync(probe, "w"));
    rmSync(probe);
  } catch (error) {
    throw new ConfigError(`DATA_DIR ${dataDir} cannot be written to (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** A restore that was cut off after it had been decided is carried out by whoever comes next. */
function finishRestore(dataDir: string): void {
  if (!isPlacingDue(dataDir)) return;
  const alone = holdDataDir(dataDir, { alone: true, waitMs: holdWaitMs });
  if (!alone) return;
  try {
    finishPlacing(dataDir);
  } finally {
    alone.release();
  }
}

/** The folder, ready for use, and held so that nobody exchanges the store in it until it is released. */
export function prepareDataDir(dataDir: string): DataDirHold {
  makeDataDir(dataDir);
  for (let tries = 0; tries < triesMax; tries += 1) {
    finishRestore(dataDir);
    const hold = holdDataDir(dataDir, { alone: false, waitMs: holdWaitMs });
    if (!hold) break;
    if (!isPlacingDue(dataDir)) return hold;
    hold.release();
  }
  throw new ConfigError(`DATA_DIR ${dataDir} is being restored: try again when that is done`);
}

/** The installation's secret: made once, readable by its owner only. */
export function readOrMakeSecret(dataDir: string): string {
  const path = join(dataDir, secretFileName);
  if (!existsSync(path)) {
    // Whole or not there at all: of two processes that start together neither may read half of it.
    const draft = join(dataDir, `.${secretFileName}-${process.pid}`);
    try {
      writeFileSync(draft, randomBytes(32).toString("base64url"), { mode: 0o600, flush: true });
      linkSync(draft, path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOSPC") throw new ConfigError(`DATA_DIR ${dataDir}: the disk is full`);
      if (code !== "EEXIST") throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
  return readSecretFile(dataDir)!;
}
