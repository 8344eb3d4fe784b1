const microPerUsd = 1_000_000;

/** Adds up whole micro-dollars, to avoid rounding errors. */
export const sumUsd = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + Math.round(amount * microPerUsd), 0) / microPerUsd;
