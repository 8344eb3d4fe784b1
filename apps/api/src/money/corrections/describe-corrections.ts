import type { Correction } from "@assay/contract/dashboard/corrections.ts";
import { usdOf } from "../../formats/money.ts";
import { isoTime } from "../../formats/time.ts";
import type { CorrectionRow } from "../../store/schema.ts";
import { moneyOf } from "./book-correction.ts";

export const correctionsShown = 500;

export const describeCorrection = (row: CorrectionRow): Correction => ({
  ref: row.ref,
  kind: row.kind,
  on: moneyOf(row.payer),
  usd: usdOf(row.amount_micro),
  reason: row.reason,
  at: isoTime(row.at),
  seq: row.ledger_seq,
});
