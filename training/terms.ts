import type { Scale } from "../packages/scoring/src/artefact.ts";
import type { SignalName } from "../packages/scoring/src/signals.ts";

/** The fitted curve of one signal, whose values may not fall up to the knot `risesTo`. */
export type CurveTerm = { signal: SignalName; scale: Scale; knots: readonly number[]; risesTo: number };

export type PairTerm = {
  signals: readonly [SignalName, SignalName];
  knots: readonly [readonly number[], readonly number[]];
  /** Whether its values may not fall along the first signal. */
  firstRises: boolean;
  /** Strength of the penalty on differences between neighbouring values. */
  smoothing: number;
};

export const curveTerms: readonly CurveTerm[] = [
  { signal: "user_engagement", scale: "linear", knots: [0, 0.03, 0.1, 0.25, 0.5, 0.75, 0.9, 0.97, 1], risesTo: 1 },
  {
    signal: "session_duration",
    scale: "log",
    knots: [0, 1, 3, 8, 20, 45, 90, 180, 330, 600, 1200, 2400, 4800, 9600],
    risesTo: 600,
  },
  { signal: "interaction_count", scale: "log", knots: [0, 1, 2, 3, 5, 9, 18, 40, 100, 300], risesTo: 300 },
  { signal: "page_views", scale: "log", knots: [0, 1, 2, 3, 5, 8, 14, 25, 50, 100, 200], risesTo: 14 },
  { signal: "return_visitor", scale: "linear", knots: [0, 1], risesTo: 1 },
];

const durationKnots = [0, 1, 4, 15, 60, 240, 900, 3600];
const pageKnots = [0, 1, 2, 3, 4, 6, 10, 30, 80, 200];
const interactionKnots = [0, 1, 2, 4, 12, 50];
const engagementKnots = [0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.9, 0.97, 1];

// Sites with few signals send only duration and pages, so their surface is smoothed more.
export const pairTerms: readonly PairTerm[] = [
  {
    signals: ["session_duration", "page_views"],
    knots: [durationKnots, [0, 1, 2, 4, 10, 30, 80]],
    firstRises: false,
    smoothing: 15,
  },
  {
    signals: ["session_duration", "interaction_count"],
    knots: [durationKnots, interactionKnots],
    firstRises: false,
    smoothing: 1,
  },
  {
    signals: ["page_views", "interaction_count"],
    knots: [pageKnots, interactionKnots],
    firstRises: false,
    smoothing: 1,
  },
  {
    signals: ["user_engagement", "session_duration"],
    knots: [engagementKnots, durationKnots],
    firstRises: true,
    smoothing: 1,
  },
  {
    signals: ["user_engagement", "page_views"],
    knots: [engagementKnots, pageKnots],
    firstRises: true,
    smoothing: 1,
  },
  {
    signals: ["user_engagement", "interaction_count"],
    knots: [[0, 0.1, 0.4, 0.8, 0.97, 1], interactionKnots],
    firstRises: true,
    smoothing: 1,
  },
];

export function scaleOf(signal: SignalName): Scale {
  return curveTerms.find((term) => term.signal === signal)?.scale ?? "linear";
}

/** Positions of each term's knot values in the parameter vector, and which of them may only rise. */
export type Layout = {
  curveOffsets: number[];
  pairOffsets: number[];
  sourceOffset: number;
  count: number;
  /** Parameters that are running sums of increments; an increment may not be negative where `rises`. */
  chains: { indices: number[]; rises: boolean[] }[];
};

export function layOut(sourceCount: number): Layout {
  const chains: Layout["chains"] = [];
  let count = 0;
  const curveOffsets = curveTerms.map((term) => {
    const offset = count;
    count += term.knots.length;
    chains.push({
      indices: term.knots.map((_, index) => offset + index),
      rises: term.knots.map((knot, index) => index > 0 && knot <= term.risesTo),
    });
    return offset;
  });
  const pairOffsets = pairTerms.map((term) => {
    const offset = count;
    const [rows, columnCount] = [term.knots[0].length, term.knots[1].length];
    count += rows * columnCount;
    if (!term.firstRises) return offset;
    for (let column = 0; column < columnCount; column += 1) {
      chains.push({
        indices: term.knots[0].map((_, row) => offset + row * columnCount + column),
        rises: term.knots[0].map((_, row) => row > 0),
      });
    }
    return offset;
  });
  return { curveOffsets, pairOffsets, sourceOffset: count, count: count + sourceCount, chains };
}
