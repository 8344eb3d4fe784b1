import type { SignalName, Signals } from "./signals.ts";
import type { Recommendation, TrustLevel } from "./trust-level.ts";

/** The verdict on one session. */
export type Score = {
  /** 0 to 100, rounded to one decimal. */
  serviceScore: number;
  trustLevel: TrustLevel;
  /** 0 to 1, rounded to four decimals; docs/model-card.md explains its meaning. */
  confidence: number;
  recommendation: Recommendation;
};

/** What one signal, one pair (`a×b`) or the gate (`plausibility`) adds to the score. */
export type Contribution = {
  signal: string;
  /** The signal as given; null for a pair; for the gate its openness, 0 to 1. */
  value: number | boolean | null;
  points: number;
};

/** What one signal, its halves of all pairs included, or the gate (`plausibility`) adds to the score. */
export type SignalPoints = { signal: string; points: number };

/** A change of one signal that lifts the level, and the score that results. */
export type Raise = { signal: SignalName; from: number | boolean; to: number | boolean; score: number };

/** Codes are stable; messages are for people and may change. */
export type Reason = { code: string; message: string };

/**
 * A score with its contributions: `baseValue` plus all points equals `unroundedScore` exactly, with the points of
 * `contributions` as with those of `bySignal`.
 */
export type Explanation = Score & {
  /** Score of a session with these signals, before their values count. */
  baseValue: number;
  contributions: Contribution[];
  /** The same points in six lines and the gate. */
  bySignal: SignalPoints[];
  /** Per signal seen the smallest change that lifts the level, the least effort first; empty for a `high` score. */
  wouldRaise: Raise[];
  /** The two halves of the score, each at a prior of one half, before the gate. */
  probabilities: { human: number; engaged: number };
  /** The score before rounding to one decimal: a multiple of 1/4096. */
  unroundedScore: number;
  /** Low and high end, one decimal, between which the score would lie nine times in ten if the missing signals were known. */
  interval: [number, number];
  reasons: Reason[];
};

/**
 * Two numbers that an account's own outcomes give. The share of good outcomes, at a prior of one half, among sessions
 * with score `s` is sigmoid(shift + slope · logit(s / 100)); the slope is positive, so that the order of sessions stays.
 */
export type Calibration = { shift: number; slope: number };

/** A deterministic, synchronous evaluator without side effects. */
export type Model = {
  /** Included in every answer and record that this model produces. */
  version: string;
  score(signals: Signals): Score;
  explain(signals: Signals): Explanation;
  /** The same model with scores on an account's own scale. */
  calibrated(calibration: Calibration): Model;
};
