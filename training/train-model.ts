import type { Artefact } from "../packages/scoring/src/artefact.ts";
import { compileTerms } from "../packages/scoring/src/evaluate-terms.ts";
import { aucOf } from "../packages/scoring/src/measure.ts";
import { calibrate } from "./calibrate.ts";
import type { Predictions } from "./calibrate.ts";
import { describePeople } from "./describe-people.ts";
import { fitTerms } from "./fit-terms.ts";
import { learnGate } from "./learn-gate.ts";
import { learnStability } from "./learn-stability.ts";
import type { Session, Task } from "./read-sessions.ts";
import { foldCount, foldOf } from "./split.ts";

/** The fitted part of an artefact, without provenance and metrics. */
export type FittedModel = Pick<Artefact, "people" | "curves" | "pairs" | "gate" | "calibration" | "stability">;

/** AUC of the out-of-fold log-odds over all fitting sessions. */
export type OutOfFold = Record<Task, number>;

/** Fits everything on these sessions only. */
export function trainModel(
  sessions: readonly Session[],
  progress: (step: string) => void,
): { fitted: FittedModel; outOfFold: OutOfFold } {
  const predictions = predictOutOfFold(sessions, progress);
  progress("fitting curves and pairs on all fitting sessions");
  const { terms, iterations } = fitTerms(sessions);
  progress(`fitted in ${iterations} Newton steps; calibrating and setting the gate`);
  const calibration = calibrate(predictions);
  const gate = learnGate(sessions);
  progress("learning confidence and interval by hiding signals");
  const stability = learnStability(sessions, { ...terms, calibration });
  const outOfFoldAuc = ({ logOdds, labels }: Predictions) => aucOf(logOdds, labels);
  return {
    fitted: { people: describePeople(sessions), ...terms, gate, calibration, stability },
    outOfFold: { human: outOfFoldAuc(predictions.human), engaged: outOfFoldAuc(predictions.engaged) },
  };
}

/** Log-odds of every session by a model that was not fitted on its fold. */
function predictOutOfFold(sessions: readonly Session[], progress: (step: string) => void): Record<Task, Predictions> {
  const predictions: Record<Task, Predictions> = { human: { logOdds: [], labels: [] }, engaged: { logOdds: [], labels: [] } };
  for (let fold = 0; fold < foldCount; fold += 1) {
    progress(`fitting without fold ${fold + 1} of ${foldCount}`);
    const evaluate = compileTerms(fitTerms(sessions.filter((session) => foldOf(session) !== fold)).terms);
    for (const session of sessions) {
      if (foldOf(session) !== fold) continue;
      predictions[session.task].logOdds.push(evaluate(session.signals).sum);
      predictions[session.task].labels.push(session.label);
    }
  }
  return predictions;
}
