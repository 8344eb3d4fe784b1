import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./payouts.table.ts";

const payoutId = "po_sample";

export const samples = {
  selectPayoutCandidates: [{ demo: false, afterId: "", limit: 500, monthEndMs: nowMs }],
  selectMoneyOfAccounts: [{ accountIds: [accountId], monthEndMs: nowMs }],
  sumBalances: [{ demo: false }],
  lockFunding: [],
  insertPayouts: [
    [{
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
      proposed_by: accountId,
      payee: "{}",
    }],
  ],
  selectPayouts: [{ status: "proposed", accountId, limit: 500 }],
  selectSettledPayout: [accountId],
  selectPayoutById: [payoutId],
  selectKeptPayees: [accountId],
  lockPayout: [payoutId],
  movePayout: [{ payoutId, from: "exported", to: "paid", set: { paid_at: nowMs, payout_seq: 7 } }],
  selectPayoutsOfExport: [{ exportId: "export_sample", limit: 500 }],
  selectLastExport: [],
  selectPayoutIds: [{ demo: false, status: "approved", limit: 500 }],
  setPayee: [{ payoutId, payee: "{}" }],
  sumPayoutsByStatus: [{ demo: false }],
  sumUnreviewed: [{ month: "2026-01", pool: { demo: false } }],
  selectCancellablePayouts: [accountId],
  cancelOpenPayouts: [{ accountId, note: "The payee was changed.", nowMs }],
  erasePayeesOfPayouts: [accountId],
} satisfies SamplesOf<typeof table>;
