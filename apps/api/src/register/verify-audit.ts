import { auditGenesisHash, type ChainedAction, hashAction } from "../store/audit-chain.ts";
import type { Store } from "../store/store.ts";
import { selectAuditHead, selectChainedActions } from "./audit.table.ts";

const rowsPerPage = 2_000;

/** `seq` and `hash` are the head's: who keeps them can show later that nothing before was rewritten. */
export type AuditReport = { entries: number; ok: boolean; seq: number; hash: string; unchained: number };

function findProblems(last: { seq: number; hash: string }, action: ChainedAction): string[] {
  return [
    ...(action.seq === last.seq + 1 ? [] : [`follows row ${last.seq}: rows are missing`]),
    ...(action.prev_hash === last.hash ? [] : ["does not name the hash of the row before it"]),
    ...(action.hash === hashAction(action) ? [] : ["has been changed: its hash is not that of its fields"]),
  ];
}

/** Recomputes the chain of the audit log, row by row, in bounded memory. */
export async function verifyAudit({ db }: Pick<Store, "db">, found: (seq: number, problem: string) => void): Promise<AuditReport> {
  const head = await selectAuditHead(db).executeTakeFirst();
  const { seq, hash, chained, unchained } = { seq: 0, hash: auditGenesisHash, chained: 0, unchained: 0, ...head };
  const report: AuditReport = { entries: 0, ok: true, seq, hash, unchained: unchained ?? 0 };
  const note = (at: number, problem: string) => {
    report.ok = false;
    found(at, problem);
  };
  if (!head) note(0, "is missing: the chain has no head");
  let last = { seq: 0, hash: auditGenesisHash };
  // Up to the head as it was read first: later rows are not part of this run.
  while (last.seq < seq) {
    const rows = await selectChainedActions(db, { afterSeq: last.seq, limit: Math.min(rowsPerPage, seq - last.seq) }).execute();
    for (const row of rows.filter((each) => each.seq <= seq)) {
      for (const problem of findProblems(last, row)) note(row.seq, problem);
      last = row;
      report.entries += 1;
    }
    if (rows.length === 0 || rows.at(-1)!.seq > seq) break;
  }
  if (last.seq !== seq || last.hash !== hash) note(seq, `is the last row by the head, but the chain ends at ${last.seq}`);
  if ((chained ?? 0) > seq) note(seq + 1, `stands beyond the end of the chain, which is ${seq}: ${(chained ?? 0) - seq} rows have a hash and no place in it`);
  return report;
}
