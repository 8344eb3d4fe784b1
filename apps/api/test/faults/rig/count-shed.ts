import assert from "node:assert/strict";

/** Log text of a call that a node shed because it got no processor time for a second. */
export const starved = "the event loop lags";

/** At most one call in a thousand may be shed. A suite that needs more loads the machine too much. */
const shedShareMax = 0.001;
/** What one pause of the machine may take, however few calls a slow machine had time for. */
const shedMax = 8;

/** Request ids of the calls that the nodes logged as shed. */
export function findShedCalls(logs: string): ReadonlySet<string> {
  const ids = logs.split("\n").flatMap((line) => (line.includes(starved) ? (/"requestId":"([^"]+)"/.exec(line)?.[1] ?? []) : []));
  return new Set(ids);
}

/** Prints how many of all calls were answered with an excused 503, and fails if they are too many. */
export function assertFewShed({ shed, calls }: { shed: number; calls: number }, print: (line: string) => void): void {
  const line = `${shed} of ${calls} calls were shed because the event loop lagged`;
  print(line);
  assert.ok(shed <= Math.max(shedMax, calls * shedShareMax), line);
}
