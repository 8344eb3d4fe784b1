import type { PredictReply, SessionData, TestScenario } from "@assay/contract/scoring.ts";
import type { Model, Score } from "@assay/scoring/model.ts";
import { recommendationOf, trustLevelOf } from "@assay/scoring/trust-level.ts";
import { developerMicroUsdOf } from "../billing/charge-batch.ts";
import { usdOf } from "../billing/money.ts";
import type { Caller } from "../http/caller.ts";
import { isoTime } from "../http/iso-time.ts";

/** A score well inside each level, for callers who test what they do with it. */
const forcedScores: Partial<Record<TestScenario, number>> = { low: 15, medium: 55, high: 85 };

/** The model's verdict, or the one that a test key asked for. */
export function judgeSession(model: Model, signals: SessionData, scenario: TestScenario | undefined): Score {
  const score = model.score(signals);
  const forced = scenario && forcedScores[scenario];
  if (forced === undefined) return score;
  const trustLevel = trustLevelOf(forced);
  const recommendation = recommendationOf(trustLevel, false);
  return { serviceScore: forced, trustLevel, confidence: score.confidence, recommendation };
}

/** USD that a call earns its caller. */
export function revenueUsdOf(caller: Caller): number {
  return caller.mode === "live" ? usdOf(developerMicroUsdOf(caller.shareBps)) : 0;
}

export function toPrediction(verdict: {
  score: Score;
  caller: Caller;
  sessionId: string;
  atMs: number;
  processingTimeMs: number;
  modelVersion: string;
}): PredictReply {
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
