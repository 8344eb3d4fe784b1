import { TrafficReply, TrafficRequest } from "@assay/contract/traffic.ts";
import { parseSpan, parseTime, roundMs } from "../../formats/time.ts";
import { keyedFailures } from "../../http/describe-failures.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { type AnswerOnce, type BillableCall, parseIdempotencyKey, paymentRequired, sendBilledAnswer } from "../../money/ledger/answer-once.ts";
import type { TakeTurn } from "../../queues/take-turns.ts";
import type { Store } from "../../store/store.ts";
import { promised } from "../../store/waiter.ts";
import { revenueUsdOf } from "../score-session.ts";
import { analyzeTraffic, trafficSpan } from "./analyze-traffic.ts";
import type { People } from "./find-irregularities.ts";

export type TrafficContext = {
  store: Store;
  answerOnce: AnswerOnce;
  nowMs: () => number;
  retentionDays: number;
  people: People;
  /** Reports read much more than other calls, so they are queued. */
  reportInTurn: TakeTurn;
};

export function addServiceScoreRoute(app: TypedApp, context: TrafficContext): void {
  const { store, answerOnce, nowMs, retentionDays, people, reportInTurn } = context;
  app.post("/api/servicescore/analyze", {
    schema: {
      operationId: "analyzeTraffic",
      summary: "Analyze your traffic",
      description:
        "Summarises the account's live sessions in a window of at most 92 days and in the window before it, " +
        "and reports what looks unlike honest traffic. Billed like predict.",
      tags: ["Scoring"],
      security: [{ apiKey: [] }],
      body: TrafficRequest,
      response: { 200: TrafficReply, ...keyedFailures({ billable: true }) },
    },
    async handler(request, reply) {
      const { caller, body } = request;
      const idempotencyKey = parseIdempotencyKey(request.headers["idempotency-key"]);
      if (request.testScenario === "payment_required") throw paymentRequired();
      const askedMs = nowMs();
      const window = { accountId: caller.accountId, ...parseSpan(body, { ...trafficSpan, nowMs: askedMs }) };
      const analysis = await reportInTurn(caller.accountId, () => analyzeTraffic(store, window, { nowMs: askedMs, retentionDays, people }));
      // After the turn: no call is billed into a day that was checked meanwhile.
      const atMs = nowMs();
      const analysisId = timeOrderedId("an", atMs);
      const answer: TrafficReply = {
        analysis_id: analysisId,
        ...analysis,
        revenue_attribution: revenueUsdOf(caller),
        processing_time_ms: roundMs(performance.now() - request.arrivedMs),
      };
      const call: BillableCall = {
        charge: {
          accountId: caller.accountId,
          mode: caller.mode,
          ref: analysisId,
          endpoint: "servicescore_analyze",
          atMs,
          shareBps: caller.shareBps,
          verdict: undefined,
          idempotency: undefined,
        },
        body: reply.getSerializationFunction("200")!(answer),
        idempotencyKey,
        // As requested, before defaults: a retry a minute later must be the same request.
        input: () => JSON.stringify([body.from, body.to].map((time) => (time === undefined ? null : parseTime(time, "time")))),
      };
      return sendBilledAnswer(reply, await promised((waiter) => answerOnce(call, waiter)));
    },
  });
}
