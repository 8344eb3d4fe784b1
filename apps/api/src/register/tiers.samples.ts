import type { SamplesOf } from "../store/sql-samples.ts";
import type * as table from "./tiers.table.ts";

export const samples = {
  selectTiers: [],
  selectTierByName: ["Starter"],
  upsertTier: [{ name: "Starter", per_hour: 1_000, per_minute: 50, share_bps: 6_800 }],
} satisfies SamplesOf<typeof table>;
