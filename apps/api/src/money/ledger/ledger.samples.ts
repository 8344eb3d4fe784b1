import { accountId, nowMs, span, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./ledger.table.ts";

export const samples = {
  openChain: [{ accountId, nowMs }],
  selectHead: [accountId],
  selectBalance: [accountId],
  selectHeads: [{ afterId: "", limit: 500 }],
  selectEntries: [{ accountId, afterSeq: 0, limit: 2_000 }],
  selectNextAccountWithEntries: ["acct_1"],
  selectRollupsOfAccount: [accountId],
  sumCallsByRate: [span],
  sumCallsByTime: [{ ...span, bucketMs: 3_600_000 }],
  sumAttestedCalls: [span],
  lockHeads: [[accountId]],
  insertEntries: [
    [
      {
        account_id: accountId,
        seq: 1,
        at: nowMs,
        kind: "click",
        ref: "ad_sample",
        endpoint: "click",
        payer: "advertiser",
        share_bps: 6_800,
        gross_micro: 250_000,
        developer_micro: 170_000,
        platform_micro: 80_000,
        prev_hash: "hash",
        hash: "hash",
      },
    ],
  ],
  moveHead: [{ account_id: accountId, seq: 1, hash: "hash", at: nowMs, balance_micro: 170_000, spendable_micro: 0, spendable_seq: 1, share_confirmed_seq: 0 }],
  sumDeveloperCallsSince: [{ accountId, afterSeq: 1 }],
  selectNewestEntries: [{ accountId, limit: 100 }],
  deleteAnswersBefore: [{ atMs: nowMs, limit: 1_000 }],
  selectActiveAccounts: [{ sinceMs: nowMs, afterId: "acct_1", limit: 500 }],
  sumPlatformCallsByDay: [span],
  selectPlatformCalls: [{ accountId, seqs: [7, 9] }],
  selectSeqsOfPlatformCalls: [{ accountId, fromSeq: 1, toSeq: 9, fromId: "sess_first", toId: "sess_last", limit: 20_001 }],
} satisfies SamplesOf<typeof table>;
