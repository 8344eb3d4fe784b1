import { startOfHour } from "../../formats/time.ts";
import type { MovementHourRow } from "../../store/schema-dashboard.ts";
import type { EntryKind, LedgerEntryRow, LedgerHeadRow } from "../../store/schema.ts";
import type { Transaction } from "../../store/store.ts";
import { chainEntry, type UnchainedEntry } from "./chain-entry.ts";
import { insertEntries, lockHeads, moveHead, sumDeveloperCallsSince } from "./ledger.table.ts";
import { addToMovementHours } from "./movements.table.ts";

/** Both databases limit the parameters of an INSERT. */
const entriesPerInsertMax = 500;

/** An entry to append. Calls take a faster path: charge-batch.ts. */
export type NewEntry = UnchainedEntry & { accountId: string; kind: Exclude<EntryKind, "call"> };

/** The chain heads that a transaction has locked, by account. */
export type LockedHeads = Map<string, LedgerHeadRow>;

/** Nodes of an earlier version charge calls without counting them in what is spendable: counts them now. */
async function countCalls(tx: Transaction, head: LedgerHeadRow): Promise<void> {
  if (head.spendable_micro === null || head.spendable_seq === head.seq) return;
  const [uncounted] = await tx.run(sumDeveloperCallsSince(tx.db, { accountId: head.account_id, afterSeq: head.spendable_seq }));
  head.spendable_micro -= uncounted!.gross_micro;
  head.spendable_seq = head.seq;
}

/**
 * Locks the chains: before any other lock of a transaction and all at once, so that no deadlock can arise. Those of
 * `others` are locked too where there are any.
 */
export async function lockChains(tx: Transaction, accountIds: readonly string[], others: readonly string[] = []): Promise<LockedHeads> {
  const wanted = [...new Set(accountIds)];
  if (wanted.length === 0) return new Map();
  const heads = await tx.run(lockHeads(tx.db, [...new Set([...wanted, ...others])]));
  const locked: LockedHeads = new Map(heads.map((head) => [head.account_id, { ...head }]));
  for (const accountId of wanted) {
    const head = locked.get(accountId);
    if (!head) throw new Error(`account ${accountId} has no ledger head`);
    await countCalls(tx, head);
  }
  return locked;
}

/** Sums entries other than calls by account, hour, kind and payer, in key order. */
function sumMovementsByHour(entries: readonly LedgerEntryRow[]): MovementHourRow[] {
  const hours = new Map<string, MovementHourRow>();
  for (const { account_id, at, kind, payer, gross_micro, developer_micro, platform_micro } of entries) {
    if (kind === "call") continue;
    const hour = startOfHour(at);
    const name = `${account_id} ${hour} ${kind} ${payer}`;
    const sums = hours.get(name) ?? { account_id, hour, kind, payer, entries: 0, gross_micro: 0, developer_micro: 0, platform_micro: 0 };
    sums.entries += 1;
    sums.gross_micro += gross_micro;
    sums.developer_micro += developer_micro;
    sums.platform_micro += platform_micro;
    hours.set(name, sums);
  }
  return [...hours].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, sums]) => sums);
}

/** Appends entries in order to chains that this transaction has locked, and returns the rows. */
export async function appendEntries(tx: Transaction, heads: LockedHeads, entries: readonly NewEntry[]): Promise<LedgerEntryRow[]> {
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
