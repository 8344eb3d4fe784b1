import type { AnalysisReply, PredictReply, ScoreReply, SessionData, TestScenario } from "@assay/contract/scoring.ts";
import type { Explanation, Model, Score } from "@assay/scoring/model.ts";
import { recommendationOf, trustLevelOf, trustThresholds } from "@assay/scoring/trust-level.ts";
import type { Caller } from "../access/keys/caller.ts";
import { isoTime } from "../formats/time.ts";
import { usdOf } from "../formats/money.ts";
import { developerMicroUsdOf } from "../money/price.ts";

/** A score well inside each level, for callers who test what they do with it. */
const forcedScores: Partial<Record<TestScenario, number>> = { low: 15, medium: 55, high: 85 };

function forceScore(score: Score, forced: number): Score {
  const trustLevel = trustLevelOf(forced);
  const recommendation = recommendationOf(trustLevel, false);
  return { serviceScore: forced, trustLevel, confidence: score.confidence, recommendation };
}

/** The model's verdict, or the one that a test key asked for. */
export function judgeSession(model: Model, signals: SessionData, scenario: TestScenario | undefined): Score {
  const score = model.score(signals);
  const forced = scenario && forcedScores[scenario];
  return forced === undefined ? score : forceScore(score, forced);
}

/** The same, taken apart. A forced score is explained by one more contribution, so that all still add up. */
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

/** USD that a call earns its caller. */
export function revenueUsdOf(caller: Caller): number {
  return caller.mode === "live" ? usdOf(developerMicroUsdOf(caller.shareBps)) : 0;
}

/** A judged session with all that its answer needs. */
export type JudgedSession<Verdict extends Score> = {
  score: Verdict;
  caller: Caller;
  sessionId: string;
  atMs: number;
  processingTimeMs: number;
  modelVersion: string;
};

export function toPrediction(verdict: JudgedSession<Score>): PredictReply {
  const { score } = verdict;
  return {
    service_score: score.serviceScore,
    trust_level: score.trustLevel,
    confidence: score.confidence,
    revenue_attribution: revenueUsdOf(verdict.caller),
    processing_time_ms: verdict.processingTimeMs,
    session_id: verdict.sessionId,
    timestamp: isoTime(verdict.atMs),
    attribution_confidence: score.confidence,
    recommendation: score.recommendation,
    model_version: verdict.modelVersion,
  };
}

export function toShortPrediction(verdict: JudgedSession<Score>): ScoreReply {
  const { score } = verdict;
  return {
    service_score: score.serviceScore,
    trust_level: score.trustLevel,
    revenue_attribution: revenueUsdOf(verdict.caller),
    processing_time_ms: verdict.processingTimeMs,
    attribution_confidence: score.confidence,
    recommendation: score.recommendation,
    session_id: verdict.sessionId,
    model_version: verdict.modelVersion,
  };
}

export function toAnalysis(verdict: JudgedSession<Explanation>): AnalysisReply {
  const { score } = verdict;
  return {
    ...toPrediction(verdict),
    base_value: score.baseValue,
    contributions: score.contributions,
    unrounded_score: score.unroundedScore,
    interval: score.interval,
    reasons: score.reasons,
    thresholds: trustThresholds,
  };
}
