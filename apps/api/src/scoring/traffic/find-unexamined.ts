/** What of a day's calls nobody can examine, so that it waits instead of settling. Pure rules, as docs/money.md describes them. */
import type { SignalVector } from "../../money/evidence/day-result.ts";
import type { FoundWaiting } from "../../money/unexamined/record-waiting.work.ts";
import { developerMicroUsdOf, type ShareSums, takeCalls } from "../../money/waiting/take-calls.ts";
import { isFine, tellingSignals } from "./session-kinds.ts";

/** So many calls of one exact session settle by themselves, or this part of the day's, if that is more: a page may be stuck, a test may run. */
export const repeatedCallsMin = 20;
export const repeatedPart = 0.02;
/** So many analyses of a day, or this part of its stored scoring calls. */
export const analysesMin = 24;
export const analysesPart = 0.01;

const allTelling = 5;
const fineTellingMin = 3;

/** Whether people who send exactly this by chance are not to be expected. Coarser sessions of different people are equal. */
export function isDistinctive(vector: SignalVector): boolean {
  const telling = tellingSignals(vector);
  return telling === allTelling || (telling >= fineTellingMin && isFine(vector));
}

export const repeatedMaxOf = (stored: number): number => Math.max(repeatedCallsMin, Math.floor(repeatedPart * stored));

export type ExaminedDay = {
  /** Calls for scores, whoever paid, and those of them that left a record. */
  scoringCalls: number;
  stored: number;
  /** Of them, how many left none. */
  missing: number;
  analyses: number;
  /** Distinctive asserted sessions with more calls than settle by themselves, each with all its calls of the day. */
  repeated: readonly { vector: SignalVector; calls: number }[];
  /** What the platform pays of the day's calls, by share. */
  shares: readonly ShareSums[];
};

/** `allowedMicroUsd`: what may settle by itself all the same, by reason. */
export function findUnexamined(day: ExaminedDay, allowedMicroUsd: ReadonlyMap<string, number>): FoundWaiting[] {
  const settledRepeats = repeatedMaxOf(day.stored);
  const repeats = day.repeated.reduce((sum, { calls }) => sum + Math.max(0, calls - settledRepeats), 0);
  const settledAnalyses = Math.max(analysesMin, Math.floor(analysesPart * day.stored));
  const missing = day.missing + Math.max(0, day.analyses - settledAnalyses);
  const wanted = [
    { detail: { kind: "repeated_session", settled: settledRepeats, sessions: [...day.repeated] }, calls: repeats },
    { detail: { kind: "unexamined", analyses: day.analyses, settled: Math.min(day.analyses, settledAnalyses), calls: day.scoringCalls, stored: day.stored }, calls: missing },
  ] as const;
  const found: FoundWaiting[] = [];
  let left = day.shares;
  for (const { detail, calls } of wanted) {
    const all = takeCalls(left, calls);
    const perCallMicroUsd = Math.max(1, ...all.map((share) => share.developer_micro / share.calls));
    const waiting = takeCalls(all, all.reduce((sum, share) => sum + share.calls, 0) - Math.floor((allowedMicroUsd.get(detail.kind) ?? 0) / perCallMicroUsd));
    const items = waiting.reduce((sum, share) => sum + share.calls, 0);
    if (items === 0) continue;
    found.push({ detail, items, developerMicroUsd: developerMicroUsdOf(waiting), offerIds: [] });
    left = subtract(left, all);
  }
  return found;
}

const subtract = (shares: readonly ShareSums[], taken: readonly ShareSums[]): ShareSums[] =>
  shares.map((share) => {
    const less = taken.find(({ share_bps: shareBps }) => shareBps === share.share_bps);
    if (!less) return share;
    return { ...share, calls: share.calls - less.calls, gross_micro: share.gross_micro - less.gross_micro, developer_micro: share.developer_micro - less.developer_micro };
  });
