import type { CallReversal, ReverseCallsReply } from "@assay/contract/dashboard/integrity.ts";
import { usdOf } from "../../formats/money.ts";
import { isoTime } from "../../formats/time.ts";
import type { CallReversalRow } from "../../store/schema-integrity.ts";
import type { Reversed } from "./reverse-calls.work.ts";

export const describeReversal = (row: Omit<CallReversalRow, "account_id" | "finding_id" | "actor_account_id">): CallReversal => ({
  ref: row.ref,
  seq: row.ledger_seq,
  at: isoTime(row.at),
  share_percent: row.share_bps / 100,
  calls: row.calls,
  gross_usd: usdOf(row.gross_micro),
  developer_usd: usdOf(row.developer_micro),
  reason: row.reason,
});

export const describeReversed = ({ reversals, calls, developerMicroUsd, skippedCalls }: Omit<Reversed, "notes">): ReverseCallsReply => ({
  reversals: reversals.map(describeReversal),
  calls,
  developer_usd: usdOf(developerMicroUsd),
  skipped_calls: skippedCalls,
});
