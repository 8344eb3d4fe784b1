import { goodOutcomes, type Outcome } from "@assay/contract/sessions.ts";
import { isoTime, msPerDay } from "../../formats/time.ts";
import type { Store } from "../../store/store.ts";
import { writeOnce } from "../../webhooks/events/write-once.ts";
import { selectAccountsWithOutcomes, selectLatestOutcomes } from "./sessions.table.ts";

const windowDays = 30;
const sessionsMin = 200;
/** The newest outcomes decide; more would change little. */
const outcomesMax = 5_000;
const accountsPerPage = 200;
/** Of the normal distribution: one honest account in 15,000 would be told by chance, in a month. */
const z = 4;
/** A smaller difference is nothing to act on. */
const differenceMin = 0.05;

export type Drift = { sessions: number; expectedShare: number; observedShare: number };

const rounded = (value: number) => Math.round(value * 10_000) / 10_000;

/** Whether the share of good outcomes differs from what the scores promised by more than chance explains; undefined if it does not. */
export function findDrift(outcomes: readonly { score: number; isGood: boolean }[]): Drift | undefined {
  const sessions = outcomes.length;
  if (sessions < sessionsMin) return undefined;
  const expectedShare = outcomes.reduce((sum, { score }) => sum + score / 100, 0) / sessions;
  const observedShare = outcomes.filter(({ isGood }) => isGood).length / sessions;
  // If every score is a probability, the count of good outcomes varies by at most this much.
  const deviation = Math.sqrt(outcomes.reduce((sum, { score }) => sum + (score / 100) * (1 - score / 100), 0)) / sessions;
  const difference = Math.abs(observedShare - expectedShare);
  if (difference < differenceMin || difference < z * deviation) return undefined;
  return { sessions, expectedShare: rounded(expectedShare), observedShare: rounded(observedShare) };
}

async function readDrift(store: Store, { accountId, fromMs }: { accountId: string; fromMs: number }): Promise<Drift | undefined> {
  const rows = await selectLatestOutcomes(store.db, { accountId, mode: "live", before: undefined, limit: outcomesMax }).execute();
  const last = new Map<string, { seq: number; score: number; isGood: boolean }>();
  for (const { session_id: id, seq, outcome, service_score: score, at } of rows) {
    if (at >= fromMs && (last.get(id)?.seq ?? 0) < seq) last.set(id, { seq, score, isGood: goodOutcomes.has(outcome as Outcome) });
  }
  return findDrift([...last.values()]);
}

/** Tells accounts whose reported outcomes no longer fit their scores, once per month. */
export async function tellDrift(store: Store, { nowMs, isOver }: { nowMs: number; isOver: () => boolean }): Promise<number> {
  const fromMs = nowMs - windowDays * msPerDay;
  let told = 0;
  for (let afterId = ""; !isOver(); ) {
    const accounts = await selectAccountsWithOutcomes(store.db, { afterId, fromMs, limit: accountsPerPage }).execute();
    for (const { account_id: accountId } of accounts) {
      afterId = accountId;
      const drift = await readDrift(store, { accountId, fromMs });
      if (!drift) continue;
      const data = { account_id: accountId, sessions: drift.sessions, expected_share: drift.expectedShare, observed_share: drift.observedShare };
      const onceKey = `calibration.drifted:${isoTime(nowMs).slice(0, "YYYY-MM".length)}`;
      if ((await writeOnce(store, { audience: accountId, type: "calibration.drifted", data }, { onceKey, nowMs })) === "written") told += 1;
    }
    if (accounts.length < accountsPerPage) break;
  }
  return told;
}
