import type { StatusReply } from "@assay/contract/operations.ts";
import { usdOf } from "../formats/money.ts";
import type { TierRow } from "../store/schema.ts";

export const callPriceMicroUsd = 50_000;

const bpsPerWhole = 10_000;
const minutesPerHour = 60;

/** The developer's share is rounded down; the platform gets the rest. */
export function splitGross(gross: { microUsd: number; shareBps: number }): { developerMicroUsd: number; platformMicroUsd: number } {
  const developerMicroUsd = Math.floor((gross.microUsd * gross.shareBps) / bpsPerWhole);
  return { developerMicroUsd, platformMicroUsd: gross.microUsd - developerMicroUsd };
}

/** What a live call at this rate earns the developer. */
export function developerMicroUsdOf(shareBps: number): number {
  return splitGross({ microUsd: callPriceMicroUsd, shareBps }).developerMicroUsd;
}

export function describeTier(tier: TierRow): StatusReply["tiers"][number] {
  return {
    name: tier.name,
    per_hour: tier.per_hour,
    per_minute: tier.per_minute,
    per_hour_reachable: Math.min(tier.per_hour, tier.per_minute * minutesPerHour),
    share_percent: tier.share_bps / 100,
    earns_usd_per_call: usdOf(developerMicroUsdOf(tier.share_bps)),
  };
}
