import { accountId, nowMs, span, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./clicks.table.ts";

const offerId = "ad_sample";

export const samples = {
  insertClicks: [
    [
      {
        offer_id: offerId,
        account_id: accountId,
        campaign_id: "camp_sample",
        creative_id: "crea_sample",
        placement: "feed",
        category: "gaming",
        trust_band: "high",
        at: nowMs,
        price_micro: 250_000,
        developer_micro: 170_000,
        share_bps: 6_800,
        ledger_seq: 1,
        status: "pending",
        settled_at: null,
        reversal_seq: null,
        reason: null,
      },
    ],
  ],
  selectAccountsOfDueClicks: [{ untilMs: nowMs, afterId: "", limit: 500 }],
  confirmClicks: [{ untilMs: nowMs, nowMs, limit: 500, exceptOf: ["acct_held"] }],
  selectAccountsOfClicks: [[offerId]],
  lockClicks: [[offerId]],
  markReversed: [{ offerId, reversalSeq: 7, reason: "reason", nowMs }],
  selectPaidClicks: [["ad_sample"]],
  setClickOrigin: [{ offerId, order: 3, described: 1 }],
  selectOldestPending: [],
  selectClickTimes: [{ ...span, limit: 200 }],
  selectPendingClicks: [{ accountId, limit: 500 }],
} satisfies SamplesOf<typeof table>;
