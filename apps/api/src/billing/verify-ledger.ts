import type { LedgerEntryRow, LedgerHeadRow } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { balanceChangeOf, genesisHash, hashEntry } from "./ledger-entry.ts";
import { selectEntries, selectHead, selectHeads, selectNextAccountWithEntries, selectRollupsOfAccount } from "./ledger.table.ts";

const entriesPerPage = 2_000;
const headsPerPage = 500;
const breaksMax = 100;
const msPerHour = 3_600_000;

/** One place where the ledger is not what it claims to be. */
export type LedgerBreak = { accountId: string; seq: number; problem: string };

export type LedgerReport = { entries: number; accounts: number; ok: boolean; breaks: LedgerBreak[] };

type Sums = { calls: number; gross: number; developer: number; platform: number };

type Head = LedgerHeadRow & { last_entry_seq: number | null };

/** Re-computes one account's chain, balance and hours, entry by entry, in bounded memory. */
async function verifyAccount(
  store: Store,
  head: Head,
  { report, onProgress }: { report: LedgerReport; onProgress: () => void },
): Promise<void> {
  const accountId = head.account_id;
  const found = (seq: number, problem: string) => {
    report.ok = false;
    if (report.breaks.length < breaksMax) report.breaks.push({ accountId, seq, problem });
  };
  const hours = new Map<string, Sums>();
  let last = { seq: 0, hash: genesisHash, at: 0, balance: 0 };

  function verifyEntry(entry: LedgerEntryRow): void {
    const { hash, ...rest } = entry;
    if (entry.seq !== last.seq + 1) found(entry.seq, `follows entry ${last.seq}: entries are missing`);
    if (entry.prev_hash !== last.hash) found(entry.seq, "does not name the hash of the entry before it");
    if (hashEntry(rest) !== hash) found(entry.seq, "has been changed: its hash is not that of its fields");
    if (entry.at < last.at) found(entry.seq, "is older than the entry before it");
    if (entry.gross_micro !== entry.developer_micro + entry.platform_micro) found(entry.seq, "does not add up");
    last = { seq: entry.seq, hash, at: entry.at, balance: last.balance + balanceChangeOf(entry) };
    if (entry.kind === "call") addTo(hours, entry);
    report.entries += 1;
  }

  for (;;) {
    // Up to the head that was read first: entries that are appended meanwhile are not this run's matter.
    const page = { accountId, afterSeq: last.seq, limit: Math.min(entriesPerPage, head.seq - last.seq) };
    if (page.limit <= 0) break;
    const entries = await selectEntries(store.db, page).execute();
    for (const entry of entries) verifyEntry(entry);
    onProgress();
    if (entries.length < page.limit) break;
  }
  if (last.seq !== head.seq || last.hash !== head.hash) {
    found(head.seq, `is the account's last entry by its head, but the chain ends at ${last.seq}`);
  } else if (last.balance !== head.balance_micro) {
    found(head.seq, `balance is ${head.balance_micro} micro-USD, but the entries add up to ${last.balance}`);
  }
  if ((head.last_entry_seq ?? 0) > head.seq) found(head.seq + 1, `stands beyond the end of the chain, which is ${head.seq}`);
  await verifyHours(store, { head, hours, found });
}

function addTo(hours: Map<string, Sums>, entry: LedgerEntryRow): void {
  const hour = entry.at - (entry.at % msPerHour);
  const name = `${hour} ${entry.endpoint} ${entry.payer} ${entry.share_bps}`;
  const sums = hours.get(name) ?? { calls: 0, gross: 0, developer: 0, platform: 0 };
  sums.calls += 1;
  sums.gross += entry.gross_micro;
  sums.developer += entry.developer_micro;
  sums.platform += entry.platform_micro;
  hours.set(name, sums);
}

/**
 * The hourly rollups must equal the ledger. When the head moved during the run the account is in use, and
 * the hours from the head's own on are left out: the hours before it can no longer change.
 */
async function verifyHours(
  store: Store,
  { head, hours, found }: { head: LedgerHeadRow; hours: Map<string, Sums>; found(seq: number, problem: string): void },
): Promise<void> {
  const rows = await selectRollupsOfAccount(store.db, head.account_id).execute();
  const after = await selectHead(store.db, head.account_id).executeTakeFirst();
  const settledBefore = after?.seq === head.seq ? Number.POSITIVE_INFINITY : head.at - (head.at % msPerHour);
  const isSettled = (hour: number) => hour < settledBefore;
  for (const row of rows) {
    const name = `${row.hour} ${row.endpoint} ${row.payer} ${row.share_bps}`;
    const sums = hours.get(name);
    hours.delete(name);
    if (!isSettled(row.hour)) continue;
    const equal =
      sums?.calls === row.calls &&
      sums.gross === row.gross_micro &&
      sums.developer === row.developer_micro &&
      sums.platform === row.platform_micro;
    if (!equal) found(head.seq, `usage of the hour ${new Date(row.hour).toISOString()} differs from the ledger`);
  }
  const missing = [...hours.keys()].filter((name) => isSettled(Number.parseInt(name, 10)));
  if (missing.length > 0) found(head.seq, `usage of ${missing.length} hours is missing`);
}

/** Entries of accounts that have no chain: none, unless somebody tampered. */
async function findHomelessEntries(store: Store, report: LedgerReport): Promise<void> {
  let afterId = "";
  for (;;) {
    const next = await selectNextAccountWithEntries(store.db, afterId).executeTakeFirst();
    const accountId = next?.account_id ?? undefined;
    if (accountId === undefined) return;
    if (!(await selectHead(store.db, accountId).executeTakeFirst())) {
      report.ok = false;
      if (report.breaks.length < breaksMax) report.breaks.push({ accountId, seq: 0, problem: "has entries but no head" });
    }
    afterId = accountId;
  }
}

/** Re-computes every chain, balance and rollup. `onProgress` hears of every page of entries and every account. */
export async function verifyLedger(store: Store, onProgress?: (report: LedgerReport) => void): Promise<LedgerReport> {
  const report: LedgerReport = { entries: 0, accounts: 0, ok: true, breaks: [] };
  const progress = { report, onProgress: () => onProgress?.(report) };
  let afterId = "";
  for (;;) {
    const heads = await selectHeads(store.db, { afterId, limit: headsPerPage }).execute();
    for (const head of heads) {
      await verifyAccount(store, head, progress);
      report.accounts += 1;
      progress.onProgress();
    }
    if (heads.length < headsPerPage) break;
    afterId = heads.at(-1)!.account_id;
  }
  await findHomelessEntries(store, report);
  return report;
}
