import { currentModel } from "@assay/scoring/current-model.ts";
import type { CallCharge, ChargeOutcome } from "../src/money/ledger/charge-batch.ts";
import { type Charger, type ChargerSettings, createCharger } from "../src/money/ledger/charge-call.ts";
import { type AnswerOnce, type AnswerOnceOptions, createAnswerOnce } from "../src/money/ledger/answer-once.ts";
import { createAnswerReader } from "../src/money/ledger/read-answer.ts";
import type { Store } from "../src/store/store.ts";
import { promised } from "../src/store/waiter.ts";
import { timeOrderedId } from "../src/ids/time-ordered-id.ts";
import { goodSignals } from "./send.ts";

type PromisingCharger = Omit<Charger, "charge"> & { charge(call: CallCharge): Promise<ChargeOutcome>; charger: Charger };

/** A charger with its own clock: the test may move `clock.nowMs` between calls. */
export function makeCharger(store: Store, clock: { nowMs: number }, options: Pick<Partial<ChargerSettings>, "payer" | "prepaid" | "onBatch" | "onWaiterError"> = {}): PromisingCharger {
  const charger = createCharger(store, { payer: "platform", nowMs: () => clock.nowMs, ...options });
  return { ...charger, charge: (call) => promised((waiter) => charger.charge(call, waiter)), charger };
}

/** Answers as the service does, by the test's clock. */
export function makeAnswerOnce(store: Store, clock: { nowMs: number }, charger: Charger, options: Partial<AnswerOnceOptions> = {}): AnswerOnce {
  return createAnswerOnce(charger, { readAnswer: createAnswerReader(store, { nowMs: () => clock.nowMs }), ...options });
}

/** A scoring call as its route passes it to the ledger. */
export function makeCharge(options: Partial<CallCharge> & { accountId: string; atMs: number }): CallCharge {
  return {
    mode: "live",
    ref: timeOrderedId("sess", options.atMs),
    endpoint: "predict",
    shareBps: 6_800,
    verdict: { signals: goodSignals, score: currentModel.score(goodSignals), processingTimeMs: 0.5, modelVersion: currentModel.version, calibration: null },
    idempotency: undefined,
    ...options,
  };
}
