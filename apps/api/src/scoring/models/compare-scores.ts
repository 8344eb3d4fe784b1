import type { ModelComparison } from "@assay/contract/dashboard/models.ts";
import { trustLevelOf } from "@assay/scoring/trust-level.ts";
import { isoTime, startOfDay } from "../../formats/time.ts";

const quantiles = { p5: 0.05, p25: 0.25, p50: 0.5, p75: 0.75, p95: 0.95 };

/** What two scores of the same sessions have in common. */
export type Compared = Omit<ModelComparison, "from" | "to" | "before" | "other" | "is_sample">;

export type ScorePair = { atMs: number; before: number; other: number };

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
const noLevels = () => ({ high: 0, medium: 0, low: 0 });
const emptyDay = () => ({ sessions: 0, before: 0, other: 0 });

/** Scores have one decimal, so a count per tenth of a point is all that quantiles need: memory does not grow with the sessions. */
export function createScoreComparison() {
  const levels = { high: noLevels(), medium: noLevels(), low: noLevels() };
  const differences = new Map<number, number>();
  const days = new Map<number, ReturnType<typeof emptyDay>>();
  let sessions = 0;
  let same = 0;
  let tenths = 0;

  /** The smallest difference that so large a share of all do not exceed. */
  function quantilesOf(): Record<keyof typeof quantiles, number> {
    const sorted = [...differences].toSorted(([left], [right]) => left - right);
    const find = (share: number): number => {
      let seen = 0;
      return sorted.find(([, count]) => (seen += count) >= share * sessions)![0] / 10;
    };
    return { p5: find(quantiles.p5), p25: find(quantiles.p25), p50: find(quantiles.p50), p75: find(quantiles.p75), p95: find(quantiles.p95) };
  }

  return {
    add({ atMs, before, other }: ScorePair): void {
      const [from, to] = [trustLevelOf(before), trustLevelOf(other)];
      levels[from][to] += 1;
      if (from === to) same += 1;
      const difference = Math.round(other * 10) - Math.round(before * 10);
      differences.set(difference, (differences.get(difference) ?? 0) + 1);
      tenths += difference;
      sessions += 1;
      const start = startOfDay(atMs);
      let day = days.get(start);
      if (!day) days.set(start, (day = emptyDay()));
      day.sessions += 1;
      day.before += before;
      day.other += other;
    },
    result(): Compared {
      const mean = sessions === 0 ? null : rounded(tenths / 10 / sessions);
      return {
        sessions,
        same_level: sessions === 0 ? null : rounded(same / sessions),
        mean_difference: mean,
        levels,
        difference: mean === null ? null : { mean, ...quantilesOf() },
        days: [...days]
          .toSorted(([left], [right]) => left - right)
          .map(([start, day]) => ({ day: isoTime(start).slice(0, 10), sessions: day.sessions, mean_before: rounded(day.before / day.sessions), mean_other: rounded(day.other / day.sessions) })),
      };
    },
  };
}
