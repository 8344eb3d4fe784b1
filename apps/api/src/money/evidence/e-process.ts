/**
 * Evidence against an account that stays valid however often it is looked at: under every check's null hypothesis an
 * account's evidence reaches 1 / a with a probability of at most a, over the account's whole life. Decision 21 has the
 * proofs. Logarithms are natural.
 */
import { evidenceThreshold } from "@assay/contract/dashboard/integrity.ts";

/** The share of the evidence that is put at stake every day. The rest survives a day that looks honest. */
const stake = 0.5;

/**
 * An account's evidence is the weighted mean of its checks' evidence. The weights are fixed and sum to 1; `unused` is
 * for checks to come, whose evidence is 1 until then.
 */
export const checkWeights = {
  exact_duplicates: 0.35,
  near_duplicates: 0.25,
  shared_sessions: 0.15,
  click_rate: 0.075,
  regular_clicks: 0.075,
  unused: 0.1,
} as const;

export type CheckName = Exclude<keyof typeof checkWeights, "unused">;

export const checkNames = ["exact_duplicates", "near_duplicates", "shared_sessions", "click_rate", "regular_clicks"] as const satisfies readonly CheckName[];

export const logEvidenceThreshold = Math.log(evidenceThreshold);

/**
 * The most that a day multiplies evidence by. Its square is below the threshold: a broken release, a load test or a
 * stuck queue of two days never makes a finding of an account without earlier evidence.
 */
export const dayFactorMax = 31;

/** Larger evidence is cut off here, so that it can be printed as a number. Less evidence is never wrong. */
const logMax = 690;

/** One check's evidence after the days counted since it was started. */
export type Evidence = {
  /** The number of days. */
  ordinal: number;
  /** The last day's factor. */
  logFactor: number;
  /** What the starting days so far have grown to; null: no day yet. */
  logStarted: number | null;
  logEvidence: number;
};

/** log(e^a + e^b) without overflow. */
export function addLogs(a: number, b: number): number {
  const larger = Math.max(a, b);
  return larger === -Infinity ? larger : larger + Math.log1p(Math.exp(Math.min(a, b) - larger));
}

/** The evidence before the first day. */
export const startEvidence = (): Evidence => ({ ordinal: 0, logFactor: 0, logStarted: null, logEvidence: 0 });

/** The log of the factor that a day contributes: (1 − stake) + stake × ratio, up to the largest. */
export const logFactorOf = (logRatio: number): number => Math.min(Math.log(dayFactorMax), addLogs(Math.log(1 - stake), Math.log(stake) + logRatio));

/**
 * Adds a day. The evidence is a mixture over the day on which an account began to cheat: day n starts with the weight
 * 1 / (n (n + 1)), so that honest years before it do not count in its favour. The days to come have the weight
 * 1 / (n + 1) together, and an evidence of 1.
 */
export function addDay(before: Evidence, logRatio: number): Evidence {
  const ordinal = before.ordinal + 1;
  const logFactor = logFactorOf(logRatio);
  const logWeight = -Math.log(ordinal) - Math.log(ordinal + 1);
  const logStarted = Math.min(logMax, logFactor + addLogs(before.logStarted ?? -Infinity, logWeight));
  return { ordinal, logFactor, logStarted, logEvidence: addLogs(logStarted, -Math.log(ordinal + 1)) };
}

/** The log of an account's evidence: the weighted mean. A check without days counts as 1. */
export function weighChecks(logEvidenceOf: ReadonlyMap<CheckName, number>): number {
  let total = Math.log(checkWeights.unused);
  for (const name of checkNames) total = addLogs(total, Math.log(checkWeights[name]) + (logEvidenceOf.get(name) ?? 0));
  return total;
}
