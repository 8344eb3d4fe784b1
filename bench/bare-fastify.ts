// The baseline: the same framework, schemas, request and reply, and nothing else.
import { PredictReply, ScoringRequest } from "@assay/contract/scoring.ts";
import fastify from "fastify";

const app = fastify({ logger: false });
app.post("/api/ml/predict", {
  schema: { body: ScoringRequest, response: { 200: PredictReply } },
  handler: (request) => {
    const { session_data: signals } = request.body as ScoringRequest;
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
  },
});
const address = await app.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`is ready at ${address}\n`);
process.on("SIGTERM", () => process.exit(0));
