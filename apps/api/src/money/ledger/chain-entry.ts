import { balanceChangeOf, canonicalText, spendableChangeOf } from "@assay/contract/ledger-chain.ts";
import { hash } from "node:crypto";
import type { EntryKind, LedgerEntryRow, LedgerHeadRow, Payer } from "../../store/schema.ts";

export const entryColumns = [
  "account_id",
  "seq",
  "at",
  "kind",
  "ref",
  "endpoint",
  "payer",
  "share_bps",
  "gross_micro",
  "developer_micro",
  "platform_micro",
  "prev_hash",
  "hash",
] as const satisfies readonly (keyof LedgerEntryRow)[];

export const headColumns = [
  "account_id",
  "seq",
  "hash",
  "at",
  "balance_micro",
  "spendable_micro",
  "spendable_seq",
  "share_confirmed_seq",
] as const satisfies readonly (keyof LedgerHeadRow)[];

export type UnchainedEntry = {
  atMs: number;
  kind: EntryKind;
  /** The id of a session, an offer, a payout, a funding or a correction. */
  ref: string;
  endpoint: string;
  payer: Payer;
  shareBps: number;
  grossMicroUsd: number;
  developerMicroUsd: number;
};

/** Browsers compute the same hash: both use the contract's ledger-chain.ts. */
export function hashEntry(entry: Omit<LedgerEntryRow, "hash">): string {
  return hash("sha256", canonicalText(entry), "hex");
}

/** Makes the next entry of the account's chain, and advances `head`, which the transaction has locked. */
export function chainEntry(head: LedgerHeadRow, entry: UnchainedEntry): LedgerEntryRow {
  const row: LedgerEntryRow = {
    account_id: head.account_id,
    seq: head.seq + 1,
    // Time never runs backwards within an account, so a month is a range of seq values.
    at: Math.max(head.at, entry.atMs),
    kind: entry.kind,
    ref: entry.ref,
    endpoint: entry.endpoint,
    payer: entry.payer,
    share_bps: entry.shareBps,
    gross_micro: entry.grossMicroUsd,
    developer_micro: entry.developerMicroUsd,
    platform_micro: entry.grossMicroUsd - entry.developerMicroUsd,
    prev_hash: head.hash,
    hash: "",
  };
  row.hash = hashEntry(row);
  head.seq = row.seq;
  head.at = row.at;
  head.hash = row.hash;
  head.balance_micro += balanceChangeOf(row);
  if (head.spendable_micro !== null) head.spendable_micro += spendableChangeOf(row);
  head.spendable_seq = row.seq;
  return row;
}
