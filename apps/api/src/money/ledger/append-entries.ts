import type { EntryKind, LedgerEntryRow, LedgerHeadRow } from "../../store/schema.ts";
import type { Transaction } from "../../store/store.ts";
import { chainEntry, type UnchainedEntry } from "./chain-entry.ts";
import { insertEntries, lockHeads, moveHead } from "./ledger.table.ts";
import { sumMovementsByHour } from "./movement-hours.ts";
import { addToMovementHours } from "./movements.table.ts";

/** Rows a single INSERT takes: both databases bound the number of its parameters. */
const entriesPerInsertMax = 500;

/** A movement that is not yet in the ledger. Calls take a faster path: charge-batch.ts. */
export type NewEntry = UnchainedEntry & { accountId: string; kind: Exclude<EntryKind, "call"> };

/** The ends of the chains that a transaction holds, by account. */
export type LockedHeads = Map<string, LedgerHeadRow>;

/** Takes the chains' locks. First of all locks in every transaction, all at once, so that none waits in a circle. */
export async function lockChains(tx: Transaction, accountIds: readonly string[]): Promise<LockedHeads> {
  const wanted = [...new Set(accountIds)];
  if (wanted.length === 0) return new Map();
  const heads = await tx.run(lockHeads(tx.db, wanted));
  const locked: LockedHeads = new Map(heads.map((head) => [head.account_id, { ...head }]));
  for (const accountId of wanted) {
    if (!locked.has(accountId)) throw new Error(`account ${accountId} has no ledger head`);
  }
  return locked;
}

/** Appends the entries, in their order, to chains that this transaction has locked; returns the rows as they stand. */
export async function appendEntries(
  tx: Transaction,
  heads: LockedHeads,
  entries: readonly NewEntry[],
): Promise<LedgerEntryRow[]> {
  const rows = entries.map((entry) => {
    const head = heads.get(entry.accountId);
    if (!head) throw new Error(`the chain of account ${entry.accountId} is not locked`);
    return chainEntry(head, entry);
  });
  for (let from = 0; from < rows.length; from += entriesPerInsertMax) {
    await tx.change(insertEntries(tx.db, rows.slice(from, from + entriesPerInsertMax)));
  }
  for (const accountId of new Set(entries.map((entry) => entry.accountId))) {
    await tx.change(moveHead(tx.db, heads.get(accountId)!));
  }
  for (const hour of sumMovementsByHour(rows)) await tx.change(addToMovementHours(tx.db, hour));
  return rows;
}
