import type { TrafficSummary } from "@assay/contract/traffic.ts";
import { type SignalName, signalNames } from "@assay/scoring/signals.ts";
import { trustLevelOf } from "@assay/scoring/trust-level.ts";
import type { SessionSummary } from "./session-summary.ts";

const bandPoints = 10;
const bandCount = 10;

const rounded = (value: number) => Math.round(value * 10_000) / 10_000;

/** Each quantile is the smallest value that at least this share of values does not exceed; 0 without values. */
function quantilesOf(counts: ReadonlyMap<number, number>, shares: readonly number[]): number[] {
  const sorted = [...counts].toSorted(([left], [right]) => left - right);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  return shares.map((share) => {
    let upTo = 0;
    for (const [value, count] of sorted) {
      upTo += count;
      if (upTo >= share * total) return value;
    }
    return 0;
  });
}

function describeScores(scores: ReadonlyMap<number, number>, sessions: number) {
  const histogram = Array.from({ length: bandCount }, (_, band) => ({ from: band * bandPoints, to: (band + 1) * bandPoints, count: 0 }));
  const levels = { high: 0, medium: 0, low: 0 };
  let tenthsSum = 0;
  for (const [tenths, count] of scores) {
    tenthsSum += tenths * count;
    levels[trustLevelOf(tenths / 10)] += count;
    // The last band includes 100.
    histogram[Math.min(bandCount - 1, Math.floor(tenths / 10 / bandPoints))]!.count += count;
  }
  const [p25, p50, p75] = quantilesOf(scores, [0.25, 0.5, 0.75]).map((tenths) => tenths / 10) as [number, number, number];
  const mean = sessions === 0 ? 0 : rounded(tenthsSum / 10 / sessions);
  return { score: { mean, p25, p50, p75, histogram }, levels };
}

export function describeSummary({ sessions, scores, signals }: SessionSummary): TrafficSummary {
  const describeSignal = (name: SignalName) => {
    const { present, sum, counts } = signals[name];
    return { present, mean: present === 0 ? 0 : rounded(sum / present), p50: quantilesOf(counts, [0.5])[0]! };
  };
  return {
    sessions,
    ...describeScores(scores, sessions),
    signals: Object.fromEntries(signalNames.map((name) => [name, describeSignal(name)])) as TrafficSummary["signals"],
  };
}
