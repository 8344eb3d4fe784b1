import { Failure } from "../../failure/failure.ts";
import { msPerDay, startOfDay } from "../../formats/time.ts";
import { selectSeqsOfSessions, selectSettlement } from "../../money/days/days.table.ts";
import { selectEvidenceFrom } from "../../money/evidence/evidence.table.ts";
import { readDetail } from "../../money/findings/record-day.work.ts";
import { closeFindingPart, findingRefusalTexts } from "../../money/findings/change-finding.ts";
import type { FindingClosing, ReversedSums } from "../../money/findings/close-finding.work.ts";
import { daysOf, type StoredFinding } from "../../money/findings/describe-finding.ts";
import { isAboutClicks, isAcceptable } from "../../money/findings/finding-codes.ts";
import { selectFinding } from "../../money/findings/findings.table.ts";
import { findSeqRange } from "../../money/ledger/find-seq-range.ts";
import { selectEntries, selectHead } from "../../money/ledger/ledger.table.ts";
import type { Store } from "../../store/store.ts";
import { matchSessions } from "./match-sessions.ts";
import { readDay } from "./read-day.ts";

/** As many as one transaction reverses: it holds the account's chain, which its calls wait for. */
const sessionsPerPart = 5_000;
const entriesPerPage = 200;

/** The finding's days that are complete and not settled. */
async function pendingDaysOf(store: Store, finding: StoredFinding, nowMs: number): Promise<number[]> {
  const settlement = await selectSettlement(store.db, finding.account_id).executeTakeFirst();
  const fromMs = settlement?.confirmed_to ?? 0;
  return daysOf(finding).map((day) => Date.parse(day)).filter((day) => day >= fromMs && day < startOfDay(nowMs));
}

/** Whether retention has removed nothing of a day: it removes the oldest session first. */
async function isStored(store: Store, accountId: string, day: number): Promise<boolean> {
  const head = await selectHead(store.db, accountId).executeTakeFirstOrThrow();
  const { fromSeq, toSeq } = await findSeqRange(store, { accountId, headSeq: head.seq }, { fromMs: day, toMs: day + msPerDay });
  for (let afterSeq = fromSeq - 1; afterSeq < toSeq; ) {
    const entries = await selectEntries(store.db, { accountId, afterSeq, limit: entriesPerPage }).execute();
    const call = entries.find(({ kind }) => kind === "call");
    if (call) return (await selectSeqsOfSessions(store.db, { accountId, sessionIds: [call.ref] }).execute()).length > 0;
    afterSeq = entries.at(-1)?.seq ?? toSeq;
  }
  return true;
}

/**
 * The sessions that the checks count against the account on the finding's days, as far as those days are complete and
 * not settled. All of them, not the finding's examples: accepting a finding must cost what it is about.
 */
export async function findMatchingSessions(store: Store, finding: StoredFinding, nowMs: number): Promise<string[]> {
  const { account_id: accountId } = finding;
  const days = await pendingDaysOf(store, finding, nowMs);
  if (days.length === 0) return [];
  const evidence = await selectEvidenceFrom(store.db, { accountId, fromDay: Math.min(...days) }).execute();
  const matched: string[] = [];
  for (const day of days) {
    const found = evidence.filter((row) => row.day === day && row.log_factor > 0);
    for await (const rows of readDay(store, { accountId, day })) {
      const ids = found.flatMap((row) => matchSessions(readDetail(row.detail).detail, rows));
      matched.push(...new Set(ids));
    }
  }
  return matched;
}

type Closing = Pick<FindingClosing, "findingId" | "decision" | "reason" | "reverse" | "acceptedBy" | "actorAccountId" | "fourEyes" | "nowMs">;

/** In parts where there are many sessions. If it is interrupted the finding stays open, and closing it again goes on. */
async function closeInParts(store: Store, closing: Closing, sessionIds: readonly string[]): Promise<ReversedSums> {
  let reversed: ReversedSums = { calls: 0, developerMicroUsd: 0 };
  let from = 0;
  do {
    const part = sessionIds.slice(from, from + sessionsPerPart);
    from += sessionsPerPart;
    ({ reversed } = await closeFindingPart(store, { ...closing, sessionIds: part, isLastPart: from >= sessionIds.length, reversedBefore: reversed }));
  } while (from < sessionIds.length);
  return reversed;
}

export type Decision = { findingId: string; decision: "upheld" | "dismissed"; reason: string; reverse: FindingClosing["reverse"] | undefined; actorAccountId: string | null; fourEyes: boolean; nowMs: number };

async function findFinding(store: Store, findingId: string): Promise<StoredFinding> {
  const finding = await selectFinding(store.db, findingId).executeTakeFirst();
  if (!finding) throw new Failure("not_found", findingRefusalTexts.unknown);
  return finding;
}

/** By default what an upheld finding is about is reversed, and nothing for a dismissed one. Clicks are reversed by themselves. */
export async function decideFinding(store: Store, decision: Decision): Promise<ReversedSums> {
  const finding = await findFinding(store, decision.findingId);
  const usual = decision.decision === "upheld" && !isAboutClicks(finding.code) ? "sessions" : "nothing";
  const reverse = decision.reverse ?? usual;
  const sessionIds = reverse === "sessions" && finding.closed_at === null ? await findMatchingSessions(store, finding, decision.nowMs) : [];
  return closeInParts(store, { ...decision, reverse, acceptedBy: null }, sessionIds);
}

const unreversibleTexts = {
  nothing: "None of the sessions that this finding is about can be reversed any more: it needs an operator's decision.",
  // A developer chooses the retention, and must not choose by it what accepting costs.
  not_stored: "Not all sessions of the finding's days are stored any more: it needs an operator's decision.",
};

/** What accepting a finding reverses, or why it cannot be accepted. */
export async function findAcceptedSessions(store: Store, finding: StoredFinding, nowMs: number): Promise<{ sessionIds: string[]; refused: string | undefined }> {
  for (const day of await pendingDaysOf(store, finding, nowMs)) {
    if (!(await isStored(store, finding.account_id, day))) return { sessionIds: [], refused: unreversibleTexts.not_stored };
  }
  const sessionIds = await findMatchingSessions(store, finding, nowMs);
  return { sessionIds, refused: sessionIds.length === 0 ? unreversibleTexts.nothing : undefined };
}

/** By the developer: everything that the finding is about is reversed, or it cannot be accepted. */
export async function acceptFinding(store: Store, accept: { findingId: string; accountId: string; nowMs: number }): Promise<ReversedSums> {
  const { findingId, accountId, nowMs } = accept;
  const finding = await findFinding(store, findingId);
  const closing = { findingId, decision: "accepted", reason: "Accepted by the developer.", reverse: "sessions", acceptedBy: accountId, actorAccountId: accountId, fourEyes: false, nowMs } as const;
  // Whatever else refuses it is found out under the lock.
  if (finding.account_id !== accountId || finding.closed_at !== null || !isAcceptable(finding.code)) return closeInParts(store, closing, []);
  const { sessionIds, refused } = await findAcceptedSessions(store, finding, nowMs);
  if (refused !== undefined) throw new Failure("invalid_request", refused);
  return closeInParts(store, closing, sessionIds);
}
