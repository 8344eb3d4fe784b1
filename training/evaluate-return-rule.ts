import { compileTerms } from "../packages/scoring/src/evaluate-terms.ts";
import { aucOf } from "../packages/scoring/src/measure.ts";
import { signalNames } from "../packages/scoring/src/signals.ts";
import { fitTerms } from "./fit-terms.ts";
import { fitBoosting } from "./gradient-boosting.ts";
import type { Session } from "./read-sessions.ts";
import { foldCount, foldOf } from "./split.ts";

/*
 * What the promise costs that a returning visitor never scores lower: in one source returning visitors have
 * fewer good outcomes, and a model that keeps the promise must look away. Mean AUC over folds, each fit and
 * each test within the sessions given.
 */
export type ReturnRule = {
  /** The shipped kind of model, keeping the promise. */
  kept: number;
  /** The same with the promise turned round: a new visitor never scores lower than a returning one. */
  turned: number;
  boosting: number;
  /** Boosting that is not shown who returned: what the other signals hold. */
  boostingBlind: number;
};

type LogOdds = (signals: Session["signals"]) => number;

export function evaluateReturnRule(sessions: readonly Session[]): ReturnRule {
  const blindTo = signalNames.filter((name) => name !== "return_visitor");
  return {
    kept: meanAuc(sessions, fitAdditive),
    // Renaming new visitors to returning ones turns the promise round without a second way to fit.
    turned: meanAuc(sessions.map(swapReturning), fitAdditive),
    boosting: meanAuc(sessions, (rest) => fitBoosting(rest)),
    boostingBlind: meanAuc(sessions, (rest) => fitBoosting(rest, blindTo)),
  };
}

function fitAdditive(sessions: readonly Session[]): LogOdds {
  const evaluate = compileTerms(fitTerms(sessions).terms);
  return (signals) => evaluate(signals).sum;
}

function swapReturning(session: Session): Session {
  const { return_visitor: returning, ...rest } = session.signals;
  return returning === undefined ? session : { ...session, signals: { ...rest, return_visitor: !returning } };
}

function meanAuc(sessions: readonly Session[], fitOn: (sessions: readonly Session[]) => LogOdds): number {
  let sum = 0;
  for (let fold = 0; fold < foldCount; fold += 1) {
    const logOdds = fitOn(sessions.filter((session) => foldOf(session) !== fold));
    const tested = sessions.filter((session) => foldOf(session) === fold);
    sum += aucOf(tested.map(({ signals }) => logOdds(signals)), tested.map(({ label }) => label));
  }
  return sum / foldCount;
}
