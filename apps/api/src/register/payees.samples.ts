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
      usable_from: 0,
    },
  ],
  deletePayeeProfile: [accountId],
  selectPayees: [[accountId]],
  selectSharedMark: [{ accountId, otherId: "acct_other" }],
  selectUnmarkedPayees: [{ afterId: "", limit: 100 }],
  insertMarks: [[{ account_id: accountId, kind: "bank", mark: "mark", entered_at: nowMs }]],
  deleteMarksExcept: [{ accountId, kept: ["mark"] }],
  deleteMarks: [accountId],
  selectEarlierSharers: [[accountId]],
  selectLinkKinds: [{ accountId, limit: 100 }],
  selectLaterSharers: [{ accountId, limit: 100 }],
  insertUnlink: [{ accountId, fromAccountId: "acc_other", nowMs }],
  deleteUnlinksOf: [accountId],
  deleteUnlinksFrom: [accountId],
  selectChangedPayees: [{ sinceMs: nowMs, limit: 100 }],
} satisfies SamplesOf<typeof table>;
