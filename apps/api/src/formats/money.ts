/** Money is integer micro-USD internally; USD appears at the edge only. */
const microPerUsd = 1_000_000;

/** USD as a number: the double nearest to the exact decimal. */
export const usdOf = (microUsd: number): number => microUsd / microPerUsd;

/** With all six decimals, for programs and files. */
export const usdText = (usd: number): string => usd.toFixed(6);

/** Undefined for an amount with more than six decimals. */
export function microUsdOf(usd: number): number | undefined {
  const microUsd = Math.round(usd * microPerUsd);
  return microUsd / microPerUsd === usd ? microUsd : undefined;
}

/** Parses an amount that a person typed, such as `250` or `0.5`, to micro-USD. Undefined for any other text. */
export function parseUsd(text: string): number | undefined {
  const match = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text);
  return match ? Number(match[1]) * microPerUsd + Number((match[2] ?? "").padEnd(6, "0")) : undefined;
}
