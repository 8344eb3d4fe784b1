import { msPerDay, msPerHour } from "../../formats/time.ts";

/** The distribution of a day's requests over its hours, in UTC. */
export type TrafficCurve = {
  /** The cumulative share of a day's requests at each full hour: 25 values from 0 to 1. */
  readonly byHour: Float64Array;
};

const hours = 24;
/** The prior: an even day of this many requests per hour. */
const evenRequestsPerHour = 20;

/** `requests[h]`: requests in hour h of the day, summed over whole past days. */
export function learnTrafficCurve(requests: readonly number[]): TrafficCurve {
  const byHour = new Float64Array(hours + 1);
  for (let hour = 0; hour < hours; hour += 1) {
    byHour[hour + 1] = byHour[hour]! + evenRequestsPerHour + Math.max(0, requests[hour] ?? 0);
  }
  const total = byHour[hours]!;
  for (let hour = 0; hour < hours; hour += 1) byHour[hour] = byHour[hour]! / total;
  byHour[hours] = 1;
  return { byHour };
}

export const evenCurve = learnTrafficCurve([]);

export const dayOf = (timeMs: number): number => Math.floor(timeMs / msPerDay);

/** Days of traffic since 1970: whole days plus the share of today's requests expected by now. */
export function trafficDaysAt(curve: TrafficCurve, timeMs: number): number {
  const day = dayOf(timeMs);
  const hoursIn = (timeMs - day * msPerDay) / msPerHour;
  const hour = Math.min(hours - 1, Math.floor(hoursIn));
  const before = curve.byHour[hour]!;
  return day + before + (curve.byHour[hour + 1]! - before) * (hoursIn - hour);
}
