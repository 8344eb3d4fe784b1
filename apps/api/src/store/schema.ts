/**
 * The tables, as Kysely sees them on both dialects. Times are milliseconds since 1970, money is integer
 * micro-USD, truth values are 0 and 1: one representation that SQLite and PostgreSQL share.
 */
export type Mode = "live" | "test";
export type AccountStatus = "active" | "suspended" | "closed";
export type EntryKind =
  | "call"
  | "click"
  | "funding"
  | "adjustment"
  | "reversal"
  | "payout"
  | "payout_returned";
/** Whose money a billed call is drawn from. */
export type Payer = "platform" | "developer";

export type TierRow = { name: string; per_hour: number; per_minute: number; share_bps: number };

export type AccountRow = {
  id: string;
  email: string;
  password_hash: string | null;
  tier: string;
  status: AccountStatus;
  verified_at: number | null;
  operator: number;
  demo: number;
  created_at: number;
};

export type KeyRow = {
  id: string;
  account_id: string;
  mode: Mode;
  name: string;
  key_hash: string;
  last_four: string;
  created_at: number;
  last_used_at: number | null;
  expires_at: number | null;
  revoked_at: number | null;
};

/** One row: its value numbers the changes, and its lock makes their order the order of their commits. */
export type KeyEpochRow = { id: number; value: number };
/** What a node must forget: `key:<hash>`, `account:<id>` or `*`. */
export type KeyChangeRow = { seq: number; subject: string; at: number };

/** The end of an account's chain. Locked first by everything that moves the account's money. */
export type LedgerHeadRow = { account_id: string; seq: number; hash: string; at: number; balance_micro: number };

export type LedgerEntryRow = {
  account_id: string;
  seq: number;
  at: number;
  kind: EntryKind;
  ref: string;
  endpoint: string;
  payer: Payer;
  share_bps: number;
  gross_micro: number;
  developer_micro: number;
  platform_micro: number;
  prev_hash: string;
  hash: string;
};

export type UsageRollupRow = {
  account_id: string;
  hour: number;
  endpoint: string;
  payer: Payer;
  share_bps: number;
  calls: number;
  gross_micro: number;
  developer_micro: number;
  platform_micro: number;
};

export type SessionRecordRow = {
  account_id: string;
  id: string;
  mode: Mode;
  endpoint: string;
  at: number;
  user_engagement: number | null;
  session_duration: number | null;
  scroll_depth: number | null;
  interaction_count: number | null;
  page_views: number | null;
  return_visitor: number | null;
  service_score: number;
  confidence: number;
  recommendation: string;
  model_version: string;
  processing_time_ms: number;
  ledger_seq: number | null;
};

/** What a developer says came of a session. Numbered within its session: the last one counts. */
export type SessionOutcomeRow = {
  account_id: string;
  session_id: string;
  seq: number;
  mode: Mode;
  outcome: string;
  service_score: number;
  at: number;
};

/** An account's live sessions of one completed hour, summed up: see traffic/summarise-sessions.ts. */
export type SessionHourRow = { account_id: string; hour: number; summary: string };

export type IdempotencyAnswerRow = {
  key_hash: string;
  account_id: string;
  endpoint: string;
  input: string;
  body: string;
  ledger_seq: number | null;
  at: number;
};

/** PostgreSQL only: whether a batch whose COMMIT was not seen took effect (1) or was given up (0). */
export type CommitBatchRow = { id: string; committed: number; at: number };

export type Schema = {
  tiers: TierRow;
  accounts: AccountRow;
  api_keys: KeyRow;
  key_epoch: KeyEpochRow;
  key_changes: KeyChangeRow;
  ledger_heads: LedgerHeadRow;
  ledger_entries: LedgerEntryRow;
  usage_rollups: UsageRollupRow;
  session_records: SessionRecordRow;
  session_outcomes: SessionOutcomeRow;
  session_hours: SessionHourRow;
  idempotency_answers: IdempotencyAnswerRow;
  commit_batches: CommitBatchRow;
};
