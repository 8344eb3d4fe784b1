import type { Artefact } from "./artefact.ts";
import { apportion } from "./apportion.ts";
import { compileCertainty } from "./certainty.ts";
import { bySignalOf } from "./explain/by-signal.ts";
import { compileTerms } from "./evaluate-terms.ts";
import type { TermValues } from "./evaluate-terms.ts";
import type { Calibration, Contribution, Explanation, Model, Raise } from "./model.ts";
import { compileGate } from "./plausibility-gate.ts";
import { shown, toUnits, unitsPerPoint } from "./points.ts";
import { compileReasons } from "./explain/reasons.ts";
import { signalNames } from "./signals.ts";
import type { Signals } from "./signals.ts";
import { compileScale } from "./scale.ts";
import { compileStability, compileSubsetSum, everythingBits } from "./stability.ts";
import { recommendationOf, trustLevelOf } from "./trust-level.ts";
import { compileWouldRaise } from "./explain/would-raise.ts";

/** Below this openness no session can reach `medium`: the gate alone decides the level. */
const opennessDecidesBelow = 0.39;
/** Confidence for a session that the gate has decided: more signals can only close it further. */
const decidedConfidence = 1;

/** Turns an artefact into an evaluator whose `score` allocates nothing but its answer. */
export function compileModel(artefact: Artefact, calibration?: Calibration): Model {
  const evaluateTerms = compileTerms(artefact);
  const gate = compileGate(artefact.gate);
  const scale = compileScale(artefact.calibration, calibration);
  const sumOver = compileSubsetSum(artefact.pairs);
  const certainty = artefact.certainty
    ? compileCertainty({ tables: artefact.certainty, scale, sumOver })
    : compileStability(artefact.stability, sumOver);
  // An explanation scores other sessions too, with terms of their own.
  const evaluateOthers = compileTerms(artefact);
  const logOddsOf = (signals: Signals) => evaluateOthers(signals).sum;
  const findRaises = compileWouldRaise(artefact, { gate, logOddsOf, scoreOf: (signals, logOdds) => scale.scoreAt(seenIn(signals), logOdds) });
  const scoreOthers = (signals: Signals) => {
    const { seen, sum } = evaluateOthers(signals);
    return shown(gate.openness(signals) * scale.scoreAt(seen, sum));
  };
  const reasonsOf = compileReasons({ people: artefact.people, scoreOf: scoreOthers });
  const pairNames = artefact.pairs.map((pair) => pair.signals.join("×"));

  const scoreTerms = (signals: Signals, terms: TermValues, openness: number) => {
    const serviceScore = shown(openness * scale.scoreAt(terms.seen, terms.sum));
    const trustLevel = trustLevelOf(serviceScore);
    const decided = openness < opennessDecidesBelow;
    const confidence = decided ? decidedConfidence : certainty.confidence(terms, openness === 1 ? alwaysOpen : (subset) => gate.openness(onlyOf(signals, subset)));
    return {
      serviceScore,
      trustLevel,
      confidence: Math.round(confidence * 10_000) / 10_000,
      recommendation: recommendationOf(trustLevel, decided),
    };
  };

  const contributionsOf = (signals: Signals, terms: TermValues, openness: number): Contribution[] => {
    const blendAt = (logOdds: number) => scale.scoreAt(terms.seen, logOdds);
    const baseUnits = toUnits(blendAt(0));
    const openUnits = toUnits(blendAt(terms.sum));
    const parts: { signal: string; value: number | boolean | null; logOdds: number }[] = [];
    for (const [index, signal] of signalNames.entries()) {
      if ((terms.seen & (1 << index)) === 0) continue;
      parts.push({ signal, value: signals[signal] ?? null, logOdds: terms.curves[index] ?? 0 });
    }
    for (const [index, pair] of artefact.pairs.entries()) {
      if (pair.signals.some((signal) => (terms.seen & (1 << signalNames.indexOf(signal))) === 0)) continue;
      parts.push({ signal: pairNames[index] ?? "", value: null, logOdds: terms.pairs[index] ?? 0 });
    }
    const unitsPerLogOdds = slopeTo(blendAt, terms.sum) * unitsPerPoint;
    const units = apportion(
      parts.map((part) => part.logOdds * unitsPerLogOdds),
      openUnits - baseUnits,
    );
    const contributions: Contribution[] = parts.map(({ signal, value }, index) => ({
      signal,
      value,
      points: (units[index] ?? 0) / unitsPerPoint,
    }));
    const gatedUnits = toUnits(openness * blendAt(terms.sum));
    contributions.push({ signal: "plausibility", value: openness, points: (gatedUnits - openUnits) / unitsPerPoint });
    return contributions;
  };

  const explainTerms = (signals: Signals, terms: TermValues, openness: number): Explanation => {
    const scored = scoreTerms(signals, terms, openness);
    const contributions = contributionsOf(signals, terms, openness);
    const bySignal = bySignalOf(contributions);
    const spread = certainty.spread(terms);
    const endAt = (logOdds: number) => shown(openness * scale.scoreAt(everythingBits, logOdds));
    const given = { ...signals };
    let raises: Raise[] | undefined;
    return {
      ...scored,
      baseValue: toUnits(scale.scoreAt(terms.seen, 0)) / unitsPerPoint,
      contributions,
      bySignal,
      // Found when it is first read: it costs more than all the rest, and training never asks for it.
      get wouldRaise() {
        raises ??= findRaises(given, scored.trustLevel);
        return raises;
      },
      probabilities: scale.probabilities(terms.seen, terms.sum),
      unroundedScore: toUnits(openness * scale.scoreAt(terms.seen, terms.sum)) / unitsPerPoint,
      interval: [Math.min(scored.serviceScore, endAt(spread.low)), Math.max(scored.serviceScore, endAt(spread.high))],
      reasons: reasonsOf(signals, { ...scored, contributions, bySignal }, gate.reasons(signals)),
    };
  };

  return {
    version: artefact.version,
    score: (signals) => scoreTerms(signals, evaluateTerms(signals), gate.openness(signals)),
    explain: (signals) => explainTerms(signals, evaluateTerms(signals), gate.openness(signals)),
    calibrated: (own) => compileModel(artefact, own),
  };
}

/**
 * Points per unit of log-odds on the straight line to this session from one with no signals. Every term gets its
 * log-odds times this slope: the Aumann–Shapley value of an additive model behind a non-linear scale.
 */
function slopeTo(blendAt: (logOdds: number) => number, logOdds: number): number {
  // Too close to 0 for a meaningful difference quotient: take the slope around 0.
  const reach = Math.abs(logOdds) < 1e-6 ? 1e-3 : logOdds;
  return (blendAt(reach) - blendAt(0)) / reach;
}

const alwaysOpen = () => 1;

const seenIn = (signals: Signals): number =>
  signalNames.reduce((seen, name, index) => (signals[name] === undefined || Number.isNaN(signals[name]) ? seen : seen | (1 << index)), 0);

const onlyOf = (signals: Signals, subset: number): Signals =>
  Object.fromEntries(signalNames.flatMap((name, index) => ((subset & (1 << index)) === 0 ? [] : [[name, signals[name]]])));
