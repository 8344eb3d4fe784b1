/**
 * The tables for Kysely, in one representation for SQLite and PostgreSQL: times are milliseconds since 1970, money is
 * integer micro-USD, booleans are 0 and 1.
 */
import type { Generated, Kysely } from "kysely";
import type * as signIn from "./schema-accounts.ts";
import type * as ads from "./schema-ads.ts";
import type * as attestation from "./schema-attestation.ts";
import type * as dashboard from "./schema-dashboard.ts";
import type * as integrity from "./schema-integrity.ts";
import type * as log from "./schema-log.ts";
import type { JobRow, MoneyHoldRow, PayoutTable, StatementMailRow } from "./schema-payouts.ts";
import type * as webhooks from "./schema-webhooks.ts";

export type Mode = "live" | "test";
export type AccountStatus = "active" | "suspended" | "closed";
export type EntryKind = "call" | "click" | "funding" | "deposit" | "adjustment" | "reversal" | "payout" | "payout_returned";
/** Who pays for a billed call. */
export type CallPayer = "platform" | "developer";
/** Advertisers pay for clicks. */
export type Payer = CallPayer | "advertiser";

/** Up to where every complete day was checked, of every account: before it records may be deleted and money settled. */
export type CheckedTo = "sessions_checked_to" | "clicks_checked_to";

/** `model:` and `model_told:` are followed by a version: since when it scores here, and that every account was told. */
export type InstallationDate = "prepaid_from" | "call_days_from" | "click_orders_from" | CheckedTo | `model:${string}` | `model_told:${string}`;

/** What operators set for the whole installation while it runs. */
export type InstallationSetting = "shadow_model";

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

type AccountTable = AccountRow & {
  /** Whether house ads may fill requests that no campaign fills. */
  house_ads: Generated<number>;
  /** Null for the installation's retention. */
  session_retention_days: Generated<number | null>;
  /** The model that the account has pinned. */
  model_version: Generated<string | null>;
  /** The calibration of its own that is switched on. It holds for one model only. */
  calibration_version: Generated<number | null>;
  /** Raised with every change of what the account signs in with. */
  sign_in_epoch: Generated<number>;
  /** 1: made by the first start on this machine, which has printed its password. */
  at_first_start: Generated<number>;
};

/** Two numbers that were fitted to an account's outcomes: see packages/scoring/src/fit-calibration.ts. */
export type CalibrationRow = {
  account_id: string;
  /** 1, 2, 3, … by account. */
  version: number;
  /** The model that it is for. */
  model_version: string;
  shift: number;
  slope: number;
  /** The outcomes that it was fitted to. */
  good: number;
  bad: number;
  /** Calibration error without and with it, on outcomes that it had not seen. */
  error_before: number;
  error_after: number;
  /** Outcomes reported later had no part in it. */
  outcomes_to: number;
  /** `job`: fitted again, to the same outcomes, for a new model. */
  fitted_by: "developer" | "job";
  fitted_at: number;
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

/**
 * The end of an account's chain. Everything that moves the account's money locks it first.
 *
 * `spendable_micro` is what calls can be charged to; null until prepaid calls begin for the account. It counts the
 * entries up to `spendable_seq`, but the developer's shares of calls up to `share_confirmed_seq` only.
 */
export type LedgerHeadRow = {
  account_id: string;
  seq: number;
  hash: string;
  at: number;
  balance_micro: number;
  spendable_micro: number | null;
  spendable_seq: number;
  share_confirmed_seq: number;
};

/** Booked by an operator. `amount_micro` is the entry's; `reason` is shown to both sides and holds no personal data. */
export type CorrectionRow = {
  account_id: string;
  /** Of the ledger entry. */
  ref: string;
  kind: "deposit" | "adjustment";
  payer: CallPayer;
  amount_micro: number;
  /** A deposit may have none. */
  reason: string | null;
  /** Null where a job booked it. */
  actor_account_id: string | null;
  at: number;
  ledger_seq: number;
};

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
  payer: CallPayer;
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
  /** The attested signals: the sum of 2^n for the nth of the contract's list. Null or 0: none. */
  attested: number | null;
  /** Joined by commas. */
  attestation_issues: string | null;
  /** The version of the account's own calibration that the score is on. Null: the one that the model ships with. */
  calibration: number | null;
};

type SessionRecordTable = Omit<SessionRecordRow, "attested" | "attestation_issues" | "calibration"> & {
  attested: Generated<number | null>;
  attestation_issues: Generated<string | null>;
  calibration: Generated<number | null>;
};

/** An outcome that a developer reports. Numbered within its session; the last one counts. */
export type SessionOutcomeRow = {
  account_id: string;
  session_id: string;
  seq: number;
  mode: Mode;
  outcome: string;
  service_score: number;
  at: number;
};

/** A rollup of an account's live sessions in one complete hour: see scoring/traffic/session-summary.ts. */
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

