import type { SignalName } from "./signals.ts";

/** How a signal's values are laid out before interpolation: durations and counts by ln(1 + x). */
export type Scale = "linear" | "log";

/** Points in log-odds as a function of one signal: linear between knots, flat beyond the outer ones. */
export type Curve = { scale: Scale; knots: readonly number[]; values: readonly number[] };

/** Points in log-odds on a grid of two signals, bilinear within its cells; scales are those of the curves. */
export type PairSurface = {
  signals: readonly [SignalName, SignalName];
  knots: readonly [readonly number[], readonly number[]];
  /** One row per knot of the first signal. */
  values: readonly (readonly number[])[];
};

/** A ratio or an amount that people do not exceed. */
export type GateCheck = {
  code: ReasonCode;
  numerator: SignalName;
  /** Divides by 1 + this signal; absent: the numerator is judged as it is. */
  denominator?: SignalName;
  /** The gate starts to close here (a quantile of the training people) … */
  closesFrom: number;
  /** … and is closed here. */
  closedAt: number;
};

export type ReasonCode =
  | "too_many_interactions_per_second"
  | "too_many_pages_per_second"
  | "too_many_interactions_per_page"
  | "too_many_interactions"
  | "too_many_pages"
  | "session_too_long";

/** Values on a regular grid of log-odds: linear between its points, flat outside. */
export type Grid = { from: number; step: number; count: number };

/** What training writes and the evaluator reads. Never changed once released: a new fit is a new version. */
export type Artefact = {
  version: string;
  /** Where the training sessions come from, with the licence as far as it is known. */
  sources: readonly { name: string; task: string; rows: number; origin: string; licence: string; use: string }[];
  files: readonly { name: string; sha256: string; rows: number }[];
  metrics: Readonly<Record<string, number>>;
  /** Deciles (lowest, 10%, … highest) of each signal among the training people, where it was observed. */
  people: Readonly<Partial<Record<SignalName, readonly number[]>>>;
  curves: Readonly<Record<SignalName, Curve>>;
  pairs: readonly PairSurface[];
  gate: { floor: number; checks: readonly GateCheck[] };
  calibration: Grid & {
    /** Probability of a person, at a prior of one half. */
    human: readonly number[];
    /** Probability of a good outcome, at a prior of one half. */
    engaged: readonly number[];
  };
  stability: Grid & {
    /** Per set of signals seen (bits in the order of `signalNames`): how often the level stayed the same. */
    agreement: Readonly<Record<string, readonly number[]>>;
    /** Isotonic map from the raw agreement to the confidence that is shown. */
    confidence: { raw: readonly number[]; shown: readonly number[] };
    /** Per set of signals seen: the low and high ends of what the missing signals add, in log-odds. */
    spread: Readonly<Record<string, { low: readonly number[]; high: readonly number[] }>>;
  };
};
