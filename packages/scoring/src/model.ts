import type { Reason } from "./reasons.ts";
import type { Signals } from "./signals.ts";
import type { Recommendation, TrustLevel } from "./trust-level.ts";

/** The verdict on one session. */
export type Score = {
  /** 0 to 100, rounded to one decimal. */
  serviceScore: number;
  trustLevel: TrustLevel;
  /** 0 to 1, rounded to four decimals: see the model card for its meaning. */
  confidence: number;
  recommendation: Recommendation;
};

/** What one signal, one pair (`a×b`) or the gate (`plausibility`) adds to the score. */
export type Contribution = {
  signal: string;
  /** The signal as given; null for a pair; how far open the gate is, 0 to 1. */
  value: number | boolean | null;
  points: number;
};

/** A score taken apart: `baseValue` plus all points is `unroundedScore`, without any rounding error. */
export type Explanation = Score & {
  /** The score of a session of which nothing is known. */
  baseValue: number;
  contributions: Contribution[];
  /** The two halves of the verdict, each at a prior of one half, before the gate. */
  probabilities: { human: number; engaged: number };
  /** The score before it is rounded to one decimal: a whole number of 1/4096ths. */
  unroundedScore: number;
  /** Low and high end, one decimal: nine times in ten the score would lie between if the missing signals were seen. */
  interval: [number, number];
  reasons: Reason[];
};

/** An evaluator: pure, synchronous, the same answer for the same signals for ever. */
export type Model = {
  /** Appears in every answer and record that this model produced. */
  version: string;
  score(signals: Signals): Score;
  explain(signals: Signals): Explanation;
};
