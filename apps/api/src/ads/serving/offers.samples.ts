import { nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./offers.table.ts";

export const samples = {
  selectLanding: ["ad_sample"],
  selectOffers: [["ad_sample"]],
  lockOffers: [["ad_sample"]],
  selectAwaiting: [{ clickedBeforeMs: nowMs, limit: 250 }],
  deleteOffersBefore: [{ id: "ad_sample", limit: 1_000 }],
  deleteSessionOffersBefore: [{ id: "sess_sample", limit: 1_000 }],
  noteFirstClicks: [{ offerIds: ["ad_sample"], clickedMs: nowMs, verdict: "paid" }],
  settleAwaiting: [{ offerIds: ["ad_sample"], verdict: "paid" }],
  noteImpressions: [{ offerIds: ["ad_sample"], impressedMs: nowMs }],
  selectCategoryOfOffer: ["ad_sample"],
} satisfies SamplesOf<typeof table>;
