/**
 * Ledger rules shared by server and browser: the canonical text that an entry's hash covers, and what makes
 * a chain valid. Nothing here needs Node.
 */
import type { LedgerEntry } from "./dashboard/ledger.ts";

/** `prev_hash` of an account's first entry. */
export const genesisHash = "0".repeat(64);

type UnhashedEntry = Omit<LedgerEntry, "hash">;

/**
 * A version, then every field in this order, then the hash of the previous entry, joined by line feeds. No
 * field can contain a line feed. docs/money.md documents the format for third-party verifiers; PostgreSQL
 * builds the same text in SQL.
 */
export function canonicalText(entry: UnhashedEntry): string {
  return (
    `assay-entry-1\n${entry.account_id}\n${entry.seq}\n${entry.at}\n${entry.kind}\n${entry.ref}\n` +
    `${entry.endpoint}\n${entry.payer}\n${entry.share_bps}\n${entry.gross_micro}\n${entry.developer_micro}\n` +
    `${entry.platform_micro}\n${entry.prev_hash}`
  );
}

type Amounts = Pick<LedgerEntry, "kind" | "payer" | "gross_micro" | "developer_micro">;

/** Deposits and corrections of prepaid money name the developer as payer too, but credit the account. */
const isCharge = ({ kind, payer }: Amounts): boolean => payer === "developer" && kind !== "deposit" && kind !== "adjustment";

/** What an entry adds to its account's balance: the developer's share, less the price of a call that the developer pays. */
export const balanceChangeOf = (entry: Amounts): number => entry.developer_micro - (isCharge(entry) ? entry.gross_micro : 0);

/**
 * What an entry adds at once to what its account can spend on calls. The share of a call is added when it is confirmed.
 * Entries that others pay for add nothing: what they earn is paid out, and no dollar may be both spent and paid out.
 */
export function spendableChangeOf(entry: Amounts): number {
  if (entry.payer !== "developer") return 0;
  return entry.kind === "call" ? -entry.gross_micro : balanceChangeOf(entry);
}

/** Position reached while verifying a chain, and the balance up to there. */
export type ChainPlace = { seq: number; hash: string; at: number; balance_micro: number };

export const chainStart: ChainPlace = { seq: 0, hash: genesisHash, at: 0, balance_micro: 0 };

export type ChainProblem = "missing_entry" | "broken_link" | "changed_entry" | "older_than_before" | "does_not_add_up";

/** Checks `entry` as the successor of `place`. `hash` is computed from the entry's own text. */
export function findChainProblems(place: ChainPlace, entry: LedgerEntry, hash: string): ChainProblem[] {
  const problems: ChainProblem[] = [];
  if (entry.seq !== place.seq + 1) problems.push("missing_entry");
  if (entry.prev_hash !== place.hash) problems.push("broken_link");
  if (entry.hash !== hash) problems.push("changed_entry");
  if (entry.at < place.at) problems.push("older_than_before");
  if (entry.gross_micro !== entry.developer_micro + entry.platform_micro) problems.push("does_not_add_up");
  return problems;
}

/** The position after the entry. */
export function stepAfter(place: ChainPlace, entry: LedgerEntry): ChainPlace {
  return { seq: entry.seq, hash: entry.hash, at: entry.at, balance_micro: place.balance_micro + balanceChangeOf(entry) };
}

const hex = (bytes: ArrayBuffer) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Uses Web Crypto, which browsers offer on https and on localhost only. */
export async function hashInBrowser(entry: UnhashedEntry): Promise<string> {
  return hex(await globalThis.crypto.subtle.digest("SHA-256", new TextEncoder().encode(canonicalText(entry))));
}

export type ChainVerdict = { ok: true; place: ChainPlace } | { ok: false; place: ChainPlace; seq: number; problem: ChainProblem };

/**
 * Verifies one page of entries from `place` (`chainStart`, or the position after the previous page). After
 * the last page, `place.hash` and `place.balance_micro` must equal the head's.
 */
export async function verifyEntries(place: ChainPlace, entries: readonly LedgerEntry[]): Promise<ChainVerdict> {
  const hashes = await Promise.all(entries.map(hashInBrowser));
  let reached = place;
  for (const [index, entry] of entries.entries()) {
    const [problem] = findChainProblems(reached, entry, hashes[index]!);
    if (problem) return { ok: false, place: reached, seq: entry.seq, problem };
    reached = stepAfter(reached, entry);
  }
  return { ok: true, place: reached };
}
