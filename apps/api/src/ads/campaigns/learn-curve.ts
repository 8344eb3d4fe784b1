import { evenCurve, learnTrafficCurve, type TrafficCurve } from "../auction/traffic-curve.ts";
import type { Store } from "../../store/store.ts";
import { countNoFillsByHour, countOffersByHour } from "../reports/ad-hours.table.ts";
import { msPerHour } from "../../formats/time.ts";

/** Whole weeks, so that weekdays and weekends have their usual parts. */
const hoursLearntFrom = 7 * 24;
/** Read at a time: a start on a long history must not keep the store's readers from everyone else. */
const hoursPerRead = 24;
/** An hour is read when its last offers are surely written. */
const hourSettlesMs = 120_000;

/** How requests spread over the day, learnt from the last week's whole hours and brought up to date as hours pass. */
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
    /** Reads some of the hours that are over and not known yet. */
    async readOn(nowMs: number): Promise<"moved" | "unmoved"> {
      const endMs = Math.floor((nowMs - hourSettlesMs) / msPerHour) * msPerHour;
      const oldestMs = endMs - hoursLearntFrom * msPerHour;
      const fromMs = Math.max(nextHour ?? oldestMs, oldestMs);
      if (fromMs >= endMs) return "unmoved";
      const span = { fromMs, toMs: Math.min(endMs, fromMs + hoursPerRead * msPerHour) };
      const counts = await Promise.all([countOffersByHour(store.db, span).execute(), countNoFillsByHour(store.db, span).execute()]);
      for (const { hour, requests } of counts.flat()) requestsByHour.set(hour, (requestsByHour.get(hour) ?? 0) + requests);
      for (const hour of requestsByHour.keys()) if (hour < oldestMs) requestsByHour.delete(hour);
      nextHour = span.toMs;
      if (requestsByHour.size === 0) return "unmoved";
      curve = learn();
      return "moved";
    },
  };
}
