import type { SamplesOf } from "../store/sql-samples.ts";
import type * as table from "./tiers.table.ts";

const starter = { name: "Starter", per_hour: 1_000, per_minute: 50, share_bps: 6_800 };

export const samples = {
  selectTiers: [],
  selectTierByName: ["Starter"],
  insertTier: [starter],
  changeTierLimits: [starter],
} satisfies SamplesOf<typeof table>;
