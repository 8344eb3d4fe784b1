/** ISO 8601 only: what else Date accepts differs between engines. */
const isoPattern = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** Date reads 30 February as 2 March. */
function isCalendarDay(day: string): boolean {
  const atMs = Date.parse(day);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(day);
}

/** Milliseconds since 1970 of an ISO 8601 date or time, in UTC unless it names an offset; NaN for any other text. */
export function parseIsoTime(text: string): number {
  const zoned = /T/.test(text) && !/(Z|[+-]\d{2}:\d{2})$/.test(text) ? `${text}Z` : text;
  return isoPattern.test(text) && isCalendarDay(text.slice(0, 10)) ? Date.parse(zoned) : Number.NaN;
}
