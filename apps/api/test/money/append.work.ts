import type { Transaction } from "../../src/store/store.ts";
import { appendEntries, lockChains, type NewEntry } from "../../src/money/ledger/append-entries.ts";

/** Appends entries as ads and payouts do. */
export async function work(tx: Transaction, entries: NewEntry[]): Promise<number[]> {
  const heads = await lockChains(tx, entries.map((entry) => entry.accountId));
  return (await appendEntries(tx, heads, entries)).map((row) => row.seq);
}
