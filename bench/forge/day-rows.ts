import type { SignalName } from "@assay/scoring/signals.ts";
import { encodeBase62, lowestIdAt } from "../../apps/api/src/ids/time-ordered-id.ts";
import type { Draws } from "../../apps/api/test/scoring/draw-sessions.ts";
import { msPerDay, msPerHour } from "../../apps/api/src/formats/time.ts";
import type { Rhythm } from "./honest-accounts.ts";
import type { Visit } from "./visit.ts";

/** A call as the store keeps it. */
export type DayRow = Record<SignalName, number | null> & { id: string; at: number };

const hoursOf: Record<Rhythm, { from: number; to: number }> = { daytime: { from: 6, to: 23 }, night: { from: 0, to: 5 }, batch: { from: 3, to: 3.2 } };

const idRandomLength = 11;
const idCountLength = 3;
const base62Values = 62 ** 5;

const randomText = (draws: Draws): string => encodeBase62(Math.floor(draws.next() * base62Values), 5) + encodeBase62(Math.floor(draws.next() * base62Values), idRandomLength - 5);

/** Gives the calls of a day their times, which keep their order, and ids like those of the service, the same in every run. */
export function toDayRows(visits: readonly Visit[], { dayMs, rhythm, draws }: { dayMs: number; rhythm: Rhythm; draws: Draws }): DayRow[] {
  const { from, to } = hoursOf[rhythm];
  const times = Float64Array.from({ length: visits.length }, () => Math.floor(dayMs + (from + (to - from) * draws.next()) * msPerHour)).toSorted();
  return visits.map((visit, index) => {
    const at = Math.min(times[index]!, dayMs + msPerDay - 1);
    return { id: `${lowestIdAt("sess", at)}${encodeBase62(index % 62 ** idCountLength, idCountLength)}${randomText(draws)}`, at, ...visit };
  });
}
