import { hash } from "node:crypto";
import type { LedgerEntryRow } from "../store/schema.ts";

/** Stands where an account's first entry has no entry before it. */
export const genesisHash = "0".repeat(64);

/**
 * The text that an entry's hash is taken over: a version, then every field in this order, then the hash
 * of the entry before, joined by line feeds. No field can hold a line feed. docs/money.md explains it to
 * people who verify a ledger with tools of their own; PostgreSQL builds the same text in SQL.
 */
export function canonicalText(entry: Omit<LedgerEntryRow, "hash">): string {
  return (
    `assay-entry-1\n${entry.account_id}\n${entry.seq}\n${entry.at}\n${entry.kind}\n${entry.ref}\n` +
    `${entry.endpoint}\n${entry.payer}\n${entry.share_bps}\n${entry.gross_micro}\n${entry.developer_micro}\n` +
    `${entry.platform_micro}\n${entry.prev_hash}`
  );
}

export function hashEntry(entry: Omit<LedgerEntryRow, "hash">): string {
  return hash("sha256", canonicalText(entry), "hex");
}

/** What an entry adds to its account's balance. */
export function balanceChangeOf(
  entry: Pick<LedgerEntryRow, "payer" | "gross_micro" | "developer_micro">,
): number {
  return entry.developer_micro - (entry.payer === "developer" ? entry.gross_micro : 0);
}
