import { type ChainPlace, type ChainProblem, chainStart, findChainProblems, spendableChangeOf, stepAfter } from "@assay/contract/ledger-chain.ts";
import { startOfHour } from "../../formats/time.ts";
import { type AuditReport, verifyAudit } from "../../register/verify-audit.ts";
import type { LedgerEntryRow, LedgerHeadRow } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import { hashEntry } from "./chain-entry.ts";
import { selectEntries, selectHead, selectHeads, selectNextAccountWithEntries, selectRollupsOfAccount } from "./ledger.table.ts";
import { selectMovementsOfAccount } from "./movements.table.ts";

const entriesPerPage = 2_000;
const headsPerPage = 500;
const breaksMax = 100;

type LedgerBreak = { accountId: string; seq: number; problem: string };

export const describeBreak = ({ accountId, seq, problem }: LedgerBreak): string => `entry ${seq} of ${accountId} ${problem}`;

/** A single connection inside a transaction is enough. */
type LedgerStore = Pick<Store, "db">;

/** `ok`: of the ledger and of the audit log. */
export type LedgerReport = { entries: number; accounts: number; ok: boolean; breaks: LedgerBreak[]; audit: AuditReport | undefined };

/** Stand for an account's id in a break of the log of all chains and of the audit log. */
export const merkleLog = "(the log)";
const auditLog = "(the audit log)";

/** `place`: the end of the chain before the entry. */
const problemTexts: Record<ChainProblem, (place: ChainPlace) => string> = {
  missing_entry: (place) => `follows entry ${place.seq}: entries are missing`,
  broken_link: () => "does not name the hash of the entry before it",
  changed_entry: () => "has been changed: its hash is not that of its fields",
  older_than_before: () => "is older than the entry before it",
  does_not_add_up: () => "does not add up",
};

type Sums = { count: number; gross: number; developer: number; platform: number };

type Head = LedgerHeadRow & { last_entry_seq: number | null };

/** Recomputes one account's chain, balance, spendable money and hourly rollups, entry by entry, in bounded memory. */
async function verifyAccount(
  store: LedgerStore,
  head: Head,
  { report, onProgress }: { report: LedgerReport; onProgress: () => void },
): Promise<void> {
  const accountId = head.account_id;
  const found = (seq: number, problem: string) => {
    report.ok = false;
    if (report.breaks.length < breaksMax) report.breaks.push({ accountId, seq, problem });
  };
  const hours = new Map<string, Sums>();
  let last = chainStart;
  let spendableMicroUsd = 0;

  function verifyEntry(entry: LedgerEntryRow): void {
    for (const problem of findChainProblems(last, entry, hashEntry(entry))) found(entry.seq, problemTexts[problem](last));
    last = stepAfter(last, entry);
    if (entry.seq <= head.spendable_seq) spendableMicroUsd += spendableChangeOf(entry);
    if (entry.seq <= head.share_confirmed_seq && entry.kind === "call" && entry.payer === "developer") spendableMicroUsd += entry.developer_micro;
    addTo(hours, entry);
    report.entries += 1;
  }

  for (;;) {
    // Up to the head as it was read first: later entries are not part of this run.
    const page = { accountId, afterSeq: last.seq, limit: Math.min(entriesPerPage, head.seq - last.seq) };
    if (page.limit <= 0) break;
    const entries = await selectEntries(store.db, page).execute();
    for (const entry of entries) verifyEntry(entry);
    onProgress();
    if (entries.length < page.limit) break;
  }
  if (last.seq !== head.seq || last.hash !== head.hash) {
    found(head.seq, `is the account's last entry by its head, but the chain ends at ${last.seq}`);
  } else if (last.balance_micro !== head.balance_micro) {
    found(head.seq, `balance is ${head.balance_micro} micro-USD, but the entries add up to ${last.balance_micro}`);
  }
  if (head.spendable_micro !== null && head.spendable_micro !== spendableMicroUsd) {
    found(head.seq, `spendable money is ${head.spendable_micro} micro-USD, but the entries give ${spendableMicroUsd}`);
  }
  if ((head.last_entry_seq ?? 0) > head.seq) found(head.seq + 1, `stands beyond the end of the chain, which is ${head.seq}`);
  await verifyHours(store, { head, hours, found });
}

