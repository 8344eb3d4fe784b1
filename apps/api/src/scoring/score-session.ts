import type { AttestationIssue, AttestedSignal } from "@assay/contract/attestation.ts";
import type { SessionData, TestScenario } from "@assay/contract/scoring.ts";
import type { Explanation, Model, Score } from "@assay/scoring/model.ts";
import { recommendationOf, trustLevelOf, trustThresholds } from "@assay/scoring/trust-level.ts";
import type { Caller } from "../access/keys/caller.ts";
import { usdOf } from "../formats/money.ts";
import { isoTime } from "../formats/time.ts";
import { developerMicroUsdOf } from "../money/price.ts";
import { calibrationOf } from "./sessions/describe-calibration.ts";

/** Scores well inside each level, which a test key can ask for. */
const forcedScores: Partial<Record<TestScenario, number>> = { low: 15, medium: 55, high: 85 };

function forceScore(score: Score, forced: number): Score {
  const trustLevel = trustLevelOf(forced);
  const recommendation = recommendationOf(trustLevel, false);
  return { serviceScore: forced, trustLevel, confidence: score.confidence, recommendation };
}

/** The model's score, or the one that a test key asked for. */
export function judgeSession(model: Model, signals: SessionData, scenario: TestScenario | undefined): Score {
  const score = model.score(signals);
  const forced = scenario && forcedScores[scenario];
  return forced === undefined ? score : forceScore(score, forced);
}

/** A forced score is explained by one more contribution, so that the contributions still add up. */
export function explainSession(model: Model, signals: SessionData, scenario: TestScenario | undefined): Explanation {
  const explanation = model.explain(signals);
  const forced = scenario && forcedScores[scenario];
  if (forced === undefined) return explanation;
  const points = forced - explanation.unroundedScore;
  const moved = (end: number) => Math.round(Math.min(100, Math.max(0, end + points)) * 10) / 10;
  const [low, high] = explanation.interval;
  return {
    ...explanation,
    ...forceScore(explanation, forced),
    unroundedScore: forced,
    interval: [Math.min(forced, moved(low)), Math.max(forced, moved(high))],
    contributions: [...explanation.contributions, { signal: "test_scenario", value: null, points }],
    reasons: [{ code: "test_scenario", message: "A test key asked for this answer." }, ...explanation.reasons],
  };
}

/** What the caller earns with the call. */
export const revenueUsdOf = (caller: Caller): number => (caller.mode === "live" ? usdOf(developerMicroUsdOf(caller.shareBps)) : 0);

/** Everything that an answer is made of. */
export type JudgedSession<Verdict extends Score> = {
  score: Verdict;
  caller: Caller;
  sessionId: string;
  atMs: number;
  processingTimeMs: number;
  modelVersion: string;
  /** Null: the one that the model ships with. */
  calibration: number | null;
  attested: readonly AttestedSignal[];
  issues: readonly AttestationIssue[];
};

const nothingAttested = `"attestation":"asserted","attested":[],"attestation_issues":[]}`;

/** The last fields of every answer. */
const writeAttestation = (attested: readonly AttestedSignal[], issues: readonly AttestationIssue[]): string =>
  attested.length === 0 && issues.length === 0
    ? nothingAttested
    : `"attestation":"${attested.length > 0 ? "server_timed" : "asserted"}","attested":${JSON.stringify(attested)},"attestation_issues":${JSON.stringify(issues)}}`;

/**
 * The answer's JSON: see PredictReply in the contract. Written without a serialiser, which would only slow it down:
 * codes, ids and times contain nothing that JSON would escape.
 */
export const writePrediction = ({ score, caller, sessionId, atMs, processingTimeMs, modelVersion, calibration, attested, issues }: JudgedSession<Score>): string =>
  `{"service_score":${score.serviceScore},"trust_level":"${score.trustLevel}","confidence":${score.confidence},` +
  `"revenue_attribution":${revenueUsdOf(caller)},"processing_time_ms":${processingTimeMs},"session_id":"${sessionId}",` +
  `"timestamp":"${isoTime(atMs)}","attribution_confidence":${score.confidence},"recommendation":"${score.recommendation}",` +
  `"model_version":"${modelVersion}","calibration":"${calibrationOf(calibration)}",` +
  writeAttestation(attested, issues);

/** See ScoreReply in the contract. */
export const writeShortPrediction = ({ score, caller, sessionId, processingTimeMs, modelVersion, calibration, attested, issues }: JudgedSession<Score>): string =>
  `{"service_score":${score.serviceScore},"trust_level":"${score.trustLevel}","revenue_attribution":${revenueUsdOf(caller)},` +
  `"processing_time_ms":${processingTimeMs},"session_id":"${sessionId}","attribution_confidence":${score.confidence},` +
  `"recommendation":"${score.recommendation}","model_version":"${modelVersion}","calibration":"${calibrationOf(calibration)}",` +
  writeAttestation(attested, issues);

/** See AnalysisReply in the contract: what predict answers, and how the score came about. */
export const writeAnalysis = (judged: JudgedSession<Explanation>): string => {
  const { baseValue, contributions, unroundedScore, interval, reasons } = judged.score;
  const parts = { base_value: baseValue, contributions, unrounded_score: unroundedScore, interval, reasons, thresholds: trustThresholds };
  return `${writePrediction(judged).slice(0, -1)},${JSON.stringify(parts).slice(1)}`;
};
