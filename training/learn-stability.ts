import type { Artefact } from "../packages/scoring/src/artefact.ts";
import { bitOf } from "../packages/scoring/src/evaluate-terms.ts";
import { learntBits, learntSignals } from "../packages/scoring/src/stability.ts";
import { roundLogOdds } from "./fit-terms.ts";
import { compileLevel, hideEverySubset, stabilityGrid } from "./hide-signals.ts";
import type { CalibratedTerms } from "./hide-signals.ts";
import { fitIsotonic } from "./isotonic.ts";
import { hashText } from "./random.ts";
import { settleAgreement } from "./settle-agreement.ts";
import type { Session } from "./read-sessions.ts";
import { agreementOnGrid, conformSpread, coverage, spreadOnGrid, toThousandths } from "./stability-tables.ts";

type Spread = Record<string, { low: number[]; high: number[] }>;

/** Learns the tables of agreement and spread on one half of the sessions and corrects them on the other. */
export function learnStability(sessions: readonly Session[], model: CalibratedTerms): Artefact["stability"] {
  const complete = fromCompleteSources(sessions);
  const half = (parity: number) => complete.filter(({ rowId }) => hashText(`stability ${rowId}`) % 2 === parity);
  const agreement: Record<string, number[]> = {};
  const spread: Spread = {};
  for (const [seen, hidings] of hideEverySubset(half(0), model).entries()) {
    if (hidings.length === 0) continue;
    agreement[seen] = agreementOnGrid(hidings);
    spread[seen] = spreadOnGrid(hidings);
  }
  addScrollAlone(model, agreement, spread);
  settleAgreement(half(0), model, agreement);
  const checking = hideEverySubset(half(1), model, agreement);
  for (const [seen, hidings] of checking.entries()) {
    const ends = spread[seen];
    if (ends !== undefined && hidings.length > 0) spread[seen] = conformSpread(hidings, ends, model.calibration);
  }
  const checked = checking.flat();
  const confidence = fitIsotonic(checked.map(({ raw, agrees, weight }) => ({ x: raw, y: agrees ? 1 : 0, weight })));
  return { ...stabilityGrid, agreement, confidence, spread };
}

/**
 * Sessions of the sources that observe all four learnt signals. In other sources, hiding signals cannot show
 * what the missing signal would change, and confidence would be too high.
 */
export function fromCompleteSources(sessions: readonly Session[]): Session[] {
  const seenBySource = new Map<string, number>();
  for (const { source, signals } of sessions) {
    let seen = seenBySource.get(source) ?? 0;
    for (const name of learntSignals) if (signals[name] !== undefined) seen |= bitOf(name);
    seenBySource.set(source, seen);
  }
  return sessions.filter(({ source }) => seenBySource.get(source) === learntBits);
}

/** Tables for sessions that lack only scroll depth, from its prior with an even distribution. */
function addScrollAlone(
  model: CalibratedTerms,
  agreement: Record<string, number[]>,
  spread: Spread,
): void {
  const levelOf = compileLevel(model.calibration);
  const values = model.curves.scroll_depth.values;
  const [least, most] = [values[0] ?? 0, values.at(-1) ?? 0];
  const draws = Array.from({ length: 21 }, (_, index) => least + ((most - least) * index) / 20);
  const points = Array.from({ length: stabilityGrid.count }, (_, index) => stabilityGrid.from + index * stabilityGrid.step);
  agreement[learntBits] = points.map((at) => {
    // Averaged over the grid cell, so that a level's threshold between two points is not missed.
    const places = Array.from({ length: 21 }, (_, index) => at + ((index - 10) / 20) * stabilityGrid.step);
    const stays = places.map((place) => draws.filter((draw) => levelOf(place + draw) === levelOf(place)).length);
    return toThousandths(stays.reduce((sum, each) => sum + each, 0) / (places.length * draws.length));
  });
  spread[learntBits] = {
    low: points.map(() => roundLogOdds(least * coverage)),
    high: points.map(() => roundLogOdds(most * coverage)),
  };
}