/** Rollups are per endpoint and rate for calls, and per kind for everything else. */
const sumNameOf = (entry: Pick<LedgerEntryRow, "kind" | "endpoint" | "payer" | "share_bps">) =>
  entry.kind === "call" ? `call ${entry.endpoint} ${entry.payer} ${entry.share_bps}` : `${entry.kind} ${entry.payer}`;

function addTo(hours: Map<string, Sums>, entry: LedgerEntryRow): void {
  const hour = startOfHour(entry.at);
  const name = `${hour} ${sumNameOf(entry)}`;
  const sums = hours.get(name) ?? { count: 0, gross: 0, developer: 0, platform: 0 };
  sums.count += 1;
  sums.gross += entry.gross_micro;
  sums.developer += entry.developer_micro;
  sums.platform += entry.platform_micro;
  hours.set(name, sums);
}

/** An account's stored hourly rollups, of calls and everything else. */
async function readHours(store: LedgerStore, accountId: string) {
  const calls = await selectRollupsOfAccount(store.db, accountId).execute();
  const movements = await selectMovementsOfAccount(store.db, accountId).execute();
  return [
    ...calls.map((row) => ({ ...row, count: row.calls, name: sumNameOf({ ...row, kind: "call" }) })),
    ...movements.map((row) => ({ ...row, count: row.entries, name: sumNameOf({ ...row, endpoint: "", share_bps: 0 }) })),
  ];
}

/**
 * The hourly rollups must equal the ledger. If the head moved during the run, the account is in use: then only the hours
 * before the head's are compared, because they can no longer change.
 */
async function verifyHours(
  store: LedgerStore,
  { head, hours, found }: { head: LedgerHeadRow; hours: Map<string, Sums>; found(seq: number, problem: string): void },
): Promise<void> {
  const rows = await readHours(store, head.account_id);
  const after = await selectHead(store.db, head.account_id).executeTakeFirst();
  const finalBeforeMs = after?.seq === head.seq ? Number.POSITIVE_INFINITY : startOfHour(head.at);
  const isFinal = (hour: number) => hour < finalBeforeMs;
  for (const row of rows) {
    const name = `${row.hour} ${row.name}`;
    const sums = hours.get(name);
    hours.delete(name);
    if (!isFinal(row.hour)) continue;
    const equal =
      sums?.count === row.count &&
      sums.gross === row.gross_micro &&
      sums.developer === row.developer_micro &&
      sums.platform === row.platform_micro;
    if (!equal) found(head.seq, `usage of the hour ${new Date(row.hour).toISOString()} differs from the ledger`);
  }
  const missing = [...hours.keys()].filter((name) => isFinal(Number.parseInt(name, 10)));
  if (missing.length > 0) found(head.seq, `usage of ${missing.length} hours is missing`);
}

/** Entries without a head exist only after tampering. */
async function findEntriesWithoutHead(store: LedgerStore, report: LedgerReport): Promise<void> {
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

/** Recomputes every chain, balance and rollup, and the audit log's chain. Calls `onProgress` after every page of entries and every account. */
export async function verifyLedger(store: LedgerStore, onProgress?: (report: LedgerReport) => void): Promise<LedgerReport> {
  const report: LedgerReport = { entries: 0, accounts: 0, ok: true, breaks: [], audit: undefined };
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
  await findEntriesWithoutHead(store, report);
  report.audit = await verifyAudit(store, (seq, problem) => {
    report.ok = false;
    if (report.breaks.length < breaksMax) report.breaks.push({ accountId: auditLog, seq, problem });
  });
  return report;
}
