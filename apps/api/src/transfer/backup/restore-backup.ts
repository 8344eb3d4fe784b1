import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describeBreak, verifyLedger } from "../../money/ledger/verify-ledger.ts";
import { findProblems } from "../../store/check-sqlite.ts";
import { migrateSqlite } from "../../store/migrate.ts";
import { openSqlite } from "../../store/open-sqlite.ts";
import { holdDataDir } from "./hold-data-dir.ts";
import { dropStaged, finishPlacing, hasStore, placeStaged, stageStore } from "./place-store.ts";
import { type Seal, takeOutSeal, unsealTo } from "./seal-backup.ts";
import { fingerprintOf } from "./secret-fingerprint.ts";
import { databasePathOf, secretFileName } from "./store-files.ts";

/** A command that is just ending may be waited for; a service is not. */
const holdWaitMs = 1_000;

export type RestoreOrder = {
  dataDir: string;
  /** From the settings; undefined where the secret lies in the data folder. */
  secretKey: string | undefined;
  file: string;
  /** Whether a store that is there may be moved aside. */
  force: boolean;
  nowMs: number;
};

export type RestoreOutcome =
  /** `replaced`: the folder that keeps what was there before. */
  | { kind: "restored"; madeMs: number; version: string; entries: number; accounts: number; replaced: string | undefined }
  | { kind: "in_use" }
  | { kind: "store_exists" }
  | { kind: "not_a_backup" }
  | { kind: "altered" }
  | { kind: "secret_missing" }
  | { kind: "secret_differs" }
  | { kind: "damaged"; problems: string[] };

type Refused = Exclude<RestoreOutcome, { kind: "restored" }>;

/** Re-computes every chain, balance and hour of a store that nobody else has open. */
export async function verifyFile(path: string): Promise<{ entries: number; accounts: number; problems: string[] }> {
  const file = new DatabaseSync(path, { readOnly: true });
  const problems = findProblems(file, "whole");
  file.close();
  if (problems.length > 0) return { entries: 0, accounts: 0, problems };
  const store = openSqlite(path);
  try {
    const { entries, accounts, breaks } = await verifyLedger(store);
    return { entries, accounts, problems: breaks.map(describeBreak) };
  } finally {
    await store.close();
  }
}

function findSecretProblem(seal: Seal, secretKey: string | undefined): Refused | undefined {
  if (seal.fingerprint === undefined) return undefined;
  if (secretKey === undefined) return seal.secret === undefined ? { kind: "secret_missing" } : undefined;
  return fingerprintOf(secretKey) === seal.fingerprint ? undefined : { kind: "secret_differs" };
}

function readSeal(path: string): Seal {
  const copy = new DatabaseSync(path);
  try {
    return takeOutSeal(copy);
  } finally {
    copy.close();
  }
}

/** Prepares the whole store beside the one that is there, and looks at all of it. */
async function stage(order: RestoreOrder): Promise<Refused | { kind: "staged"; seal: Seal; entries: number; accounts: number }> {
  const { dataDir, secretKey, file, nowMs } = order;
  const staged = stageStore(dataDir);
  const path = databasePathOf(staged);
  const unsealed = await unsealTo(file, path);
  if (unsealed !== "whole") return { kind: unsealed };
  const seal = readSeal(path);
  const secretProblem = findSecretProblem(seal, secretKey);
  if (secretProblem) return secretProblem;
  migrateSqlite(path, nowMs);
  const { entries, accounts, problems } = await verifyFile(path);
  if (problems.length > 0) return { kind: "damaged", problems };
  if (seal.secret !== undefined) writeFileSync(join(staged, secretFileName), seal.secret, { mode: 0o600 });
  return { kind: "staged", seal, entries, accounts };
}

async function restoreAlone(order: RestoreOrder): Promise<RestoreOutcome> {
  finishPlacing(order.dataDir);
  if (!order.force && hasStore(order.dataDir)) return { kind: "store_exists" };
  try {
    const outcome = await stage(order);
    if (outcome.kind !== "staged") return outcome;
    const { seal, entries, accounts } = outcome;
    const replaced = placeStaged(order.dataDir, order.nowMs);
    return { kind: "restored", madeMs: seal.madeMs, version: seal.version, entries, accounts, replaced };
  } finally {
    dropStaged(order.dataDir);
  }
}

/** Puts the store of a backup into the data folder, after every entry of it was verified, and never under a running service. */
export async function restoreBackup(order: RestoreOrder): Promise<RestoreOutcome> {
  const hold = holdDataDir(order.dataDir, { alone: true, waitMs: holdWaitMs });
  if (!hold) return { kind: "in_use" };
  try {
    return await restoreAlone(order);
  } finally {
    hold.release();
  }
}
