import type { StatusReply } from "@assay/contract/operations.ts";
import type { TierRow } from "../store/schema.ts";
import { developerMicroUsdOf } from "./ledger/charge-batch.ts";
import { usdOf } from "./money.ts";

const minutesPerHour = 60;

/** A tier as its holders see it. */
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
