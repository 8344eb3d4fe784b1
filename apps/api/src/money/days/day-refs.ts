import { isoTime } from "../../formats/time.ts";

export const dayText = (day: number): string => isoTime(day).slice(0, "YYYY-MM-DD".length);

/** The reference of the reversal of all that is left of a day. */
export const wholeDayRef = (day: number): string => `day:${dayText(day)}`;

/** The reference of a day's `n`th reversal, of a part of it. */
export const partOfDayRef = (day: number, n: number): string => `day:${dayText(day)}#${n}`;

/** The day that a text YYYY-MM-DD names; undefined if it names none. */
export function parseDay(text: string): number | undefined {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(day) || dayText(day) !== text ? undefined : day;
}
