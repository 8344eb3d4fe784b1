/** The tables of payouts and jobs, with the conventions of schema.ts. */
export type PayoutStatus = "proposed" | "approved" | "exported" | "paid" | "returned";

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
