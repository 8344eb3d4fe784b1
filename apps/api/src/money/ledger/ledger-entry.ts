import { canonicalText } from "@assay/contract/ledger-chain.ts";
import { hash } from "node:crypto";
import type { LedgerEntryRow } from "../../store/schema.ts";

/** The same as a browser computes: see the contract's ledger-chain.ts, which both share. */
export function hashEntry(entry: Omit<LedgerEntryRow, "hash">): string {
  return hash("sha256", canonicalText(entry), "hex");
}
