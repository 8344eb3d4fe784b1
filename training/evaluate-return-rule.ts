import { compileTerms } from "../packages/scoring/src/evaluate-terms.ts";
import { aucOf } from "../packages/scoring/src/measure.ts";
import { signalNames } from "../packages/scoring/src/signals.ts";
import { fitTerms } from "./fit-terms.ts";
import { fitBoosting } from "./gradient-boosting.ts";
import type { Session } from "./read-sessions.ts";
import { foldCount, foldOf } from "./split.ts";

/*
 * Cost of the rule that a returning visitor never scores lower: in one source returning visitors have fewer
 * good outcomes, which a model with this rule must ignore. Mean AUC over folds, with fits and tests within the
 * given sessions.
 */
export type ReturnRule = {
  /** The shipped kind of model, with the rule. */
  withRule: number;
  /** The same with the rule reversed: a new visitor never scores lower than a returning one. */
  reversed: number;
  boosting: number;
  /** Boosting without `return_visitor`: what the other signals contain. */
  boostingWithoutReturn: number;
};

type LogOdds = (signals: Session["signals"]) => number;

export function evaluateReturnRule(sessions: readonly Session[]): ReturnRule {
  const otherSignals = signalNames.filter((name) => name !== "return_visitor");
  return {
    withRule: meanAuc(sessions, fitAdditive),
    // Swapping new and returning visitors reverses the rule without a second fitting procedure.
    reversed: meanAuc(sessions.map(swapReturning), fitAdditive),
    boosting: meanAuc(sessions, (rest) => fitBoosting(rest)),
    boostingWithoutReturn: meanAuc(sessions, (rest) => fitBoosting(rest, otherSignals)),
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
