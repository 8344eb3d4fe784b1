import { PredictReply, ScoringRequest } from "@assay/contract/scoring.ts";
import type { Model } from "@assay/scoring/model.ts";
import { signalNames } from "@assay/scoring/signals.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type AnswerOnce, parseIdempotencyKey } from "../billing/answer-once.ts";
import { sendBilledAnswer } from "../billing/send-billed-answer.ts";
import { keyedFailures } from "../http/describe-failures.ts";
import type { TypedApp } from "../http/typed-app.ts";
import { timeOrderedId } from "../store/time-ordered-id.ts";
import { judgeSession, toPrediction } from "./score-session.ts";

export type ScoringDeps = { model: Model; answerOnce: AnswerOnce; nowMs: () => number };

/** Microseconds are enough, and keep the number short. */
const roundMs = (ms: number) => Math.round(ms * 1_000) / 1_000;

export function addPredictRoutes(app: TypedApp, deps: ScoringDeps): void {
  const { model, answerOnce, nowMs } = deps;

  async function predict(request: FastifyRequest<{ Body: ScoringRequest }>, reply: FastifyReply) {
    const { caller } = request;
    const idempotencyKey = parseIdempotencyKey(request.headers["idempotency-key"]);
    const signals = request.body.session_data;
    const atMs = nowMs();
    const sessionId = timeOrderedId("sess", atMs);
    const score = judgeSession(model, signals, request.testScenario);
    const processingTimeMs = roundMs(performance.now() - request.arrivedMs);
    const modelVersion = model.version;
    const prediction = toPrediction({ score, caller, sessionId, atMs, processingTimeMs, modelVersion });
    const answer = await answerOnce({
      charge: {
        accountId: caller.accountId,
        mode: caller.mode,
        ref: sessionId,
        endpoint: "predict",
        atMs,
        shareBps: caller.shareBps,
        verdict: { signals, score, processingTimeMs },
      },
      body: reply.getSerializationFunction("200")!(prediction),
      idempotencyKey,
      input: () => JSON.stringify(signalNames.map((name) => signals[name] ?? null)),
    });
    return sendBilledAnswer(reply, answer);
  }

  for (const url of ["/api/ml/predict", "/ml/predict"]) {
    app.post(url, {
      schema: {
        operationId: url === "/api/ml/predict" ? "predict" : "predictShort",
        summary: "Score a session",
        description:
          "Judges one visitor session by its behaviour. Billed at 0.05 USD when, and only when, the answer is a 200; " +
          "the charge is durable before the answer leaves, and Assay-Receipt names its ledger entry.",
        tags: ["Scoring"],
        security: [{ apiKey: [] }],
        body: ScoringRequest,
        response: { 200: PredictReply, ...keyedFailures({ billable: true }) },
      },
      handler: predict,
    });
  }
}
