import type { SessionData, TestScenario } from "@assay/contract/scoring.ts";
import type { Model, Score } from "@assay/scoring/model.ts";
import { signalNames } from "@assay/scoring/signals.ts";
import type { Caller } from "../access/keys/caller.ts";
import type { Attestation } from "../attestation/open-attestation.ts";
import { roundMs } from "../formats/time.ts";
import { timeOrderedId } from "../ids/time-ordered-id.ts";
import type { AnswerOnce, BillableCall, BilledAnswer } from "../money/ledger/answer-once.ts";
import type { CallCharge } from "../money/ledger/charge-batch.ts";
import type { Waiter } from "../store/waiter.ts";
import { type Attested, judgeToken } from "./judge-token.ts";
import type { Models } from "./models/choose-model.ts";
import { explainSession, type JudgedSession, judgeSession, writeAnalysis, writePrediction, writeShortPrediction } from "./score-session.ts";
import { attestedBits } from "./sessions/describe-attestation.ts";

/** A call whose key, limits and body have been checked. */
export type SessionCall = {
  caller: Caller;
  /** Complete unless there is a token. */
  signals: Partial<SessionData>;
  sessionToken: string | undefined;
  scenario: TestScenario | undefined;
  idempotencyKey: string | undefined;
  arrivedMs: number;
};

/** Scores a session, bills the call, and hands over the answer once the charge is durable. */
export type AnswerSession = (call: SessionCall, waiter: Waiter<BilledAnswer>) => void;

/** By their names in the ledger and in reports. */
export type SessionAnswers = Readonly<Record<"predict" | "score" | "analyze", AnswerSession>>;

type SessionContext = { models: Pick<Models, "choose">; answerOnce: AnswerOnce; attestation: Pick<Attestation, "tokens" | "recorder">; nowMs: () => number };

type SessionEndpoint<Verdict extends Score> = {
  name: keyof SessionAnswers;
  judge: (model: Model, signals: SessionData, scenario: TestScenario | undefined) => Verdict;
  write: (judged: JudgedSession<Verdict>) => string;
};

const nothingAttested = { attested: [], issues: [] } as const;

/** In canonical form. The session is named by its id: copies of its token differ. */
const inputOf = (signals: Partial<SessionData>, session: string | undefined): string =>
  JSON.stringify([...signalNames.map((signal) => signals[signal] ?? null), ...(session === undefined ? [] : [session])]);

function answerWith<Verdict extends Score>({ models, answerOnce, attestation, nowMs }: SessionContext, { name, judge, write }: SessionEndpoint<Verdict>): AnswerSession {
  /** Scores what is known, as a charge and its answer. `usedSession`: what the charge uses up. */
  function prepare({ caller, scenario, arrivedMs }: SessionCall, { signals, attested, issues }: Attested, token?: { usedSession: string | undefined }): { charge: CallCharge; body: string } {
    const atMs = nowMs();
    const sessionId = timeOrderedId("sess", atMs);
    const { model, calibration } = models.choose(caller, atMs);
    const score = judge(model, signals, scenario);
    const processingTimeMs = roundMs(performance.now() - arrivedMs);
    return {
      charge: {
        accountId: caller.accountId,
        mode: caller.mode,
        ref: sessionId,
        endpoint: name,
        atMs,
        shareBps: caller.shareBps,
        verdict: { signals, score, processingTimeMs, modelVersion: model.version, calibration },
        attestation: token && { sessionId: token.usedSession, signals: attestedBits(attested), issues: issues.length === 0 ? null : issues.join(",") },
        idempotency: undefined,
      },
      body: write({ score, caller, sessionId, atMs, processingTimeMs, modelVersion: model.version, calibration, attested, issues }),
    };
  }

  /** For a call that cannot be scored: names the call whose stored answer is looked up, and charges nothing. */
  const chargeNothing = ({ caller: { accountId, mode, shareBps } }: SessionCall): CallCharge => ({
    accountId,
    mode,
    ref: "",
    endpoint: name,
    atMs: nowMs(),
    shareBps,
    verdict: undefined,
    idempotency: undefined,
  });

  function answerWithToken(call: SessionCall, token: string, waiter: Waiter<BilledAnswer>): void {
    const { caller, signals: asserted, idempotencyKey } = call;
    const atMs = nowMs();
    const judged = judgeToken(attestation.tokens.open(token, atMs), asserted, { accountId: caller.accountId, nowMs: atMs });
    const { session } = judged;
    const shared = { idempotencyKey, input: () => inputOf(asserted, session?.id ?? token) };
    if (judged.kind === "refused") {
      answerOnce({ ...shared, charge: chargeNothing(call), body: "", refusal: judged.failure }, waiter);
      return;
    }
    let isAttested = judged.kind === "attested";
    const { otherwise } = judged.kind === "attested" ? judged : { otherwise: undefined };
    const billable: BillableCall = { ...shared, ...prepare(call, judged.scored, { usedSession: isAttested ? session?.id : undefined }) };
    if (otherwise) {
      billable.asserted = () => {
        isAttested = false;
        return prepare(call, otherwise, { usedSession: undefined });
      };
    }
    answerOnce(billable, {
      settle(billed) {
        if (session && caller.mode === "live" && !billed.replayed) {
          attestation.recorder.billed({ accountId: caller.accountId, siteId: session.siteId, network: session.network, isAttested, atMs });
        }
        waiter.settle(billed);
      },
      fail(error) {
        waiter.fail(error);
      },
    });
  }

  return (call, waiter) => {
    const { signals, sessionToken, idempotencyKey } = call;
    if (sessionToken !== undefined) {
      answerWithToken(call, sessionToken, waiter);
      return;
    }
    const scored = signals as SessionData;
    answerOnce({ ...prepare(call, { signals: scored, ...nothingAttested }), idempotencyKey, input: () => inputOf(scored, undefined) }, waiter);
  };
}

export const createSessionAnswers = (context: SessionContext): SessionAnswers => ({
  predict: answerWith(context, { name: "predict", judge: judgeSession, write: writePrediction }),
  score: answerWith(context, { name: "score", judge: judgeSession, write: writeShortPrediction }),
  analyze: answerWith(context, { name: "analyze", judge: explainSession, write: writeAnalysis }),
});
