import { evidenceThreshold } from "@assay/contract/dashboard/integrity.ts";
import { selectOwnAccount } from "../../register/accounts.table.ts";
import { noteActions } from "../../register/audit.table.ts";
import type { IntegrityEvidenceRow } from "../../store/schema-integrity.ts";
import type { Transaction, TransactionWork } from "../../store/store.ts";
import { dayText } from "../days/day-refs.ts";
import { daysOf, sessionsOf } from "./describe-finding.ts";
import { exampleSessionsMax, findingDaysMax } from "./finding-codes.ts";
import { extendFinding, selectLastDecision, selectOpenFindings } from "./findings.table.ts";
import { openFindingIn } from "./open-finding.work.ts";
import { lockChains } from "../ledger/append-entries.ts";
import { type DayResult, describeResult } from "../evidence/day-result.ts";
import { addDay, type CheckName, checkWeights, logEvidenceThreshold, startEvidence, weighChecks } from "../evidence/e-process.ts";
import { insertEvidence, selectEvidenceOfCheck, selectLatestEvidence } from "../evidence/evidence.table.ts";
import { findContributingDays } from "../evidence/find-contributing-days.ts";

/** What a check says about a day, with examples of what it counts. */
export type WatchedResult = DayResult & { sessions: readonly string[] };
export type RecordDay = { accountId: string; day: number; results: WatchedResult[]; nowMs: number };
export type RecordDayOutcome = { kind: "recorded"; logEvidence: number; opened: string | undefined } | { kind: "already_recorded" };

/** The stored form of what is not a number. */
type EvidenceDetail = Pick<WatchedResult, "detail" | "sessions">;
export const readDetail = (text: string): EvidenceDetail => JSON.parse(text) as EvidenceDetail;

/** More days than this are not searched for those that contributed. */
const daysSearchedMax = 400;

type Latest = Awaited<ReturnType<ReturnType<typeof selectLatestEvidence>["execute"]>>[number];

/** The evidence that counts: what was found before the last decision does not. */
function currentEvidence(latest: readonly Latest[], decidedAtMs: number): Map<CheckName, Latest> {
  return new Map(latest.filter((row) => row.at >= decidedAtMs).map((row) => [row.check_name as CheckName, row]));
}

const evidenceOf = (row: Latest | undefined) =>
  row === undefined ? startEvidence() : { ordinal: row.ordinal, logFactor: row.log_factor, logStarted: row.log_started, logEvidence: row.log_evidence };

/** The check that contributes most to the account's evidence. */
function strongestOf(logEvidence: ReadonlyMap<CheckName, number>): CheckName {
  const shares = [...logEvidence].map(([check, log]) => ({ check, log: log + Math.log(checkWeights[check]) }));
  return shares.toSorted((left, right) => right.log - left.log)[0]!.check;
}

/** What the check found since its evidence was started, as a finding names it. */
async function describeEvidence(tx: Transaction, accountId: string, check: CheckName) {
  const newest = await tx.run(selectEvidenceOfCheck(tx.db, { accountId, check, limit: daysSearchedMax }));
  const started = newest.slice(0, newest[0]!.ordinal).toReversed();
  const days = findContributingDays(started);
  const last = days.at(-1) ?? newest[0]!;
  return {
    days: days.map(({ day }) => dayText(day)),
    detail: describeResult({ check, tested: last.tested, hits: last.hits, logRatio: 0, detail: readDetail(last.detail).detail }),
    sessions: days.toReversed().flatMap(({ detail }) => readDetail(detail).sessions).slice(0, exampleSessionsMax),
  };
}

/** An open finding names the days that were found since, so that what is reversed for it includes them. */
async function extendOpenFindings(tx: Transaction, record: RecordDay, rows: readonly IntegrityEvidenceRow[]): Promise<Set<string>> {
  const open = await tx.run(selectOpenFindings(tx.db, record.accountId));
  for (const finding of open) {
    const row = rows.find((each) => each.check_name === finding.code);
    if (!row || row.log_factor <= 0) continue;
    const days = [...daysOf(finding), dayText(row.day)].slice(-findingDaysMax);
    const sessions = [...sessionsOf(finding), ...readDetail(row.detail).sessions].slice(0, exampleSessionsMax);
    await tx.change(extendFinding(tx.db, { findingId: finding.id, days: JSON.stringify(days), sessions: JSON.stringify(sessions) }));
  }
  return new Set(open.map(({ code }) => code));
}

/**
 * Adds a complete day to an account's evidence, each check once, and opens a finding when the evidence reaches the
 * threshold. Days come in order: a check that has recorded this day or a later one is passed over.
 */
export const work: TransactionWork<RecordDay, RecordDayOutcome> = async (tx, record) => {
  const { accountId, day, nowMs } = record;
  const latest = await tx.run(selectLatestEvidence(tx.db, accountId));
  const results = record.results.filter(({ check }) => !latest.some((row) => row.check_name === check && row.day >= day));
  if (results.length === 0) return { kind: "already_recorded" };
  const [decision] = await tx.run(selectLastDecision(tx.db, accountId));
  const decidedAtMs = decision?.closed_at ?? 0;
  const current = currentEvidence(latest, decidedAtMs);
  const logEvidence = new Map([...current].map(([check, row]) => [check, row.log_evidence]));
  const rows = results.map(({ check, tested, hits, logRatio, detail: found, sessions }): IntegrityEvidenceRow => {
    const added = addDay(evidenceOf(current.get(check)), logRatio);
    logEvidence.set(check, added.logEvidence);
    const detail = JSON.stringify({ detail: found, sessions } satisfies EvidenceDetail);
    const figures = { tested, hits, detail, log_factor: added.logFactor, ordinal: added.ordinal, log_started: added.logStarted, log_evidence: added.logEvidence };
    // Not before the decision that it already counts from.
    return { account_id: accountId, check_name: check, day, ...figures, at: Math.max(nowMs, decidedAtMs) };
  });
  const total = weighChecks(logEvidence);
  const isOver = total >= logEvidenceThreshold;
  // First of all locks, and only for what may open a finding: a payout step that found none has finished.
  if (isOver) await lockChains(tx, [accountId]);
  const inserted = await tx.change(insertEvidence(tx.db, rows));
  // Another node was faster, with the same checks.
  if (inserted === 0) return { kind: "already_recorded" };
  if (inserted < rows.length) throw new Error(`only some checks of ${dayText(day)} were new for account ${accountId}`);
  const openCodes = await extendOpenFindings(tx, record, rows);
  const code = strongestOf(logEvidence);
  if (!isOver || openCodes.has(code)) return { kind: "recorded", logEvidence: total, opened: undefined };
  const [account] = await tx.run(selectOwnAccount(tx.db, accountId));
  const found = await describeEvidence(tx, accountId, code);
  const finding = { accountId, code, ...found, statistic: Math.exp(total), threshold: evidenceThreshold, openedBy: null, nowMs };
  const opened = await openFindingIn(tx, { ...finding, email: account!.email });
  if (opened) await tx.change(noteActions(tx.db, [opened.note]));
  return { kind: "recorded", logEvidence: total, opened: opened?.id };
};
