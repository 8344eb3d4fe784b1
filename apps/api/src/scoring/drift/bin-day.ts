import { type SignalName, signalNames } from "@assay/scoring/signals.ts";
import type { SessionSummary } from "../traffic/session-summary.ts";

/** What is compared: the six signals and the score. */
export const comparedNames = [...signalNames, "service_score"] as const;
export type ComparedName = (typeof comparedNames)[number];

/** `count` steps of equal ratio from `first` on, so that half as much and twice as much are equally far away. */
const ratioEdges = (first: number, ratio: number, count: number) => Array.from({ length: count }, (_, index) => first * ratio ** index);

/** The last step is 1 alone: a session that is engaged all the time or scrolled to the end is a kind of its own. */
const fractionEdges = [...Array.from({ length: 20 }, (_, index) => index / 20), 1];
/** Small counts are a bin each. */
const countEdges = [...Array.from({ length: 11 }, (_, index) => index), ...ratioEdges(14, 1.4, 13).map(Math.round)];

/** Where each bin begins. The last one has no end. */
export const binStarts: Record<ComparedName, readonly number[]> = {
  user_engagement: fractionEdges,
  session_duration: [0, ...ratioEdges(1, Math.SQRT2, 34)],
  scroll_depth: fractionEdges,
  interaction_count: countEdges,
  page_views: countEdges,
  return_visitor: [0, 1],
  service_score: Array.from({ length: 20 }, (_, index) => index * 5),
};

/** One signal, or the score, of one day or several. */
export type Binned = { missing: number; present: number; bins: Float64Array };
export type BinnedDay = { sessions: number; of: Record<ComparedName, Binned>; scales: ReadonlyMap<string, number> };

function binCounts(counts: ReadonlyMap<number, number>, starts: readonly number[], scale: number): Float64Array {
  const bins = new Float64Array(starts.length);
  for (const [value, count] of counts) {
    const after = starts.findIndex((start) => start > value * scale);
    bins[after === -1 ? starts.length - 1 : Math.max(0, after - 1)]! += count;
  }
  return bins;
}

/** A few hundred numbers per day, however many sessions it had. */
export function binDay(summary: SessionSummary): BinnedDay {
  const { sessions, scores, scales } = summary;
  const binSignal = (name: SignalName): Binned => {
    const { present, counts } = summary.signals[name];
    return { missing: sessions - present, present, bins: binCounts(counts, binStarts[name], 1) };
  };
  const signals = Object.fromEntries(signalNames.map((name) => [name, binSignal(name)])) as Record<SignalName, Binned>;
  const score = { missing: 0, present: sessions, bins: binCounts(scores, binStarts.service_score, 0.1) };
  return { sessions, of: { ...signals, service_score: score }, scales };
}

/** Several days as one. */
export function poolDays(days: readonly Binned[]): Binned {
  const pooled = { missing: 0, present: 0, bins: new Float64Array(days[0]?.bins.length ?? 0) };
  for (const { missing, present, bins } of days) {
    pooled.missing += missing;
    pooled.present += present;
    bins.forEach((count, index) => (pooled.bins[index]! += count));
  }
  return pooled;
}
