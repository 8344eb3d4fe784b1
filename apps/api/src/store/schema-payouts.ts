/** Money on its way out, and the work that is done once for all nodes; the conventions are those of schema.ts. */
export type PayoutStatus = "proposed" | "approved" | "exported" | "paid" | "returned";

/** `month`: the last month, as YYYY-MM, whose earnings are in it. Entries are in the account's chain. */
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
  /** The operator's word on a return, or the bank's reference of a payment. */
  note: string | null;
  payout_seq: number | null;
  returned_seq: number | null;
};

/** Whoever holds the lease runs the job; a lease that runs out is anybody's. */
export type JobRow = {
  name: string;
  next_run_at: number;
  lease: string | null;
  leased_until: number;
  /** The node that runs it, or ran it last. */
  holder: string | null;
  /** Null while nobody runs it. */
  started_at: number | null;
  last_run_at: number | null;
  last_success_at: number | null;
  last_duration_ms: number | null;
  last_result: string | null;
  /** In a row, up to now. */
  failures: number;
};

/** That an account was told of a month; `month` as YYYY-MM. */
export type StatementMailRow = { account_id: string; month: string; queued_at: number };
