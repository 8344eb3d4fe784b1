/** The tables that decide whether calls are paid for, with the conventions of schema.ts. Days are the times of their UTC midnights. */
import type { Generated } from "kysely";

/** Platform-paid calls of the days before `confirmed_to` are settled. Without a row none are. */
export type CallSettlementRow = { account_id: string; confirmed_to: number };

/**
 * A day of platform-paid calls that was settled, or of which something was reversed. The sums are those of the rollups
 * when it was written; a pending day can still grow.
 */
export type CallDayRow = {
  account_id: string;
  day: number;
  state: "pending" | "confirmed" | "reversed";
  calls: number;
  gross_micro: number;
  developer_micro: number;
  reversed_calls: number;
  reversed_gross_micro: number;
  reversed_developer_micro: number;
  /** How many reversals there were. */
  reversals: number;
  settled_at: number | null;
};

/** One reversal entry of calls. Amounts are positive here. */
export type CallReversalRow = {
  account_id: string;
  ledger_seq: number;
  ref: string;
  day: number;
  share_bps: number;
  calls: number;
  gross_micro: number;
  developer_micro: number;
  reason: string;
  finding_id: string | null;
  actor_account_id: string | null;
  at: number;
};

/** A call that was reversed by itself, not with its whole day. */
export type ReversedCallRow = { account_id: string; session_id: string; ref: string };

/** An operator's review sets what calls and clicks may make payable per month. */
export type GrowthReviewRow = {
  id: string;
  account_id: string;
  monthly_micro: number;
  reason: string;
  /** Null for the command line, and for accounts that were paid before growth was limited. */
  reviewed_by: string | null;
  reviewed_at: number;
  /** Months (YYYY-MM) up to this one were paid before growth was limited: they count as granted in full. */
  granted_through: string | null;
};

export type WaitingReason = "repeated_session" | "unexamined" | "crowded_network";

/** What an account earned on a day and what nobody can examine, until it is decided. `detail` is JSON without personal data. */
export type WaitingEarningRow = {
  id: string;
  account_id: string;
  day: number;
  reason: WaitingReason;
  /** Calls, or clicks. */
  items: number;
  developer_micro: number;
  detail: string;
  at: number;
  /** The developer's own text. */
  statement: string | null;
  stated_at: number | null;
  decision: "settled" | "reversed" | null;
  /** The reason of the decision. */
  resolution: string | null;
  /** Null for the command line, and where nothing was left to decide. */
  decided_by: string | null;
  decided_at: number | null;
};

/** What of a day settles by itself although it cannot be examined, since an operator knows the account. */
export type WaitingAllowanceRow = { account_id: string; reason: WaitingReason; daily_micro: number; note: string; set_by: string | null; set_at: number };

/** What a check found in one day of an account's traffic, and its evidence since it was last started. Logarithms are natural. */
export type IntegrityEvidenceRow = {
  account_id: string;
  check_name: string;
  day: number;
  tested: number;
  hits: number;
  /** JSON: what the check compared with. */
  detail: string;
  log_factor: number;
  /** The days counted since the evidence was last started, this one included. */
  ordinal: number;
  /** The started part of the mixture over starting days; null: none yet. */
  log_started: number | null;
  log_evidence: number;
  /** When the day was evaluated. A finding decided later starts the evidence anew. */
  at: number;
};

/** A pattern without a null hypothesis that every honest site satisfies: shown to operators, never holding money. */
export type IntegrityNoticeRow = { account_id: string; code: string; day: number; statistic: number; message: string };

/** A hash of a finely measured session and where it was first seen, by account. */
export type IntegrityMarkRow = { mark: number; account_id: string; session_id: string; day: number };

/** Session records that back unpaid money of a held account, kept beyond retention. */
export type EvidenceSessionRow = {
  account_id: string;
  id: string;
  endpoint: string;
  at: number;
  user_engagement: number | null;
  session_duration: number | null;
  scroll_depth: number | null;
  interaction_count: number | null;
  page_views: number | null;
  return_visitor: number | null;
  service_score: number;
  ledger_seq: number;
  /** As in session_records. */
  attested: number | null;
};

export type FindingRow = {
  id: string;
  account_id: string;
  code: string;
  detail: string;
  opened_at: number;
  closed_at: number | null;
  /** The reason of the decision. */
  resolution: string | null;
};

/** `days` and `sessions` are JSON arrays. `answer` is the developer's own text. */
export type FindingTable = FindingRow & {
  statistic: Generated<number | null>;
  threshold: Generated<number | null>;
  days: Generated<string>;
  sessions: Generated<string>;
  /** Null where a check opened it. */
  opened_by: Generated<string | null>;
  decision: Generated<"upheld" | "dismissed" | "accepted" | null>;
  decided_by: Generated<string | null>;
  answer: Generated<string | null>;
  answered_at: Generated<number | null>;
  /** When the developer last accepted it. A finding that is opened again keeps it. */
  accepted_at: Generated<number | null>;
  /** When operators were told that it is overdue. */
  alerted_at: Generated<number | null>;
};
