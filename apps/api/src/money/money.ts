/** One billable call, in micro-USD. */
export const callPriceMicroUsd = 50_000;

const bpsPerWhole = 10_000;

/** The developer's part, rounded down; what is left over belongs to the platform. */
export function splitGross(gross: { microUsd: number; shareBps: number }): {
  developerMicroUsd: number;
  platformMicroUsd: number;
} {
  const developerMicroUsd = Math.floor((gross.microUsd * gross.shareBps) / bpsPerWhole);
  return { developerMicroUsd, platformMicroUsd: gross.microUsd - developerMicroUsd };
}

/** USD as a number, for the edge only: the double nearest to the exact decimal. */
export function usdOf(microUsd: number): number {
  return microUsd / 1_000_000;
}
