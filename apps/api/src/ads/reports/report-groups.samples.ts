import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./report-groups.table.ts";

const span = { accountId, fromMs: nowMs, toMs: nowMs + 86_400_000 };
const ofCampaign = { campaignId: "camp_sample", fromMs: nowMs, toMs: nowMs + 86_400_000 };

export const samples = {
  sumFiguresByDay: [span],
  sumFiguresByPlacement: [span],
  sumFiguresByFormat: [span],
  sumFiguresByCategory: [span],
  sumIgnoredByDay: [span],
  sumIgnoredByGroup: [{ ...span, dimension: "placement" }],
  sumUnfilledByDay: [span],
  sumUnfilledByGroup: [{ ...span, dimension: "category" }],
  sumConversionsByDay: [span],
  sumConversionsByGroup: [{ ...span, dimension: "format" }],
  sumConversionsByDeveloper: [{ ...ofCampaign, limit: 100 }],
  sumConversionsOfCampaigns: [["camp_sample"]],
  sumConversions: [ofCampaign],
} satisfies SamplesOf<typeof table>;
