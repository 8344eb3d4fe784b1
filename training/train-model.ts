import type { Artefact } from "../packages/scoring/src/artefact.ts";
import { bitOf, compileTerms } from "../packages/scoring/src/evaluate-terms.ts";
import { aucOf } from "../packages/scoring/src/measure.ts";
import { compileGate } from "../packages/scoring/src/plausibility-gate.ts";
import { compileSubsetSum } from "../packages/scoring/src/stability.ts";
import { calibrate } from "./calibrate.ts";
import type { Prediction } from "./calibrate.ts";
import { describePeople } from "./describe-people.ts";
import { fitTerms } from "./fit-terms.ts";
import { learnCertainty } from "./learn-certainty.ts";
import type { Fit } from "./learn-certainty.ts";
import { learnGate } from "./learn-gate.ts";
import { seededRandom } from "./random.ts";
import type { Session, Task } from "./read-sessions.ts";
import { foldCount, foldOf } from "./split.ts";

/** The fitted part of an artefact, without provenance and metrics. */
export type FittedModel = Pick<Artefact, "people"> & Fit & { certainty: NonNullable<Artefact["certainty"]> };

/** AUC of the out-of-fold log-odds over all fitting sessions. */
export type OutOfFold = Record<Task, number>;

/** How often everything is fitted again, each time on sessions drawn with replacement from the same ones. */
const refitCount = 10;
const refitSeed = 2_100;

/** Fits everything on these sessions only. */
export function trainModel(
  sessions: readonly Session[],
  progress: (step: string) => void,
): { fitted: FittedModel; refits: Fit[]; outOfFold: OutOfFold } {
  const { fit, predictions } = fitOnce(sessions, progress);
  const refits = Array.from({ length: refitCount }, (_, turn) => {
    progress(`fitting on another sample, ${turn + 1} of ${refitCount}`);
    return fitOnce(resample(sessions, refitSeed + turn), () => undefined).fit;
  });
  progress("learning confidence and interval by hiding signals");
  const certainty = learnCertainty(sessions, fit, refits);
  const outOfFold = { human: outOfFoldAuc(predictions, "human"), engaged: outOfFoldAuc(predictions, "engaged") };
  return { fitted: { people: describePeople(sessions), ...fit, certainty }, refits, outOfFold };
}

function fitOnce(sessions: readonly Session[], progress: (step: string) => void): { fit: Fit; predictions: Prediction[] } {
  const gate = learnGate(sessions);
  const predictions = predictOutOfFold(sessions, gate, progress);
  progress("fitting curves and pairs on all fitting sessions");
  const { terms, iterations } = fitTerms(sessions);
  progress(`fitted in ${iterations} Newton steps; calibrating`);
  return { fit: { ...terms, gate, calibration: calibrate(predictions) }, predictions };
}

/** As many sessions, drawn with replacement. */
function resample(sessions: readonly Session[], seed: number): Session[] {
  const random = seededRandom(seed);
  return sessions.map(() => sessions[Math.floor(random() * sessions.length)] as Session);
}

const hiddenWhenBare = bitOf("user_engagement") | bitOf("interaction_count");

/** Log-odds of every session by a model that was not fitted on its fold. */
function predictOutOfFold(sessions: readonly Session[], gate: Artefact["gate"], progress: (step: string) => void): Prediction[] {
  const { openness } = compileGate(gate);
  const predictions: Prediction[] = [];
  for (let fold = 0; fold < foldCount; fold += 1) {
    progress(`fitting without fold ${fold + 1} of ${foldCount}`);
    const { terms } = fitTerms(sessions.filter((session) => foldOf(session) !== fold));
    const evaluate = compileTerms(terms);
    const sumOver = compileSubsetSum(terms.pairs);
    for (const session of sessions) {
      if (foldOf(session) !== fold) continue;
      const values = evaluate(session.signals);
      const { interaction_count: _hidden, ...rest } = session.signals;
      const bareLogOdds = sumOver(values, values.seen & ~hiddenWhenBare);
      predictions.push({ session, logOdds: values.sum, bareLogOdds, isPlausible: openness(rest) === 1 });
    }
  }
  return predictions;
}

function outOfFoldAuc(predictions: readonly Prediction[], task: Task): number {
  const ofTask = predictions.filter(({ session }) => session.task === task);
  return aucOf(ofTask.map(({ logOdds }) => logOdds), ofTask.map(({ session }) => session.label));
}
