import type { ScoringRequest, SessionData, TestScenario } from "@assay/contract/scoring.ts";
import type { Model, Score } from "@assay/scoring/model.ts";
import { signalNames } from "@assay/scoring/signals.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { roundMs } from "../formats/time.ts";
import { timeOrderedId } from "../ids/time-ordered-id.ts";
import { type AnswerOnce, parseIdempotencyKey, sendBilledAnswer } from "../money/ledger/answer-once.ts";
import type { JudgedSession } from "./score-session.ts";

export type ScoringContext = { model: Model; answerOnce: AnswerOnce; nowMs: () => number };

export type SessionEndpoint<Verdict extends Score> = {
  /** As in the ledger and reports. */
  name: "predict" | "score" | "analyze";
  judge: (model: Model, signals: SessionData, scenario: TestScenario | undefined) => Verdict;
  toReply: (verdict: JudgedSession<Verdict>) => Record<string, unknown>;
};

/** Scores a session, bills the call and answers it. */
export function answerSessionCall<Verdict extends Score>(context: ScoringContext, endpoint: SessionEndpoint<Verdict>) {
  const { model, answerOnce, nowMs } = context;
  const { name, judge, toReply } = endpoint;
  const modelVersion = model.version;

  // Answers through `reply` instead of returning a promise, which saves one promise per call on the hot path.
  return (request: FastifyRequest<{ Body: ScoringRequest }>, reply: FastifyReply): void => {
    const { caller } = request;
    const idempotencyKey = parseIdempotencyKey(request.headers["idempotency-key"]);
    const signals = request.body.session_data;
    const atMs = nowMs();
    const sessionId = timeOrderedId("sess", atMs);
    const score = judge(model, signals, request.testScenario);
    const processingTimeMs = roundMs(performance.now() - request.arrivedMs);
    answerOnce({
      charge: {
        accountId: caller.accountId,
        mode: caller.mode,
        ref: sessionId,
        endpoint: name,
        atMs,
        shareBps: caller.shareBps,
        verdict: { signals, score, processingTimeMs },
      },
      body: reply.getSerializationFunction("200")!(toReply({ score, caller, sessionId, atMs, processingTimeMs, modelVersion })),
      idempotencyKey,
      input: () => JSON.stringify(signalNames.map((signal) => signals[signal] ?? null)),
    }).then(
      (answer) => sendBilledAnswer(reply, answer),
      (error: unknown) => reply.send(error),
    );
  };
}
