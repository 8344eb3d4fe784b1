import { scoreJudged } from "@assay/scoring/fit-calibration.ts";
import { isoTime, msPerDay } from "../../formats/time.ts";
import type { Store } from "../../store/store.ts";
import { writeOnce } from "../../webhooks/events/write-once.ts";
import { judgeSessions } from "./fit-own.ts";
import { readActiveCalibration } from "./read-active.ts";
import { selectSwitch } from "./calibrations.table.ts";
import type { Models } from "../models/choose-model.ts";
import { type OutcomeSession, readOutcomes } from "../sessions/read-outcomes.ts";
import { selectAccountsWithOutcomes } from "../sessions/sessions.table.ts";

const windowDays = 30;
const sessionsMin = 200;
/** Of each kind: both weigh one half, so a handful would decide. */
const kindMin = 50;
/** The newest outcomes of each window decide; more would change little. */
const reading = { outcomesMax: 5_000, outcomesPerPage: 1_000 };
const accountsPerPage = 200;
/** Of the normal distribution: one honest account in 15,000 would be told by chance, in a month. */
const z = 4;
/** A smaller difference is nothing to act on. */
const differenceMin = 0.05;

type LabelledScore = { score: number; isGood: boolean };

/** Mean scores / 100 with good and bad outcomes weighing one half each: one half, for scores that keep what they say. */
export type Drift = { sessions: number; expectedMean: number; observedMean: number };

const rounded = (value: number) => Math.round(value * 10_000) / 10_000;

/** Mean and variance of the mean; undefined for fewer than `kindMin`. */
function measureKind(outcomes: readonly LabelledScore[], isGood: boolean): { mean: number; variance: number } | undefined {
  const scores = outcomes.filter((each) => each.isGood === isGood).map(({ score }) => score / 100);
  if (scores.length < kindMin) return undefined;
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return { mean, variance: scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / (scores.length - 1) / scores.length };
}

function measureBalanced(outcomes: readonly LabelledScore[]): { mean: number; variance: number } | undefined {
  const [good, bad] = [measureKind(outcomes, true), measureKind(outcomes, false)];
  if (outcomes.length < sessionsMin || !good || !bad) return undefined;
  return { mean: (good.mean + bad.mean) / 2, variance: (good.variance + bad.variance) / 4 };
}

/**
 * Whether scores and outcomes go together in another way than they did, by more than chance explains. A site whose
 * outcomes never fitted the shipped calibration has not drifted, and neither has one whose share of good outcomes is not
 * one half.
 */
export function findDrift(earlier: readonly LabelledScore[], recent: readonly LabelledScore[]): Drift | undefined {
  const [before, now] = [measureBalanced(earlier), measureBalanced(recent)];
  if (!before || !now) return undefined;
  const difference = Math.abs(now.mean - before.mean);
  const deviation = Math.sqrt(now.variance + before.variance);
  if (difference < differenceMin || difference < z * deviation) return undefined;
  return { sessions: recent.length, expectedMean: rounded(before.mean), observedMean: rounded(now.mean) };
}

/** On the scale that the account is on now, whatever a session's score was when it was recorded. */
async function rescore(store: Store, { accountId, models, nowMs }: { accountId: string; models: Models; nowMs: number }) {
  const { pinned_model: pinnedModel, created_at: accountCreatedMs } = await selectSwitch(store.db, accountId).executeTakeFirstOrThrow();
  const { model } = models.explainChoice({ pinnedModel, accountCreatedMs }, nowMs);
  const own = await readActiveCalibration(store, accountId);
  const calibration = own?.modelVersion === model.version ? own : undefined;
  return async (sessions: readonly OutcomeSession[]): Promise<LabelledScore[]> =>
    (await judgeSessions(model, sessions)).map((judged) => ({ score: scoreJudged(judged, calibration), isGood: judged.isGood }));
}

async function readDrift(store: Store, { accountId, models, nowMs, fromMs }: { accountId: string; models: Models; nowMs: number; fromMs: number }): Promise<Drift | undefined> {
  const recent = await readOutcomes(store, { accountId, mode: "live", fromMs }, reading);
  if (recent.sessions.length < sessionsMin) return undefined;
  const earlier = await readOutcomes(store, { accountId, mode: "live", toMs: fromMs }, reading);
  const changed = new Set(recent.sessions.map(({ sessionId }) => sessionId));
  const score = await rescore(store, { accountId, models, nowMs });
  return findDrift(await score(earlier.sessions.filter(({ sessionId }) => !changed.has(sessionId))), await score(recent.sessions));
}

/** Tells accounts whose outcomes no longer go with their scores as they did, once per month. */
export async function tellDrift(store: Store, { models, nowMs, isOver }: { models: Models; nowMs: number; isOver: () => boolean }): Promise<number> {
  const fromMs = nowMs - windowDays * msPerDay;
  let told = 0;
  for (let afterId = ""; !isOver(); ) {
    const accounts = await selectAccountsWithOutcomes(store.db, { afterId, fromMs, limit: accountsPerPage }).execute();
    for (const { account_id: accountId } of accounts) {
      afterId = accountId;
      const drift = await readDrift(store, { accountId, models, nowMs, fromMs });
      if (!drift) continue;
      const data = { account_id: accountId, sessions: drift.sessions, expected_share: drift.expectedMean, observed_share: drift.observedMean };
      const onceKey = `calibration.drifted:${isoTime(nowMs).slice(0, "YYYY-MM".length)}`;
      if ((await writeOnce(store, { audience: accountId, type: "calibration.drifted", data }, { onceKey, nowMs })) === "written") told += 1;
    }
    if (accounts.length < accountsPerPage) break;
  }
  return told;
}
