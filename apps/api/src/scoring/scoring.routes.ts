import { AnalysisReply, PredictReply, ScoreReply, ScoringRequest } from "@assay/contract/scoring.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { keyedFailures } from "../http/describe-failures.ts";
import type { TypedApp } from "../http/typed-app.ts";
import { parseIdempotencyKey, paymentRequired, sendBilledAnswer, sessionTokenUsed } from "../money/ledger/answer-once.ts";
import type { AnswerSession, SessionAnswers } from "./answer-sessions.ts";

// Answers through `reply` instead of returning a promise, which saves one promise per call on the hot path.
const answerCall =
  (answer: AnswerSession) =>
  (request: FastifyRequest<{ Body: ScoringRequest }>, reply: FastifyReply): void => {
    const { caller, testScenario: scenario, arrivedMs, body } = request;
    const idempotencyKey = parseIdempotencyKey(request.headers["idempotency-key"]);
    if (scenario === "payment_required") {
      reply.send(paymentRequired());
      return;
    }
    if (scenario === "session_token_used") {
      reply.send(sessionTokenUsed());
      return;
    }
    answer(
      { caller, signals: body.session_data, sessionToken: body.session_token, scenario, idempotencyKey, arrivedMs },
      {
        settle(billed) {
          sendBilledAnswer(reply, billed);
        },
        fail(error) {
          reply.send(error);
        },
      },
    );
  };

const shared = { tags: ["Scoring"], security: [{ apiKey: [] }], body: ScoringRequest };
const failures = keyedFailures({ billable: true, takesToken: true });

export function addScoringRoutes(app: TypedApp, answers: SessionAnswers): void {
  for (const url of ["/api/ml/predict", "/ml/predict"]) {
    app.post(url, {
      schema: {
        ...shared,
        operationId: url === "/api/ml/predict" ? "predict" : "predictShort",
        summary: url === "/api/ml/predict" ? "Score a session" : "Score a session (the same endpoint by its short path)",
        description:
          "Judges one visitor session by its behaviour. Billed at 0.05 USD when, and only when, the answer is a 200; " +
          "the charge is durable before the answer leaves, and Assay-Receipt names its ledger entry.",
        response: { 200: PredictReply, ...failures },
      },
      handler: answerCall(answers.predict),
    });
  }
  app.post("/api/ml/score", {
    schema: {
      ...shared,
      operationId: "score",
      summary: "Score a session, short answer",
      description: "The same verdict as predict with fewer fields, billed the same.",
      response: { 200: ScoreReply, ...failures },
    },
    handler: answerCall(answers.score),
  });
  app.post("/api/ml/analyze", {
    schema: {
      ...shared,
      operationId: "analyze",
      summary: "Score a session and explain the score",
      description:
        "The same verdict as predict, with its parts: base_value and the points of all contributions add up to unrounded_score, " +
        "and service_score is that value rounded. Billed like predict.",
      response: { 200: AnalysisReply, ...failures },
    },
    handler: answerCall(answers.analyze),
  });
}
