import { accountId, nowMs, type SamplesOf } from "../store/sql-samples.ts";
import type * as table from "./payees.table.ts";

export const samples = {
  selectPayee: [accountId],
  upsertPayee: [
    {
      account_id: accountId,
      legal_name: "Sample Ltd",
      address: "1 High Street",
      country: "GB",
      tax_id: null,
      method: "paypal",
      account: "sample@example.com",
      bank_code: null,
      updated_at: nowMs,
    },
  ],
  deletePayeeProfile: [accountId],
  selectPayees: [[accountId]],
  selectEarlierSharers: [[accountId]],
  selectSharedMark: [{ accountId, otherId: "acct_other" }],
} satisfies SamplesOf<typeof table>;
