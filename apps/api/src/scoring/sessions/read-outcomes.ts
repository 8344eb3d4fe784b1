import { goodOutcomes, type Outcome } from "@assay/contract/sessions.ts";
import type { Signals } from "@assay/scoring/signals.ts";
import type { Mode } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import { signalsOf } from "./find-session.ts";
import { selectLatestOutcomes } from "./sessions.table.ts";

/** A session with its last outcome. */
export type OutcomeSession = {
  sessionId: string;
  signals: Signals;
  isGood: boolean;
  /** When the outcome was reported. */
  atMs: number;
  /** As it was answered. */
  score: number;
  /** The version of the account's own calibration that the score is on; null: the shipped one. */
  calibration: number | null;
};

/** The latest outcomes show the present calibration; more would change little. */
export const readingDefault = { outcomesMax: 20_000, outcomesPerPage: 2_000 };

/** `toMs`: outcomes reported from then on are left out, so that an earlier one of the session counts. */
export type OutcomeFilter = { accountId: string; mode: Mode; fromMs?: number; toMs?: number };

/**
 * Each session that has a record and an outcome, in the order of their ids. `complete` is false when there are more
 * outcomes than one reading reads: then only the latest are counted.
 */
export async function readOutcomes(
  store: Store,
  filter: OutcomeFilter,
  { outcomesMax, outcomesPerPage } = readingDefault,
): Promise<{ sessions: OutcomeSession[]; complete: boolean }> {
  const last = new Map<string, { seq: number; session: OutcomeSession }>();
  const read = (complete: boolean) => ({
    sessions: [...last.values()].map(({ session }) => session).toSorted((left, right) => (left.sessionId < right.sessionId ? -1 : 1)),
    complete,
  });
  let before: { at: number; session_id: string; seq: number } | undefined;
  for (let left = outcomesMax; left > 0; left -= outcomesPerPage) {
    const limit = Math.min(left, outcomesPerPage);
    const page = await selectLatestOutcomes(store.db, { ...filter, before, limit }).execute();
    for (const row of page) {
      const { session_id: sessionId, seq, outcome, service_score: score, at: atMs, calibration } = row;
      if ((last.get(sessionId)?.seq ?? 0) >= seq) continue;
      last.set(sessionId, { seq, session: { sessionId, signals: signalsOf(row), isGood: goodOutcomes.has(outcome as Outcome), atMs, score, calibration } });
    }
    before = page.at(-1);
    if (page.length < limit) return read(true);
  }
  return read(false);
}
