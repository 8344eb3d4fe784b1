import { ScoreReply, ScoringRequest } from "@assay/contract/scoring.ts";
import { keyedFailures } from "../http/describe-failures.ts";
import type { TypedApp } from "../http/typed-app.ts";
import { answerSessionCall, type ScoringContext } from "./answer-session-call.ts";
import { judgeSession, toShortPrediction } from "./score-session.ts";

export function addScoreRoute(app: TypedApp, context: ScoringContext): void {
  app.post("/api/ml/score", {
    schema: {
      operationId: "score",
      summary: "Score a session, short answer",
      description: "The same verdict as predict with fewer fields around it, billed like it.",
      tags: ["Scoring"],
      security: [{ apiKey: [] }],
      body: ScoringRequest,
      response: { 200: ScoreReply, ...keyedFailures({ billable: true }) },
    },
    handler: answerSessionCall(context, { name: "score", judge: judgeSession, toReply: toShortPrediction }),
  });
}
