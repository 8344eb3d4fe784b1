import { msPerHour } from "../../formats/time.ts";
import type { Store } from "../../store/store.ts";
import { evenCurve, learnTrafficCurve, type TrafficCurve } from "../auction/traffic-curve.ts";
import { countNoFillsByHour, countOffersByHour } from "../reports/ad-hours.table.ts";

/** A whole week, so that weekdays and weekends have their usual weight. */
const hoursLearntFrom = 7 * 24;
/** Bounds one read, so that a start on a long history does not occupy the store's readers. */
const hoursPerRead = 24;
/** An hour is read this long after its end, when its last offers are written. */
const hourDelayMs = 120_000;

/** The traffic curve of the last week's whole hours, updated as hours pass. */
export function createCurveLearner(store: Store) {
  let curve = evenCurve;
  const requestsByHour = new Map<number, number>();
  let nextHour: number | undefined;

  function learn(): TrafficCurve {
    const byHourOfDay = Array.from({ length: 24 }, () => 0);
    for (const [hour, requests] of requestsByHour) byHourOfDay[(hour / msPerHour) % 24]! += requests;
    return learnTrafficCurve(byHourOfDay);
  }

  return {
    curve: () => curve,
    /** Reads up to `hoursPerRead` finished hours that were not read before. */
    async readFinishedHours(nowMs: number): Promise<"changed" | "unchanged"> {
      const endMs = Math.floor((nowMs - hourDelayMs) / msPerHour) * msPerHour;
      const oldestMs = endMs - hoursLearntFrom * msPerHour;
      const fromMs = Math.max(nextHour ?? oldestMs, oldestMs);
      if (fromMs >= endMs) return "unchanged";
      const span = { fromMs, toMs: Math.min(endMs, fromMs + hoursPerRead * msPerHour) };
      const counts = await Promise.all([countOffersByHour(store.db, span).execute(), countNoFillsByHour(store.db, span).execute()]);
      for (const { hour, requests } of counts.flat()) requestsByHour.set(hour, (requestsByHour.get(hour) ?? 0) + requests);
      for (const hour of requestsByHour.keys()) if (hour < oldestMs) requestsByHour.delete(hour);
      nextHour = span.toMs;
      if (requestsByHour.size === 0) return "unchanged";
      curve = learn();
      return "changed";
    },
  };
}
