/** The time ranges that pages offer, each ending now. */

const dayMs = 86_400_000;
const hourMs = 3_600_000;

export const timeRanges = [
  { value: "1", label: "24 hours" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
] as const;

export type RangeDays = (typeof timeRanges)[number]["value"];

export const parseRange = (text: string | undefined, fallback: RangeDays): RangeDays => timeRanges.find(({ value }) => value === text)?.value ?? fallback;

/**
 * The start of a range: a full hour for 24 hours, otherwise a UTC day, with today as the last day. It changes only once
 * per hour or day, so that repeated queries hit the same cache entry.
 */
export function rangeStart(days: RangeDays, nowMs: number): string {
  const startMs = days === "1" ? Math.floor(nowMs / hourMs) * hourMs - 23 * hourMs : Math.floor(nowMs / dayMs) * dayMs - (Number(days) - 1) * dayMs;
  return new Date(startMs).toISOString();
}
