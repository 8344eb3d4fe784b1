import type { SessionData, TestScenario } from "@assay/contract/scoring.ts";
import type { Model, Score } from "@assay/scoring/model.ts";
import { signalNames } from "@assay/scoring/signals.ts";
import type { Caller } from "../access/keys/caller.ts";
import { roundMs } from "../formats/time.ts";
import { timeOrderedId } from "../ids/time-ordered-id.ts";
import type { AnswerOnce, BilledAnswer } from "../money/ledger/answer-once.ts";
import type { Waiter } from "../store/waiter.ts";
import { explainSession, type JudgedSession, judgeSession, writeAnalysis, writePrediction, writeShortPrediction } from "./score-session.ts";

/** A call whose key, limits and body have been checked. */
export type SessionCall = {
  caller: Caller;
  signals: SessionData;
  scenario: TestScenario | undefined;
  idempotencyKey: string | undefined;
  arrivedMs: number;
};

/** Scores a session, bills the call, and hands over the answer once the charge is durable. */
export type AnswerSession = (call: SessionCall, waiter: Waiter<BilledAnswer>) => void;

/** By their names in the ledger and in reports. */
export type SessionAnswers = Readonly<Record<"predict" | "score" | "analyze", AnswerSession>>;

type SessionContext = { model: Model; answerOnce: AnswerOnce; nowMs: () => number };

type SessionEndpoint<Verdict extends Score> = {
  name: keyof SessionAnswers;
  judge: (model: Model, signals: SessionData, scenario: TestScenario | undefined) => Verdict;
  write: (judged: JudgedSession<Verdict>) => string;
};

function answerWith<Verdict extends Score>({ model, answerOnce, nowMs }: SessionContext, { name, judge, write }: SessionEndpoint<Verdict>): AnswerSession {
  const modelVersion = model.version;
  return ({ caller, signals, scenario, idempotencyKey, arrivedMs }, waiter) => {
    const atMs = nowMs();
    const sessionId = timeOrderedId("sess", atMs);
    const score = judge(model, signals, scenario);
    const processingTimeMs = roundMs(performance.now() - arrivedMs);
    answerOnce(
      {
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
        body: write({ score, caller, sessionId, atMs, processingTimeMs, modelVersion }),
        idempotencyKey,
        input: () => JSON.stringify(signalNames.map((signal) => signals[signal] ?? null)),
      },
      waiter,
    );
  };
}

export const createSessionAnswers = (context: SessionContext): SessionAnswers => ({
  predict: answerWith(context, { name: "predict", judge: judgeSession, write: writePrediction }),
  score: answerWith(context, { name: "score", judge: judgeSession, write: writeShortPrediction }),
  analyze: answerWith(context, { name: "analyze", judge: explainSession, write: writeAnalysis }),
});
