import { accountId, nowMs, span, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./movements.table.ts";

export const samples = {
  addToMovementHours: [
    { account_id: accountId, hour: nowMs, kind: "click", payer: "advertiser", entries: 1, gross_micro: 250_000, developer_micro: 170_000, platform_micro: 80_000 },
  ],
  selectMovementsOfAccount: [accountId],
  sumMovements: [span],
  sumMovementsByTime: [{ ...span, bucketMs: 86_400_000 }],
  sumCallsByTimeAndPayer: [{ ...span, bucketMs: 86_400_000 }],
  sumCallBalanceBefore: [{ accountId, beforeMs: nowMs }],
  sumMovementBalanceBefore: [{ accountId, beforeMs: nowMs }],
  selectEntryPlace: [{ accountId, seq: 1 }],
  sumClicksOf: [{ accountId, fromSeq: 1, toSeq: 100, status: "pending" }],
  selectEntriesBefore: [{ accountId, beforeSeq: 100, limit: 50 }],
} satisfies SamplesOf<typeof table>;
