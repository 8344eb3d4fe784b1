import { selectEntries } from "../src/money/ledger/ledger.table.ts";
import type { LedgerEntryRow } from "../src/store/schema.ts";
import type { Store } from "../src/store/store.ts";
import type { Answer } from "./send.ts";

/** More entries than any test writes for one account. */
const entriesMax = 1_000_000;

export async function readLedger(store: Store, accountId: string): Promise<LedgerEntryRow[]> {
  const entries = await selectEntries(store.db, { accountId, afterSeq: 0, limit: entriesMax }).execute();
  return entries.map((entry) => ({ ...entry }));
}

/** The receipt of a billed answer; undefined if it has none. */
export function receiptOf(answer: Answer): { seq: number; hash: string } | undefined {
  const header = answer.headers["assay-receipt"];
  const match = /^(\d+)\.([0-9a-f]{64})$/.exec(String(header));
  if (header !== undefined && !match) throw new Error(`not a receipt: ${String(header)}`);
  return match ? { seq: Number(match[1]), hash: match[2]! } : undefined;
}

/** Exact micro-USD: amounts in the API have at most six decimals. */
export const microOf = (usd: unknown): number => Math.round((usd as number) * 1_000_000);
