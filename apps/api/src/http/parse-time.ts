import { Failure } from "./failure.ts";

/** ISO 8601 only: what else Date takes differs between engines. */
const isoPattern = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** Date takes the 30th of February for the 2nd of March. */
function isCalendarDay(day: string): boolean {
  const atMs = Date.parse(day);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(day);
}

/** An ISO 8601 date or time, UTC unless it says otherwise; `name` is the field's. */
export function parseTime(text: string, name: string): number {
  const zoned = /T/.test(text) && !/(Z|[+-]\d{2}:\d{2})$/.test(text) ? `${text}Z` : text;
  const atMs = isoPattern.test(text) && isCalendarDay(text.slice(0, 10)) ? Date.parse(zoned) : Number.NaN;
  if (Number.isNaN(atMs)) throw new Failure("invalid_request", `${name} must be an ISO 8601 date or time`);
  return atMs;
}
