/* Amounts as people read them. Intl is left out: its output differs between engines, and messages must not. */

const grouped = (digits: string) => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");

/** An integer with thousands separated: 1,605. */
export const writeInteger = (amount: number) => grouped(Math.min(amount, Number.MAX_SAFE_INTEGER).toFixed(0));

/** `3 pages`, `1 page`; for zero "no page". */
export const writeCount = (amount: number, noun: string) =>
  amount === 0 ? `no ${noun}` : amount === 1 ? `1 ${noun}` : `${writeInteger(amount)} ${noun}s`;

const plural = (amount: number, unit: string) => (amount === 1 ? `1 ${unit}` : `${writeInteger(amount)} ${unit}s`);

/** The two largest units that are not zero: `3 minutes 20 seconds`, `2 hours`. */
function writeUnits(seconds: number): string {
  // From an hour on seconds, and from two days on minutes, are noise.
  const [unit, size, below, belowSize] =
    seconds < 3_600 ? (["minute", 60, "second", 1] as const) : seconds < 172_800 ? (["hour", 3_600, "minute", 60] as const) : (["day", 86_400, "hour", 3_600] as const);
  const rounded = Math.round(seconds / belowSize) * belowSize;
  // Rounding can fill the larger unit: 59 minutes 59.9 seconds is an hour.
  if (unit === "minute" && rounded >= 3_600) return "1 hour";
  const whole = Math.floor(rounded / size);
  const rest = Math.round((rounded - whole * size) / belowSize);
  return rest === 0 ? plural(whole, unit) : `${plural(whole, unit)} ${plural(rest, below)}`;
}

export function writeDuration(seconds: number): string {
  if (seconds > 0 && seconds < 0.05) return "under 0.1 seconds";
  const tenths = Math.round(seconds * 10) / 10;
  if (tenths < 10 && !Number.isInteger(tenths)) return `${tenths.toFixed(1)} seconds`;
  if (Math.round(seconds) < 60) return plural(Math.round(seconds), "second");
  return writeUnits(Math.min(seconds, Number.MAX_SAFE_INTEGER));
}

/** Two decimals that never claim more than is so: only 0 reads 0, and only 1 reads 1. */
export function writeFraction(share: number): string {
  if (share > 0 && share < 0.01) return "under 0.01";
  if (share > 0.99 && share < 1) return "over 0.99";
  return String(Math.round(share * 100) / 100);
}

export function writePercent(share: number): string {
  if (share > 0 && share < 0.01) return "under 1%";
  if (share > 0.99 && share < 1) return "over 99%";
  return `${Math.round(share * 100)}%`;
}

/** `+8.4` or `−3.2`. */
export const writePoints = (points: number) => `${points < 0 ? "−" : "+"}${Math.abs(points).toFixed(1)}`;

/** How often something happens: `45 per second`, `3.3 per second`, `30 per minute`; undefined below a second. */
export function writeRate(amount: number, seconds: number): string | undefined {
  if (!(seconds >= 1)) return undefined;
  const perSecond = amount / seconds;
  const [rate, unit] = perSecond >= 1 ? [perSecond, "second"] : [perSecond * 60, "minute"];
  return `${writeQuotient(rate)} per ${unit}`;
}

/** One decimal below ten, integers above. */
export const writeQuotient = (quotient: number) => {
  const tenths = Math.round(quotient * 10) / 10;
  return tenths < 10 ? String(tenths) : writeInteger(Math.round(quotient));
};
