import { isoTime, msPerDay } from "../formats/time.ts";

/** A month's earnings are payable from the 15th after its end. */
const daysUntilPayable = 14;

export const payableFromMs = (monthEndMs: number): number => monthEndMs + daysUntilPayable * msPerDay;

/** When the month ends that begins at `endMs`. */
export function monthEndAfter(endMs: number): number {
  const end = new Date(endMs);
  return Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1);
}

export type Month = { name: string; endMs: number };

/** The latest month whose earnings are payable at `nowMs`. */
export function lastPayableMonth(nowMs: number): Month {
  const at = new Date(nowMs - daysUntilPayable * msPerDay);
  const endMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth());
  return { name: isoTime(endMs - 1).slice(0, "YYYY-MM".length), endMs };
}

/** When the next month's earnings become payable. */
export const nextPayableMs = (nowMs: number): number => payableFromMs(monthEndAfter(lastPayableMonth(nowMs).endMs));
