import { msPerMinute } from "../../src/formats/time.ts";
import { createSealer } from "../../src/secrets/sealer.ts";
import { extendLog, type LogContext } from "../../src/money/ledger/log/extend-log.ts";
import type { LogMemory, Remembered } from "../../src/money/ledger/log/log-memory.ts";
import { hashChildren, hashEntryLeaf } from "../../src/money/ledger/log/tree.ts";
import type { NewEntry } from "../../src/money/ledger/append-entries.ts";
import type { Store } from "../../src/store/store.ts";
import { testSecretKey } from "../start-service.ts";

/** A log's memory that the test can look into and change. */
export function createMemory(): LogMemory & { kept: Remembered | undefined } {
  const memory = {
    kept: undefined as Remembered | undefined,
    recall: () => Promise.resolve(memory.kept),
    async remember(newest: Remembered) {
      memory.kept = newest;
    },
  };
  return memory;
}

/** Everything that extends a log, with this store's secret and a memory that is lost with the process. */
export const logContextOf = (store: Store, more: Partial<LogContext> = {}): LogContext => ({
  store,
  sealer: createSealer({ secretKey: testSecretKey, previous: [] }),
  nowMs: Date.now,
  host: () => "assay.example.com",
  memories: [],
  isOver: () => false,
  ...more,
});

export const extend = (store: Store, more?: Partial<LogContext>) => extendLog(logContextOf(store, more));

/** RFC 6962's definition of the tree, word by word: slow, and nothing like the code under test. */
export function naiveRoot(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 1) return leaves[0]!;
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return hashChildren(naiveRoot(leaves.slice(0, split)), naiveRoot(leaves.slice(split)));
}

/** The leaves that the log should have, by its runs, read row by row. */
export async function readLeaves(store: Store, log: number): Promise<{ accountId: string; seq: number; leaf: Buffer }[]> {
  const runs = await store.db.selectFrom("log_runs").selectAll().where("log", "=", log).orderBy("first_index").execute();
  const leaves: { accountId: string; seq: number; leaf: Buffer }[] = [];
  for (const { account_id: accountId, first_seq, count } of runs) {
    const entries = await store.db
      .selectFrom("ledger_entries")
      .select(["seq", "hash"])
      .where("account_id", "=", accountId)
      .where("seq", ">=", first_seq)
      .where("seq", "<", first_seq + count)
      .orderBy("seq")
      .execute();
    for (const { seq, hash } of entries) leaves.push({ accountId, seq, leaf: hashEntryLeaf({ accountId, seq, hash }) });
  }
  return leaves;
}

/** Keeps the job of a running service from extending the log: the test does it. */
export async function holdLogJob(store: Store): Promise<void> {
  await store.db.updateTable("jobs").set({ leased_until: Date.now() + 5 * msPerMinute, lease: "test" }).where("name", "=", "extend_log").execute();
}

const appendModule = new URL("../money/append.work.ts", import.meta.url);

const entriesPerTransaction = 500;

/** Appends so many entries to an account's chain. */
export async function addEntries(store: Store, accountId: string, count: number, atMs = Date.now()): Promise<void> {
  const entry: NewEntry = { accountId, atMs, kind: "adjustment", ref: "adj_test", endpoint: "adjustment", payer: "platform", shareBps: 0, grossMicroUsd: 1, developerMicroUsd: 1 };
  for (let left = count; left > 0; left -= entriesPerTransaction) {
    await store.transact<NewEntry[], number[]>(appendModule, Array.from({ length: Math.min(left, entriesPerTransaction) }, () => entry));
  }
}
