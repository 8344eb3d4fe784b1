import { isoTime, msPerDay } from "../formats/time.ts";

/** A month's earnings are payable from the 15th after its end. */
const daysUntilPayable = 14;

export const payableFromMs = (monthEndMs: number): number => monthEndMs + daysUntilPayable * msPerDay;

export type Month = { name: string; endMs: number };

/** The latest month whose earnings are payable at `nowMs`. */
export function lastPayableMonth(nowMs: number): Month {
  const at = new Date(nowMs - daysUntilPayable * msPerDay);
  const endMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth());
  return { name: isoTime(endMs - 1).slice(0, "YYYY-MM".length), endMs };
}

/** When the next month's earnings become payable. */
export function nextPayableMs(nowMs: number): number {
  const { endMs } = lastPayableMonth(nowMs);
  const end = new Date(endMs);
  return payableFromMs(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1));
}
