/** The tables of payouts and jobs, with the conventions of schema.ts. */
import type { Generated } from "kysely";

export type PayoutStatus = "proposed" | "approved" | "exported" | "paid" | "returned" | "cancelled";

/** `month`: the last month (YYYY-MM) whose earnings are included. Its ledger entries are in the account's chain. */
export type PayoutRow = {
  id: string;
  account_id: string;
  month: string;
  amount_micro: number;
  status: PayoutStatus;
  proposed_at: number;
  approved_at: number | null;
  exported_at: number | null;
  paid_at: number | null;
  returned_at: number | null;
  /** The operator's note on a return, or the bank's reference of a payment. */
  note: string | null;
  payout_seq: number | null;
  returned_seq: number | null;
};

/** What was added to payouts later. Null in rows of earlier versions. */
type PayoutSteps = {
  cancelled_at: Generated<number | null>;
  proposed_by: Generated<string | null>;
  approved_by: Generated<string | null>;
  /** The payee as JSON, as it was when the payout was proposed: what is exported. Personal data. */
  payee: Generated<string | null>;
  /** The export run whose file has it. */
  export_id: Generated<string | null>;
  /** The part that calls of a never reviewed account earned. */
  unreviewed_micro: Generated<number>;
};

export type PayoutTable = PayoutRow & PayoutSteps;

/** A payout with who did what, and without the payee. */
export type PayoutRecord = PayoutRow & { cancelled_at: number | null; proposed_by: string | null; approved_by: string | null; export_id: string | null };

/**
 * While a hold is open the account's money stays where it is, whatever becomes of the account. Only an operator lifts it;
 * `opened_by` is null where the command line or a migration opened it.
 */
export type MoneyHoldRow = {
  id: string;
  account_id: string;
  kind: "suspension" | "operator";
  reason: string;
  opened_by: string | null;
  opened_at: number;
  lifted_by: string | null;
  lifted_at: number | null;
  lift_reason: string | null;
};

/** The node that holds the lease runs the job; any node may take an expired lease. */
export type JobRow = {
  name: string;
  next_run_at: number;
  lease: string | null;
  leased_until: number;
  /** The node that runs it or ran it last. */
  holder: string | null;
  /** Null while it is not running. */
  started_at: number | null;
  last_run_at: number | null;
  last_success_at: number | null;
  last_duration_ms: number | null;
  last_result: string | null;
  /** Consecutive failures. */
  failures: number;
};

/** A statement was mailed for this month (YYYY-MM). */
export type StatementMailRow = { account_id: string; month: string; queued_at: number };
