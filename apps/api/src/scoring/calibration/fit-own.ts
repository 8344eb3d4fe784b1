import { type BeforeAndAfter, type CalibrationFit, compareInSteps, fitCalibration, type JudgedScore, type JudgedSignals, judgeSignals } from "@assay/scoring/fit-calibration.ts";
import type { Model } from "@assay/scoring/model.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Store } from "../../store/store.ts";
import { readOutcomes } from "../sessions/read-outcomes.ts";

/** Sessions scored between two turns of the event loop: scoring calls must not wait for a fit. */
const sessionsPerTurn = 50;

/** What an account's outcomes say about a model's scores. */
export type OwnFit = {
  /** Outcomes that were reported later have no part in it. */
  outcomesToMs: number;
  sessions: number;
  /** False when there are more outcomes than a fit reads: the latest count. */
  complete: boolean;
  fit: CalibrationFit;
  /** Undefined where no calibration was fitted. */
  comparison: BeforeAndAfter | undefined;
};

/** Scores anew with the shipped model, in whichever way a session was scored when it was recorded. */
export async function judgeSessions(model: Model, sessions: readonly JudgedSignals[]): Promise<JudgedScore[]> {
  const judged: JudgedScore[] = [];
  for (const session of sessions) {
    judged.push(judgeSignals(model, session));
    if (judged.length % sessionsPerTurn === 0) await nextTurn();
  }
  return judged;
}

async function compare(judged: readonly JudgedScore[]): Promise<BeforeAndAfter | undefined> {
  const steps = compareInSteps(judged);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await nextTurn();
  }
}

/** Of live sessions: what a test key tries out must not move live scores. */
export async function fitOwn(store: Store, { accountId, model, outcomesToMs }: { accountId: string; model: Model; outcomesToMs: number }): Promise<OwnFit> {
  const { sessions, complete } = await readOutcomes(store, { accountId, mode: "live", toMs: outcomesToMs });
  const judged = await judgeSessions(model, sessions);
  const fit = fitCalibration(judged);
  const comparison = fit.kind === "fitted" ? await compare(judged) : undefined;
  return { outcomesToMs, sessions: sessions.length, complete, fit, comparison };
}
