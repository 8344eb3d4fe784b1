/** The spans of time that pages offer, ending now. */

const dayMs = 86_400_000;
const hourMs = 3_600_000;

export const spans = [
  { value: "1", label: "24 hours" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
] as const;

export type SpanDays = (typeof spans)[number]["value"];

export const spanOf = (text: string | undefined, usual: SpanDays): SpanDays => spans.find(({ value }) => value === text)?.value ?? usual;

/**
 * Where a span begins: at a full hour for a single day, else at a day (UTC), today being the last one. It moves only
 * once an hour or a day, so that asking again asks for the same.
 */
export function startOfSpan(days: SpanDays, nowMs: number): string {
  const startMs = days === "1" ? Math.floor(nowMs / hourMs) * hourMs - 23 * hourMs : Math.floor(nowMs / dayMs) * dayMs - (Number(days) - 1) * dayMs;
  return new Date(startMs).toISOString();
}
