/** How all pages format numbers, money and times. */

const integer = new Intl.NumberFormat("en-US");
const fourDecimalUsd = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", minimumFractionDigits: 2, maximumFractionDigits: 4 });
const centUsd = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
/** Six decimals, because amounts are whole micro-dollars. */
const exactUsd = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", minimumFractionDigits: 2, maximumFractionDigits: 6 });
const threeDigits = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });
const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });
const scientific = new Intl.NumberFormat("en-US", { notation: "scientific", maximumSignificantDigits: 3 });
const percent = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 });

export const formatCount = (count: number): string => integer.format(count);
/** "1 entry", "2 entries". */
export const formatCountOf = (count: number, one: string, more: string): string => `${integer.format(count)} ${count === 1 ? one : more}`;
/** For overviews: fractions of a cent only below one dollar. */
export const formatUsd = (amount: number): string => (Math.abs(amount) >= 1 ? centUsd : fourDecimalUsd).format(amount);
/** For comparison with the ledger: not rounded. */
export const formatExactUsd = (amount: number): string => exactUsd.format(amount);
export const formatMicroUsd = (amount: number): string => exactUsd.format(amount / 1_000_000);
export const formatPercent = (share: number): string => percent.format(share);
/** The share of a part in a whole; a dash where there is nothing to have a share in. */
export const formatShareOf = (part: number, whole: number): string => (whole === 0 ? "–" : percent.format(part / whole));

/** What a check measured, which may be very large or very small: 1,230, 4.5M, 4.5E21. */
export function formatStatistic(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e15 || (size > 0 && size < 0.001)) return scientific.format(value);
  return (size >= 1e6 ? compact : threeDigits).format(value);
}

/** The change in percent, or undefined if the earlier value is zero. */
export function formatChange(now: number, before: number): { text: string; direction: "up" | "down" | "same" } | undefined {
  if (before === 0) return undefined;
  const share = (now - before) / before;
  if (Math.abs(share) < 0.0005) return { text: "0%", direction: "same" };
  return { text: `${share > 0 ? "+" : "−"}${percent.format(Math.abs(share))}`, direction: share > 0 ? "up" : "down" };
}

const clock = { hour: "2-digit", minute: "2-digit", second: "2-digit" } as const;
const thisYearTime = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", ...clock });
const localTime = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric", ...clock });
const localDay = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const utcTime = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });
const utcDay = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const utcHour = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZone: "UTC" });
const utcMonth = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** Includes the year only if it is not the current one. */
export const formatLocalTime = (at: string, nowMs: number): string => {
  const time = new Date(at);
  return (time.getFullYear() === new Date(nowMs).getFullYear() ? thisYearTime : localTime).format(time);
};
export const formatLocalDay = (at: string): string => localDay.format(new Date(at));
export const formatUtcTime = (at: string): string => `${utcTime.format(new Date(at))} UTC`;
/** The ledger's days and months are UTC. */
export const formatUtcDay = (at: string): string => utcDay.format(new Date(at));
export const formatUtcHour = (at: string): string => utcHour.format(new Date(at));
/** `2026-01` → January 2026. */
export const formatMonth = (month: string): string => utcMonth.format(new Date(`${month}-01T00:00:00Z`));

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

/** "3 hours ago", "in 2 days". */
export function formatRelative(at: string, nowMs: number): string {
  const distanceMs = Date.parse(at) - nowMs;
  for (const [unit, unitMs] of units) {
    if (Math.abs(distanceMs) >= unitMs) return relative.format(Math.trunc(distanceMs / unitMs), unit);
  }
  return "just now";
}
