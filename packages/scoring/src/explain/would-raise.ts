import type { Artefact } from "../artefact.ts";
import { scaled } from "../interpolation.ts";
import type { Raise } from "../model.ts";
import type { Gate } from "../plausibility-gate.ts";
import { shown } from "../points.ts";
import { signalNames } from "../signals.ts";
import type { SignalName, Signals } from "../signals.ts";
import { trustThresholds } from "../trust-level.ts";
import type { TrustLevel } from "../trust-level.ts";

type AmountName = Exclude<SignalName, "return_visitor">;

/** What the API accepts, from 0. */
const amounts: Record<AmountName, { max: number; isCount: boolean }> = {
  user_engagement: { max: 1, isCount: false },
  session_duration: { max: 31_536_000, isCount: false },
  scroll_depth: { max: 1, isCount: false },
  interaction_count: { max: 2_147_483_647, isCount: true },
  page_views: { max: 2_147_483_647, isCount: true },
};

/**
 * Bounds the work where the gate and the curves cancel each other out just below a threshold. Sessions need at most a
 * few hundred. Beyond this, a stretch between two values is judged by its ends alone.
 */
const evaluationsMax = 2_000;

const thresholdAbove: Record<TrustLevel, number | undefined> = {
  low: trustThresholds.medium,
  medium: trustThresholds.high,
  high: undefined,
};

/** The session with one signal set to `x`. */
type Point = { x: number; logOdds: number; openness: number; score: number };

type Options = { gate: Gate; scoreOf: (signals: Signals, logOdds: number) => number; logOddsOf: (signals: Signals) => number };

/**
 * Finds, for each signal seen, the smallest change of that signal alone that lifts the level. Between two
 * neighbouring stops log-odds are linear in the scaled signal, so the highest openness times the score at the higher
 * end bounds the score on any stretch in between. Halving every stretch that could cross the threshold, nearest
 * first, ends at the first integer that does, or at a floating-point number that does and whose neighbour does not:
 * the first one but for rounding.
 */
export function compileWouldRaise(artefact: Pick<Artefact, "curves" | "pairs">, { gate, scoreOf, logOddsOf }: Options) {
  const above = stopsOf(artefact);
  const below = Object.fromEntries(Object.entries(above).map(([name, stops]) => [name, stops.toReversed()])) as Stops;

  const raiseAmount = (signals: Signals, name: AmountName, threshold: number): Raise | undefined => {
    const from = signals[name] as number;
    const { max, isCount } = amounts[name];
    const probe = { ...signals };
    let evaluations = 0;
    const at = (x: number): Point => {
      evaluations += 1;
      probe[name] = x;
      const logOdds = logOddsOf(probe);
      const openness = gate.openness(probe);
      return { x, logOdds, openness, score: openness * scoreOf(signals, logOdds) };
    };
    const crosses = (score: number) => shown(score) >= threshold;
    const highestBetween = (one: Point, other: Point): number => {
      const openness =
        one.openness === 1 || other.openness === 1 ? 1 : gate.opennessMost({ ...signals, [name]: one.x }, { ...signals, [name]: other.x });
      return openness * scoreOf(signals, Math.max(one.logOdds, other.logOdds));
    };
    /** The first value after `near`, up to `far`, that crosses the threshold; `near` itself does not. */
    const firstCrossing = (near: Point, far: Point): Point | undefined => {
      if (!crosses(evaluations < evaluationsMax ? highestBetween(near, far) : far.score)) return undefined;
      const middle = middleOf(near.x, far.x, isCount);
      if (middle === undefined) return crosses(far.score) ? far : undefined;
      const halfway = at(middle);
      return firstCrossing(near, halfway) ?? firstCrossing(halfway, far);
    };
    /** `ahead`: the stops from `start` onwards, nearest first. */
    const walk = (start: number, ahead: readonly number[]): Point | undefined => {
      let near = at(start);
      if (crosses(near.score)) return near;
      for (const stop of ahead) {
        const far = at(stop);
        const found = firstCrossing(near, far);
        if (found !== undefined) return found;
        near = far;
      }
      return undefined;
    };
    const bounded = Math.min(Math.max(from, 0), max);
    const start = isCount ? Math.floor(bounded) : bounded;
    const up = walk(start, above[name].filter((stop) => stop > start));
    const down = walk(start, below[name].filter((stop) => stop < start));
    const isUp = down === undefined || (up !== undefined && up.x - start <= start - down.x);
    const found = isUp ? up : down;
    return found && { signal: name, from, to: found.x, score: shown(found.score) };
  };

  const raiseVisitor = (signals: Signals, threshold: number): Raise | undefined => {
    const from = signals.return_visitor as boolean;
    const changed = { ...signals, return_visitor: !from };
    const score = shown(gate.openness(changed) * scoreOf(changed, logOddsOf(changed)));
    return score >= threshold ? { signal: "return_visitor", from, to: !from, score } : undefined;
  };

  /** Length of the change as a share of the range that the signal's curve covers. */
  const effortOf = ({ signal, from, to }: Raise): number => {
    const { scale, knots } = artefact.curves[signal];
    const [first = 0, last = 1] = [knots[0], knots.at(-1)];
    return Math.abs(scaled(Number(to), scale) - scaled(Number(from), scale)) / (scaled(last, scale) - scaled(first, scale));
  };

  /** The least effort first. */
  return (signals: Signals, level: TrustLevel): Raise[] => {
    const threshold = thresholdAbove[level];
    if (threshold === undefined) return [];
    const found: Raise[] = [];
    for (const name of signalNames) {
      const value = signals[name];
      if (value === undefined || Number.isNaN(value)) continue;
      const raise = name === "return_visitor" ? raiseVisitor(signals, threshold) : raiseAmount(signals, name, threshold);
      if (raise !== undefined) found.push(raise);
    }
    return found.toSorted((left, right) => effortOf(left) - effortOf(right));
  };
}

/** A value between the two; undefined if there is none. */
function middleOf(one: number, other: number, isCount: boolean): number | undefined {
  const exact = one + (other - one) / 2;
  const middle = isCount ? Math.floor(exact) : exact;
  return middle === one || middle === other ? undefined : middle;
}

type Stops = Record<AmountName, number[]>;

/** Per signal its bounds and the knots of its curve and pairs, ascending. For a count the integers around each knot. */
function stopsOf({ curves, pairs }: Pick<Artefact, "curves" | "pairs">): Stops {
  const entries = Object.entries(amounts).map(([name, { max, isCount }]) => {
    const knots = [0, max, ...curves[name as AmountName].knots];
    for (const pair of pairs) knots.push(...pair.signals.flatMap((signal, index) => (signal === name ? (pair.knots[index] ?? []) : [])));
    const stops = isCount ? knots.flatMap((knot) => [Math.floor(knot), Math.ceil(knot)]) : knots;
    return [name, [...new Set(stops)].filter((stop) => stop >= 0 && stop <= max).toSorted((left, right) => left - right)];
  });
  return Object.fromEntries(entries) as Stops;
}