export type Schema = {
  tiers: TierRow;
  accounts: AccountTable;
  /** `replaced_by`: the key it was rotated to. `seen_in_browser_at`: when a browser last sent it. */
  api_keys: KeyRow & { replaced_by: Generated<string | null>; seen_in_browser_at: Generated<number | null> };
  /** One row. Its value numbers the changes, and its lock puts them in commit order. */
  key_epoch: { id: number; value: number };
  /** Keys that nodes must evict: `key:<hash>`, `account:<id>` or `*`. */
  key_changes: { seq: number; subject: string; at: number };
  ledger_heads: LedgerHeadRow;
  ledger_entries: LedgerEntryRow;
  logs: log.LogRow;
  log_tiles: log.LogTileRow;
  log_runs: log.LogRunRow;
  log_checkpoints: log.LogCheckpointRow;
  log_cosignatures: log.LogCosignatureRow;
  corrections: CorrectionRow;
  /** Dates that hold for all nodes, each set once. */
  installation_dates: { name: InstallationDate; at: number };
  installation_settings: { name: InstallationSetting; value: string; at: number };
  call_settlements: integrity.CallSettlementRow;
  call_days: integrity.CallDayRow;
  call_reversals: integrity.CallReversalRow;
  reversed_calls: integrity.ReversedCallRow;
  growth_reviews: integrity.GrowthReviewRow;
  waiting_earnings: integrity.WaitingEarningRow;
  waiting_allowances: integrity.WaitingAllowanceRow;
  integrity_evidence: integrity.IntegrityEvidenceRow;
  integrity_notices: integrity.IntegrityNoticeRow;
  integrity_marks: integrity.IntegrityMarkRow;
  evidence_sessions: integrity.EvidenceSessionRow;
  /** `attested_calls`: of `calls`. */
  usage_rollups: UsageRollupRow & { attested_calls: Generated<number> };
  session_records: SessionRecordTable;
  calibrations: CalibrationRow;
  session_outcomes: SessionOutcomeRow;
  session_hours: SessionHourRow;
  idempotency_answers: IdempotencyAnswerRow;
  /** PostgreSQL only: whether a batch whose COMMIT was not acknowledged took effect (1) or was given up (0). */
  commit_batches: { id: string; committed: number; at: number };
  advertisers: ads.AdvertiserRow;
  campaigns: ads.CampaignTable;
  campaign_days: ads.CampaignDayRow;
  creatives: ads.CreativeRow;
  images: ads.ImageRow;
  creative_images: ads.CreativeImageRow;
  /** One row. Nodes that see its value rise reload the inventory. */
  inventory_epoch: { id: number; value: number };
  tracking_keys: ads.TrackingKeyRow;
  offers: ads.OfferRow;
  clicks: ads.ClickTable;
  /** The number of offers that a verified session has requested, including those refused beyond its limit. */
  session_offers: { account_id: string; session_id: string; offers: number };
  live_offer_sums: ads.LiveOfferSumsRow;
  ad_hours: ads.AdHourRow;
  ignored_click_hours: ads.IgnoredClickHourRow;
  no_fill_hours: ads.NoFillHourRow;
  ad_category_days: ads.AdCategoryDayRow;
  ignored_click_days: ads.IgnoredClickDayRow;
  no_fill_days: ads.NoFillDayRow;
  campaign_tokens: ads.CampaignTokenRow;
  conversions: ads.ConversionRow;
  conversion_days: ads.ConversionDayRow;
  click_rates: ads.ClickRateRow;
  findings: integrity.FindingTable;
  payouts: PayoutTable;
  money_holds: MoneyHoldRow;
  jobs: JobRow;
  statement_mails: StatementMailRow;
  migrations: { name: string; at: number };
  audit_log: ads.AuditLogRow;
  audit_head: ads.AuditHeadRow;
  sign_ins: signIn.SignInTable;
  sign_in_challenges: signIn.SignInChallengeRow;
  second_factors: signIn.SecondFactorRow;
  account_links: signIn.AccountLinkRow;
  throttles: signIn.ThrottleRow;
  sealed_keys: signIn.SealedKeyRow;
  account_closures: signIn.AccountClosureRow;
  mails: signIn.MailRow;
  movement_hours: dashboard.MovementHourRow;
  request_hours: dashboard.RequestHourRow;
  request_logs: dashboard.RequestLogRow;
  payee_profiles: dashboard.PayeeProfileTable;
  payee_marks: dashboard.PayeeMarkRow;
  payee_unlinks: dashboard.PayeeUnlinkRow;
  tier_requests: dashboard.TierRequestRow;
  webhook_heads: webhooks.WebhookHeadRow;
  webhook_events: webhooks.WebhookEventRow;
  webhook_endpoints: webhooks.WebhookEndpointRow;
  webhook_deliveries: webhooks.WebhookDeliveryRow;
  webhook_attempts: webhooks.WebhookAttemptRow;
  notice_choices: webhooks.NoticeChoiceRow;
  sites: attestation.SiteRow;
  site_days: attestation.SiteDayRow;
  network_salts: attestation.NetworkSaltRow;
  network_days: attestation.NetworkDayRow;
  attested_sessions: attestation.AttestedSessionRow;
};

export type Db = Kysely<Schema>;
