import type { AdReply, AdRequest } from "@assay/contract/ads.ts";
import type { BeatReply, BeatRequest } from "@assay/contract/attestation.ts";
import type { PredictReply, ScoringRequest } from "@assay/contract/scoring.ts";

/** A valid reply that depends on the request and costs nothing to compute. */
export function exampleReply({ session_data: signals }: ScoringRequest): PredictReply {
  const { user_engagement: engagement = 0 } = signals;
  return {
    service_score: engagement * 100,
    trust_level: "high",
    confidence: engagement,
    revenue_attribution: 0.034,
    processing_time_ms: 0.123,
    session_id: "sess_0W4kTqZb00A8fLq2mXc3Rt",
    timestamp: "2026-01-15T09:30:00.000Z",
    attribution_confidence: engagement,
    recommendation: "high_value_user",
    model_version: "1.0.0",
    calibration: "shipped",
    attestation: "asserted",
    attested: [],
    attestation_issues: [],
  };
}

/** The same for an ad, with the size of a real one. */
export function exampleAd({ format = "banner" }: AdRequest): AdReply {
  const token = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdEfGhIjKlMnOpQrStUvWxYz01234";
  return {
    ad_id: "ad_0W4kTqZb00A8fLq2mXc3Rt",
    creative: {
      headline: `A ${format} to measure with`,
      description: "As long as descriptions are",
      image_url: `http://127.0.0.1:8080/cdn/${"0".repeat(64)}.png`,
      cta_text: "Try it",
      click_url: `http://127.0.0.1:8080/t/c/${token}`,
    },
    impression_tracking_url: `http://127.0.0.1:8080/t/i/${token}`,
    estimated_revenue: 0.068,
    image_width: 728,
    image_height: 90,
    advertiser: "Advertiser 1",
    house: false,
    expires_at: "2026-01-15T11:30:00.000Z",
  };
}

/** The same for a beat: the token that came, which is as long as the next one. */
export const exampleBeat = ({ token }: BeatRequest): BeatReply => ({ token, next_ms: 25_000 });
