import { median } from "./median.ts";

/** What is compared. `isBetter` says in which direction. */
export const measures = [
  { key: "perSecond", name: "calls/s", isBetter: "higher" },
  { key: "mainUs", name: "main thread µs", isBetter: "lower" },
  { key: "allUs", name: "all threads µs", isBetter: "lower" },
] as const;

export type MeasureKey = (typeof measures)[number]["key"];
type Figures = Record<MeasureKey, number>;

/** Differences up to this share are never called slower. */
const tolerance = 0.03;

/** Median, lowest and highest of the ratios of all rounds: a round's figure is divided by the base's of the same round. */
export type Ratio = { middle: number; lowest: number; highest: number };

export function ratioOf<Key extends string>(key: Key, samples: readonly Record<Key, number>[], base: readonly Record<Key, number>[]): Ratio {
  const ratios = samples.map((sample, round) => sample[key] / base[round]![key]);
  return { middle: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) };
}

/** The measures by which the new tree is slower: its median lies beyond the tolerance and beyond what the same code differed from itself. */
export function findSlower({ before, after, again }: Record<"before" | "after" | "again", readonly Figures[]>): string[] {
  return measures
    .filter(({ key, isBetter }) => {
      const { middle } = ratioOf(key, after, before);
      const same = ratioOf(key, again, before);
      return isBetter === "higher" ? !(middle >= Math.min(same.lowest, 1 - tolerance)) : !(middle <= Math.max(same.highest, 1 + tolerance));
    })
    .map(({ name }) => name);
}

/** What a ratio to the bare echo must be at least, or at most. */
export type Target = { atLeast: number } | { atMost: number };

export const isReached = ({ middle }: Ratio, target: Target): boolean => ("atLeast" in target ? middle >= target.atLeast : middle <= target.atMost);
