let lastSecond = -1;
let lastText = "";

/** ISO 8601 in UTC with milliseconds. Calls come many to a second, so only its last digits are made anew. */
export function isoTime(atMs: number): string {
  const second = Math.floor(atMs / 1_000);
  if (second !== lastSecond) {
    lastSecond = second;
    lastText = new Date(second * 1_000).toISOString().slice(0, -4);
  }
  const ms = atMs - second * 1_000;
  return `${lastText}${ms < 10 ? "00" : ms < 100 ? "0" : ""}${ms}Z`;
}
