/** Sample arguments for the tables of settlement, payouts, jobs and the operator's console. */
import type * as jobs from "../../apps/api/src/operations/jobs.table.ts";
import type * as operator from "../../apps/api/src/operator/operator.table.ts";
import type * as payouts from "../../apps/api/src/payouts/payouts.table.ts";
import type * as settlement from "../../apps/api/src/settlement/settlement.table.ts";
import type * as statementMails from "../../apps/api/src/statements/statement-mails.table.ts";
import type * as audit from "../../apps/api/src/store/audit.table.ts";
import type * as migrate from "../../apps/api/src/store/migrate.table.ts";
import { accountId, nowMs, type Samples, type SamplesOf, span } from "./samples-of.ts";

const offerId = "ad_sample";
const campaignId = "camp_sample";
const payoutId = "po_sample";

const click = {
  account_id: accountId,
  campaign_id: campaignId,
  creative_id: "crea_sample",
  placement: "feed",
  trust_band: "high",
  at: nowMs,
  price_micro: 250_000,
  developer_micro: 170_000,
} as const;

export const moneySamples: Samples = {
  "operations/jobs.table.ts": {
    introduceJob: [{ name: "settle_clicks", nowMs }],
    claimJob: [{ name: "settle_clicks", lease: "lease", holder: "node:1", nowMs, untilMs: nowMs, latestRunMs: nowMs, latestLeaseMs: nowMs }],
    renewJob: [{ name: "settle_clicks", lease: "lease", untilMs: nowMs }],
    finishJob: [{ name: "settle_clicks", lease: "lease", startedMs: nowMs, endedMs: nowMs, durationMs: 5, nextMs: nowMs, result: "done", failures: 0 }],
    selectJobs: [],
  } satisfies SamplesOf<typeof jobs>,
  "operator/operator.table.ts": {
    selectOperatedAccounts: [{ search: "ada", afterId: "", limit: 100, isAskingForTier: true }],
    selectEmails: [[accountId]],
    selectCampaignNames: [[campaignId]],
    selectNewestEntries: [{ accountId, limit: 100 }],
    selectTierRequest: ["treq_sample"],
    decideTierRequest: [{ requestId: "treq_sample", state: "applied", nowMs }],
    countMailsByState: [],
    selectTrackingKeys: [],
  } satisfies SamplesOf<typeof operator>,
  "payouts/payouts.table.ts": {
    selectPayoutCandidates: [{ afterId: "", limit: 500, monthEndMs: nowMs }],
    insertPayout: [
      {
        id: payoutId,
        account_id: accountId,
        month: "2026-01",
        amount_micro: 50_000_000,
        status: "proposed",
        proposed_at: nowMs,
        approved_at: null,
        exported_at: null,
        paid_at: null,
        returned_at: null,
        note: null,
        payout_seq: null,
        returned_seq: null,
      },
    ],
    selectPayouts: [{ status: "proposed", accountId, limit: 500 }],
    selectPayoutById: [payoutId],
    lockPayout: [payoutId],
    movePayout: [{ payoutId, from: "exported", to: "paid", set: { paid_at: nowMs, payout_seq: 7 } }],
    selectPayoutsWithPayees: [{ status: "approved", limit: 500 }],
    sumMovements: [span],
    sumFunding: [],
    sumCalls: [span],
    sumPayoutsByStatus: [],
    sumPendingClicks: [],
  } satisfies SamplesOf<typeof payouts>,
  "settlement/settlement.table.ts": {
    confirmClicks: [{ untilMs: nowMs, nowMs, limit: 500 }],
    selectAccountsOfClicks: [[offerId]],
    lockClicks: [[offerId]],
    selectCategoryOfOffer: [offerId],
    markReversed: [{ offerId, reversalSeq: 7, reason: "reason", nowMs }],
    giveBackToCampaign: [{ campaignId, microUsd: 250_000 }],
    giveBackToDay: [{ campaignId, atMs: nowMs, microUsd: 250_000 }],
    takeFromHour: [click],
    unlearnClick: [{ creativeId: "crea_sample", placement: "feed", category: "gaming" }],
    countByPlacement: [span],
    selectClickTimes: [{ ...span, limit: 200 }],
    openFinding: [
      { id: "find_sample", account_id: accountId, code: "clicks_too_regular", detail: "", opened_at: nowMs, closed_at: null, resolution: null },
    ],
    closeFinding: [{ findingId: "find_sample", resolution: "cleared", nowMs }],
    selectFindings: [{ accountId, limit: 500 }],
    selectPendingClicks: [{ accountId, limit: 500 }],
  } satisfies SamplesOf<typeof settlement>,
  "statements/statement-mails.table.ts": {
    selectUntold: [{ month: "2026-01", fromMs: nowMs, toMs: nowMs, afterId: "", limit: 200 }],
    insertStatementMail: [{ account_id: accountId, month: "2026-01", queued_at: nowMs }],
  } satisfies SamplesOf<typeof statementMails>,
  "store/audit.table.ts": {
    noteAction: [{ actorAccountId: accountId, action: "campaign.pause", subject: campaignId, detail: {}, nowMs }],
    selectActions: [{ beforeId: "act_sample", limit: 100 }],
  } satisfies SamplesOf<typeof audit>,
  "store/migrate.table.ts": { listAppliedMigrations: [] } satisfies SamplesOf<typeof migrate>,
};
