import { isReached, measures, type Ratio, ratioOf, type Target } from "./judge.ts";
import type { Load } from "./measure-load.ts";
import type { Sample } from "./measure-rounds.ts";
import { median } from "./median.ts";
import type { BenchChild } from "./start-child.ts";
import { offeredShare, type Targets } from "./targets.ts";

const nameWidth = 32;
const ratioWidth = 38;

const countFailed = (samples: readonly Load[]): number => samples.reduce((sum, { errors }) => sum + errors, 0);
const middleOf = <Key extends string>(key: Key, samples: readonly Record<Key, number>[]): number => median(samples.map((sample) => sample[key]));

/** Median, lowest and highest, then the target and whether it is reached. */
function showRatio(ratio: Ratio, target: Target | undefined): string {
  const range = `${ratio.middle.toFixed(2)} (${ratio.lowest.toFixed(2)}–${ratio.highest.toFixed(2)})`;
  if (target === undefined) return range;
  const limit = "atLeast" in target ? `≥ ${target.atLeast.toFixed(2)}` : `≤ ${target.atMost.toFixed(2)}`;
  return `${range} ${limit} ${isReached(ratio, target) ? "reached" : "missed"}`;
}

/** What was measured of each contender. */
export function printFigures(rows: readonly { name: string; samples: readonly Sample[]; child: BenchChild }[]): void {
  console.log(`${" ".repeat(nameWidth)}    calls/s    p50 ms   p99 ms   main thread µs   all threads µs   database µs   failed   RSS MiB`);
  for (const { name, samples, child } of rows) {
    const cells = [
      name.padEnd(nameWidth),
      middleOf("perSecond", samples).toFixed(0).padStart(10),
      middleOf("p50Ms", samples).toFixed(1).padStart(9),
      middleOf("p99Ms", samples).toFixed(1).padStart(8),
      middleOf("mainUs", samples).toFixed(0).padStart(16),
      middleOf("allUs", samples).toFixed(0).padStart(16),
      middleOf("databaseUs", samples).toFixed(0).padStart(13),
      String(countFailed(samples)).padStart(8),
      child.residentMiB().toFixed(0).padStart(9),
    ];
    console.log(cells.join(" "));
  }
}

/** The same divided by what the bare echo did in the same round. */
export function printRatios(rows: readonly { name: string; samples: readonly Sample[]; targets?: Targets }[], base: readonly Sample[]): void {
  console.log("\nDivided by the bare echo's of the same round: median (lowest–highest), target");
  console.log(`${" ".repeat(nameWidth)} ${measures.map(({ name }) => name.padEnd(ratioWidth)).join(" ").trimEnd()}`);
  for (const { name, samples, targets } of rows) {
    const cells = measures.map(({ key }) => showRatio(ratioOf(key, samples, base), targets?.[key]).padEnd(ratioWidth));
    console.log(`${name.padEnd(nameWidth)} ${cells.join(" ").trimEnd()}`);
  }
}

type PacedRow = {
  name: string;
  perSecond: number;
  samples: readonly Load[];
  base: readonly Load[];
  /** Of the echo whose answers wait for a flush to disk. */
  flushed: readonly Load[];
  target: Target | undefined;
};

/** Latency while all get the same number of calls per second. */
export function printLatencies(rows: readonly PacedRow[]): void {
  console.log(`\nLatency at the same offered load: ${(offeredShare * 100).toFixed(0)} % of the row's calls/s, for it, the bare echo, and an echo that waits for a flush to disk; counted from when a call was due`);
  console.log(`${" ".repeat(nameWidth)} offered calls/s    p50 ms   p99 ms   bare p50   bare p99   flush p50   flush p99   failed   ${"p99 ÷ bare".padEnd(ratioWidth)} p99 ÷ flushing echo`);
  for (const { name, perSecond, samples, base, flushed, target } of rows) {
    const cells = [
      name.padEnd(nameWidth),
      perSecond.toFixed(0).padStart(15),
      middleOf("p50Ms", samples).toFixed(2).padStart(9),
      middleOf("p99Ms", samples).toFixed(2).padStart(8),
      middleOf("p50Ms", base).toFixed(2).padStart(10),
      middleOf("p99Ms", base).toFixed(2).padStart(10),
      middleOf("p50Ms", flushed).toFixed(2).padStart(11),
      middleOf("p99Ms", flushed).toFixed(2).padStart(11),
      String(countFailed([...samples, ...base, ...flushed])).padStart(8),
      `  ${showRatio(ratioOf("p99Ms", samples, base), target).padEnd(ratioWidth)}`,
      showRatio(ratioOf("p99Ms", samples, flushed), undefined),
    ];
    console.log(cells.join(" "));
  }
}
