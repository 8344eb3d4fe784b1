import { PredictReply, ScoringRequest } from "@assay/contract/scoring.ts";
import { keyedFailures } from "../http/describe-failures.ts";
import type { TypedApp } from "../http/typed-app.ts";
import { answerSessionCall, type ScoringContext } from "./answer-session-call.ts";
import { judgeSession, toPrediction } from "./score-session.ts";

export function addPredictRoutes(app: TypedApp, context: ScoringContext): void {
  const handler = answerSessionCall(context, { name: "predict", judge: judgeSession, toReply: toPrediction });
  for (const url of ["/api/ml/predict", "/ml/predict"]) {
    app.post(url, {
      schema: {
        operationId: url === "/api/ml/predict" ? "predict" : "predictShort",
        summary: url === "/api/ml/predict" ? "Score a session" : "Score a session (the same endpoint by its short path)",
        description:
          "Judges one visitor session by its behaviour. Billed at 0.05 USD when, and only when, the answer is a 200; " +
          "the charge is durable before the answer leaves, and Assay-Receipt names its ledger entry.",
        tags: ["Scoring"],
        security: [{ apiKey: [] }],
        body: ScoringRequest,
        response: { 200: PredictReply, ...keyedFailures({ billable: true }) },
      },
      handler,
    });
  }
}
