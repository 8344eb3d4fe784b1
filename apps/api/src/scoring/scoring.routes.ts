import { AnalysisReply, PredictReply, ScoreReply, ScoringRequest, type SessionData, type TestScenario } from "@assay/contract/scoring.ts";
import type { Model, Score } from "@assay/scoring/model.ts";
import { signalNames } from "@assay/scoring/signals.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { roundMs } from "../formats/time.ts";
import { keyedFailures } from "../http/describe-failures.ts";
import type { TypedApp } from "../http/typed-app.ts";
import { timeOrderedId } from "../ids/time-ordered-id.ts";
import { type AnswerOnce, type BillableCall, parseIdempotencyKey, paymentRequired, sendBilledAnswer } from "../money/ledger/answer-once.ts";
import { explainSession, type JudgedSession, judgeSession, toAnalysis, toPrediction, toShortPrediction } from "./score-session.ts";

type ScoringContext = { model: Model; answerOnce: AnswerOnce; nowMs: () => number };

type SessionEndpoint<Verdict extends Score> = {
  /** As in the ledger and reports. */
  name: "predict" | "score" | "analyze";
  judge: (model: Model, signals: SessionData, scenario: TestScenario | undefined) => Verdict;
  toReply: (verdict: JudgedSession<Verdict>) => Record<string, unknown>;
};

/** Scores a session, bills the call and answers once the charge is durable. */
function answerSessionCall<Verdict extends Score>(context: ScoringContext, endpoint: SessionEndpoint<Verdict>) {
  const { model, answerOnce, nowMs } = context;
  const { name, judge, toReply } = endpoint;
  const modelVersion = model.version;

  // Answers through `reply` instead of returning a promise, which saves one promise per call on the hot path.
  return (request: FastifyRequest<{ Body: ScoringRequest }>, reply: FastifyReply): void => {
    const { caller } = request;
    const idempotencyKey = parseIdempotencyKey(request.headers["idempotency-key"]);
    if (request.testScenario === "payment_required") {
      reply.send(paymentRequired());
      return;
    }
    const signals = request.body.session_data;
    const atMs = nowMs();
    const sessionId = timeOrderedId("sess", atMs);
    const score = judge(model, signals, request.testScenario);
    const processingTimeMs = roundMs(performance.now() - request.arrivedMs);
    const call: BillableCall = {
      charge: {
        accountId: caller.accountId,
        mode: caller.mode,
        ref: sessionId,
        endpoint: name,
        atMs,
        shareBps: caller.shareBps,
        verdict: { signals, score, processingTimeMs },
        idempotency: undefined,
      },
      body: reply.getSerializationFunction("200")!(toReply({ score, caller, sessionId, atMs, processingTimeMs, modelVersion })),
      idempotencyKey,
      input: () => JSON.stringify(signalNames.map((signal) => signals[signal] ?? null)),
    };
    answerOnce(call, { settle: (answer) => sendBilledAnswer(reply, answer), fail: (error) => reply.send(error) });
  };
}

const shared = { tags: ["Scoring"], security: [{ apiKey: [] }], body: ScoringRequest };
const failures = keyedFailures({ billable: true });

export function addScoringRoutes(app: TypedApp, context: ScoringContext): void {
  const predict = answerSessionCall(context, { name: "predict", judge: judgeSession, toReply: toPrediction });
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
      handler: predict,
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
    handler: answerSessionCall(context, { name: "score", judge: judgeSession, toReply: toShortPrediction }),
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
    handler: answerSessionCall(context, { name: "analyze", judge: explainSession, toReply: toAnalysis }),
  });
}
