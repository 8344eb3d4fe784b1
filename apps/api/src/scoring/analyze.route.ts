import { AnalysisReply, ScoringRequest } from "@assay/contract/scoring.ts";
import { keyedFailures } from "../http/describe-failures.ts";
import type { TypedApp } from "../http/typed-app.ts";
import { answerSessionCall, type ScoringContext } from "./answer-session-call.ts";
import { explainSession, toAnalysis } from "./score-session.ts";

export function addAnalyzeRoute(app: TypedApp, context: ScoringContext): void {
  app.post("/api/ml/analyze", {
    schema: {
      operationId: "analyze",
      summary: "Score a session and explain the score",
      description:
        "The same verdict as predict, taken apart: base_value and the points of all contributions add up to unrounded_score, " +
        "and service_score is that, rounded. Billed like predict.",
      tags: ["Scoring"],
      security: [{ apiKey: [] }],
      body: ScoringRequest,
      response: { 200: AnalysisReply, ...keyedFailures({ billable: true }) },
    },
    handler: answerSessionCall(context, { name: "analyze", judge: explainSession, toReply: toAnalysis }),
  });
}
