import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./corrections.table.ts";

export const samples = {
  insertCorrections: [
    [
      {
        account_id: accountId,
        ref: "adj_sample",
        kind: "adjustment",
        payer: "platform",
        amount_micro: -1_000_000,
        reason: "Booked twice.",
        actor_account_id: accountId,
        at: nowMs,
        ledger_seq: 7,
      },
    ],
  ],
  selectCorrections: [{ accountId, limit: 100 }],
  selectCorrectionsIn: [{ accountId, fromSeq: 1, toSeq: 9, limit: 1_000 }],
  sumRefunds: [{ demo: false }],
  insertDate: [{ name: "prepaid_from", at: nowMs }],
  moveDate: [{ name: "sessions_checked_to", at: nowMs }],
  selectDate: ["prepaid_from"],
  selectModelDates: [],
} satisfies SamplesOf<typeof table>;
