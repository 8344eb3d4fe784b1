import { type LedgerReport, merkleLog, verifyLedger } from "../verify-ledger.ts";
import { type LogReport, type LogVerification, verifyLog } from "./verify-log.ts";
import type { LogStore } from "./read-log.ts";

/** `log`: undefined if it was not reached. */
export type FullReport = LedgerReport & { log: LogReport | undefined };

export type FullVerification = Omit<LogVerification, "onProgress"> & { onProgress: (progress: Pick<LedgerReport, "entries" | "accounts">) => void };

const chainsAndRootsOnly: FullVerification = { keysOf: undefined, remembered: [], onProgress: () => {} };

/** The chains and all that is derived from them, the audit log, and the log of all chains. `ok`: all of it. */
export async function verifyLedgerAndLog(store: LogStore, verification: FullVerification = chainsAndRootsOnly): Promise<FullReport> {
  const { onProgress } = verification;
  const ledger = await verifyLedger(store, onProgress);
  const log = await verifyLog(store, { ...verification, onProgress: () => onProgress(ledger) });
  const breaks = log.breaks.map(({ log: number, index, problem }) => ({ accountId: merkleLog, seq: index, problem: number === 1 ? problem : `${problem} (log ${number})` }));
  return { ...ledger, ok: ledger.ok && log.ok, breaks: [...ledger.breaks, ...breaks], log };
}
