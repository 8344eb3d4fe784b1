import type { SignalName } from "./signals.ts";

/** Transformation of a signal's values before interpolation: ln(1 + x) for durations and counts. */
export type Scale = "linear" | "log";

/** Log-odds as a function of one signal: linear between knots, constant beyond the outer ones. */
export type Curve = { scale: Scale; knots: readonly number[]; values: readonly number[] };

/** Log-odds on a grid of two signals, bilinear within its cells, with the scales of the signals' curves. */
export type PairSurface = {
  signals: readonly [SignalName, SignalName];
  knots: readonly [readonly number[], readonly number[]];
  /** One row per knot of the first signal. */
  values: readonly (readonly number[])[];
};

/** What people do not exceed: an amount in sessions of that length, or an amount or a ratio by itself. */
export type GateCheck = TimedCheck | PlainCheck;

/** An amount that people do not exceed in a session of that length. */
export type TimedCheck = {
  code: ReasonCode;
  numerator: SignalName;
  given: {
    signal: "session_duration";
    knots: readonly number[];
    /** The gate starts to close here, per knot: linear in between on logarithmic scales, and never falling. */
    closesFrom: readonly number[];
  };
  /** From starting to close to closed, in ln(1 + amount). */
  width: number;
};

export type PlainCheck = {
  code: ReasonCode;
  numerator: SignalName;
  /** Divides by 1 + this signal; absent: the numerator is checked as it is. */
  denominator?: SignalName;
  /** The gate starts to close here (a quantile of the people in the training sessions) … */
  closesFrom: number;
  /** … and is fully closed here. */
  closedAt: number;
};

export type ReasonCode =
  | "too_many_interactions_per_second"
  | "too_many_pages_per_second"
  | "too_many_interactions_per_page"
  | "too_many_interactions"
  | "too_many_pages"
  | "session_too_long";

/** Values on a regular grid of log-odds: linear between its points, constant outside. */
export type Grid = { from: number; step: number; count: number };

export type Probabilities = {
  /** Probability that the visitor is a person, at a prior of one half. */
  human: readonly number[];
  /** Probability of a good outcome, at a prior of one half. */
  engaged: readonly number[];
};

/**
 * Where a session's log-odds would lie if its missing signals were seen and the model had been fitted on another sample
 * of sessions. All log-odds are those of this model for a session with every signal.
 */
export type Certainty = Grid & {
  /** Probabilities of the quantiles below, ascending. The second from each end bound the interval of an answer. */
  levels: readonly number[];
  /**
   * Per set of signals seen (bits in the order of `signalNames`) and point of the grid, which is the log-odds of what was
   * seen: the quantiles of the difference to it.
   */
  sets: Readonly<Record<string, readonly (readonly number[])[]>>;
  /** Isotonic map from the probability that this implies to the confidence that is shown. */
  confidence: { raw: readonly number[]; shown: readonly number[] };
  /**
   * The most that a call without interactions or pages is given, and one that the gate has partly closed: another sample
   * would have given another gate. A call with all signals is never given less than without one, so this is also the
   * most that it can have at a threshold on the strength of its parts.
   */
  boundedMax: number;
};

/** Written by training, read by the evaluator. Immutable once released: a new fit is a new version. */
export type Artefact = {
  version: string;
  /** Origin of the training sessions, with the licence as far as it is known. */
  sources: readonly { name: string; task: string; rows: number; origin: string; licence: string; use: string }[];
  files: readonly { name: string; sha256: string; rows: number }[];
  metrics: Readonly<Record<string, number>>;
  /** Deciles (minimum, 10%, … maximum) of each signal among the people in the training sessions, where it was observed. */
  people: Readonly<Partial<Record<SignalName, readonly number[]>>>;
  curves: Readonly<Record<SignalName, Curve>>;
  pairs: readonly PairSurface[];
  gate: { floor: number; checks: readonly GateCheck[] };
  calibration: Grid & Probabilities & {
    /** For sessions with neither engagement nor interactions. Absent in the first model, which had one map for all. */
    bare?: Probabilities;
    /**
     * Added to the mean of both log-odds, which makes the score. Absent in the first model, whose score was the mean of
     * both probabilities.
     */
    offset?: number;
  };
} & (
  | { certainty: Certainty; stability?: never }
  /** The first model's, which knew nothing of the sample that it was fitted on. */
  | { certainty?: never; stability: Stability }
);

export type Stability = Grid & {
  /** Per set of signals seen (bits in the order of `signalNames`): share of sessions whose level stayed the same. */
  agreement: Readonly<Record<string, readonly number[]>>;
  /** Isotonic map from the raw agreement to the confidence that is shown. */
  confidence: { raw: readonly number[]; shown: readonly number[] };
  /** Per set of signals seen: low and high end of what the missing signals add, in log-odds. */
  spread: Readonly<Record<string, { low: readonly number[]; high: readonly number[] }>>;
};
