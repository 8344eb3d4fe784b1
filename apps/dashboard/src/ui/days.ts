/** Days are `YYYY-MM-DD`, in UTC. */
import { formatUtcDay } from "./format.ts";

const dayMs = 86_400_000;
const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

export const dayAfter = (day: string, count = 1): string => new Date(startOf(day) + count * dayMs).toISOString().slice(0, 10);

const nameOf = (day: string): string => formatUtcDay(`${day}T00:00:00Z`);

/** "2 Nov to 4 Nov, 9 Nov": neighbouring days as one span. */
export function formatDays(days: readonly string[]): string {
  const spans: { first: string; last: string }[] = [];
  for (const day of [...new Set(days)].toSorted()) {
    const span = spans.at(-1);
    if (span && dayAfter(span.last) === day) span.last = day;
    else spans.push({ first: day, last: day });
  }
  return spans.map(({ first, last }) => (first === last ? nameOf(first) : `${nameOf(first)} to ${nameOf(last)}`)).join(", ");
}

/**
 * One place per calendar day up to the newest one, oldest first, so that days without calls are seen as gaps: at least
 * `countMin` places and at most `countMax`.
 */
export function fillDays<Item extends { day: string }>(items: readonly Item[], { countMin, countMax }: { countMin: number; countMax: number }): { day: string; item: Item | undefined }[] {
  const byDay = new Map(items.map((item) => [item.day, item]));
  const days = [...byDay.keys()].toSorted();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const count = Math.min(countMax, Math.max(countMin, (startOf(last) - startOf(first)) / dayMs + 1));
  return Array.from({ length: count }, (_, index) => {
    const day = dayAfter(last, index - count + 1);
    return { day, item: byDay.get(day) };
  });
}
