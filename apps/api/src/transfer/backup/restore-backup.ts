import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createFileMemory } from "../../money/ledger/log/log-memory.ts";
import { openNextLog } from "../../money/ledger/log/extend-log.ts";
import { verifyLedgerAndLog } from "../../money/ledger/log/verify-ledger-and-log.ts";
import { describeBreak } from "../../money/ledger/verify-ledger.ts";
import { isoTime } from "../../formats/time.ts";
import { findProblems } from "../../store/check-sqlite.ts";
import { migrateSqlite } from "../../store/migrate.ts";
import { openSqlite } from "../../store/open-sqlite.ts";
import { type BackupMetadata, takeMetadata, extractDatabase } from "./backup-file.ts";
import { lockDataDir } from "./lock-data-dir.ts";
import { deleteStagedStore, finishPlacement, hasStore, placeStagedStore, stageStore } from "./place-store.ts";
import { databasePathOf, fingerprintOf, secretFileName } from "./store-files.ts";

/** Long enough for a command that is just ending; a running service is not waited for. */
const lockWaitMs = 1_000;

export type RestoreOptions = {
  dataDir: string;
  /** From the settings; undefined when the secret is in the data folder. */
  secretKey: string | undefined;
  /** SECRET_KEY_PREVIOUS: the backup may be older than the present secret. */
  previousSecretKeys?: readonly string[];
  file: string;
  /** Move an existing store aside. */
  force: boolean;
  nowMs: number;
};

export type RestoreOutcome =
  /** `replaced`: the folder that keeps the previous store. */
  | { kind: "restored"; madeMs: number; version: string; entries: number; accounts: number; replaced: string | undefined }
  | { kind: "in_use" }
  | { kind: "store_exists" }
  | { kind: "not_a_backup" }
  | { kind: "altered" }
  | { kind: "secret_missing" }
  | { kind: "secret_differs" }
  | { kind: "damaged"; problems: string[] };

type Refused = Exclude<RestoreOutcome, { kind: "restored" }>;

/** Recomputes every chain, balance and hourly rollup of a store that no other process has open. */
export async function verifyStoreFile(path: string): Promise<{ entries: number; accounts: number; problems: string[] }> {
  const file = new DatabaseSync(path, { readOnly: true });
  const problems = findProblems(file, "whole");
  file.close();
  if (problems.length > 0) return { entries: 0, accounts: 0, problems };
  const store = openSqlite(path);
  try {
    const { entries, accounts, breaks } = await verifyLedgerAndLog(store);
    return { entries, accounts, problems: breaks.map(describeBreak) };
  } finally {
    await store.close();
  }
}

function findSecretProblem(metadata: BackupMetadata, secretKey: string | undefined, previous: readonly string[]): Refused | undefined {
  if (metadata.fingerprint === undefined) return undefined;
  if (secretKey === undefined) return metadata.secret === undefined ? { kind: "secret_missing" } : undefined;
  return [secretKey, ...previous].some((each) => fingerprintOf(each) === metadata.fingerprint) ? undefined : { kind: "secret_differs" };
}

/** What was logged after the backup was made is missing: the log goes on under another name, with all entries. */
async function closeLog(path: string, { dataDir, nowMs, madeMs }: { dataDir: string; nowMs: number; madeMs: number }): Promise<void> {
  const store = openSqlite(path);
  try {
    const known = await createFileMemory(dataDir).recall();
    await openNextLog(store, { nowMs, reason: `the database was restored from a backup of ${isoTime(madeMs)}`, known });
  } finally {
    await store.close();
  }
}

/** Stages the store beside the current one, migrates it and verifies all of it. */
async function stage(options: RestoreOptions): Promise<Refused | { kind: "staged"; metadata: BackupMetadata; entries: number; accounts: number }> {
  const { dataDir, secretKey, file, nowMs } = options;
  const staged = stageStore(dataDir);
  const path = databasePathOf(staged);
  const extracted = await extractDatabase(file, path);
  if (extracted !== "whole") return { kind: extracted };
  const metadata = takeMetadata(path);
  const secretProblem = findSecretProblem(metadata, secretKey, options.previousSecretKeys ?? []);
  if (secretProblem) return secretProblem;
  migrateSqlite(path, nowMs);
  const { entries, accounts, problems } = await verifyStoreFile(path);
  if (problems.length > 0) return { kind: "damaged", problems };
  await closeLog(path, { dataDir, nowMs, madeMs: metadata.madeMs });
  if (metadata.secret !== undefined) writeFileSync(join(staged, secretFileName), metadata.secret, { mode: 0o600 });
  return { kind: "staged", metadata, entries, accounts };
}

async function restoreLocked(options: RestoreOptions): Promise<RestoreOutcome> {
  const { dataDir, force, nowMs } = options;
  finishPlacement(dataDir);
  if (!force && hasStore(dataDir)) return { kind: "store_exists" };
  try {
    const outcome = await stage(options);
    if (outcome.kind !== "staged") return outcome;
    const { metadata: { madeMs, version }, entries, accounts } = outcome;
    return { kind: "restored", madeMs, version, entries, accounts, replaced: placeStagedStore(dataDir, nowMs) };
  } finally {
    deleteStagedStore(dataDir);
  }
}

/** Restores a backup into the data folder after verifying every entry; never under a running service. */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreOutcome> {
  const lock = lockDataDir(options.dataDir, { exclusive: true, waitMs: lockWaitMs });
  if (!lock) return { kind: "in_use" };
  try {
    return await restoreLocked(options);
  } finally {
    lock.release();
  }
}
