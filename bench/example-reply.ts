import type { PredictReply, ScoringRequest } from "@assay/contract/scoring.ts";

/** A reply of the right shape that depends on the request, and costs nothing to make. */
export function exampleReply({ session_data: signals }: ScoringRequest): PredictReply {
  return {
    service_score: signals.user_engagement * 100,
    trust_level: "high",
    confidence: signals.user_engagement,
    revenue_attribution: 0.034,
    processing_time_ms: 0.123,
    session_id: "sess_0W4kTqZb00A8fLq2mXc3Rt",
    timestamp: "2026-01-15T09:30:00.000Z",
    attribution_confidence: signals.user_engagement,
    recommendation: "high_value_user",
    model_version: "1.0.0",
  };
}
