import type { GrowthLimits } from "../../src/money/growth/read-growth.ts";

/** As an installation has them that sets nothing. */
export const growthLimits: GrowthLimits = { unreviewedMonthlyMicroUsd: 350_000_000, unreviewedTotalMonthlyMicroUsd: undefined };
