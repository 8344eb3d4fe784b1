import type { Schema } from "../../store/schema.ts";

/** What happens to a table when an installation moves to another database. Rows are exported in primary `key` order. */
type TablePlan =
  | { fate: "moves"; key: readonly string[] }
  /** Replaces the rows that migrations inserted. */
  | { fate: "moves_over_seed"; key: readonly string[] }
  /** Describes this one database. */
  | { fate: "stays" };

const byKey = (...key: string[]): TablePlan => ({ fate: "moves", key });

/** Every table, or this does not compile. In insertion order: a referenced table comes before those that refer to it. */
const plans: Record<keyof Schema, TablePlan> = {
  migrations: { fate: "stays" },
  // Outcomes of interrupted commits, needed for seconds only.
  commit_batches: { fate: "stays" },
  // Deleted after two days; another database draws its own.
  network_salts: { fate: "stays" },
  tiers: { fate: "moves_over_seed", key: ["name"] },
  key_epoch: { fate: "moves_over_seed", key: ["id"] },
  inventory_epoch: { fate: "moves_over_seed", key: ["id"] },
  accounts: byKey("id"),
  api_keys: byKey("id"),
  sites: byKey("id"),
  site_days: byKey("site_id", "day"),
  network_days: byKey("account_id", "day", "part"),
  attested_sessions: byKey("id"),
  key_changes: byKey("seq"),
  ledger_heads: byKey("account_id"),
  ledger_entries: byKey("account_id", "seq"),
  logs: byKey("number"),
  log_tiles: byKey("log", "level", "n"),
  log_runs: byKey("log", "first_index"),
  log_checkpoints: byKey("log", "size"),
  log_cosignatures: byKey("log", "size", "witness"),
  corrections: byKey("account_id", "ref"),
  installation_dates: byKey("name"),
  installation_settings: byKey("name"),
  call_settlements: byKey("account_id"),
  call_days: byKey("account_id", "day"),
  call_reversals: byKey("account_id", "ledger_seq"),
  reversed_calls: byKey("account_id", "session_id"),
  growth_reviews: byKey("id"),
  waiting_earnings: byKey("id"),
  waiting_allowances: byKey("account_id", "reason"),
  integrity_evidence: byKey("account_id", "check_name", "day"),
  integrity_notices: byKey("account_id", "code", "day"),
  integrity_marks: byKey("mark", "account_id"),
  evidence_sessions: byKey("account_id", "id"),
  usage_rollups: byKey("account_id", "hour", "endpoint", "payer", "share_bps"),
  movement_hours: byKey("account_id", "hour", "kind", "payer"),
  session_records: byKey("account_id", "id"),
  session_outcomes: byKey("account_id", "session_id", "seq"),
  calibrations: byKey("account_id", "version"),
  session_hours: byKey("account_id", "hour"),
  idempotency_answers: byKey("key_hash"),
  advertisers: byKey("id"),
  campaigns: byKey("id"),
  campaign_days: byKey("campaign_id", "day"),
  creatives: byKey("id"),
  images: byKey("hash"),
  creative_images: byKey("creative_id", "placement"),
  tracking_keys: byKey("id"),
  offers: byKey("id"),
  clicks: byKey("offer_id"),
  session_offers: byKey("account_id", "session_id"),
  live_offer_sums: byKey("node_id"),
  ad_hours: byKey("account_id", "hour", "campaign_id", "creative_id", "placement", "trust_band"),
  ignored_click_hours: byKey("account_id", "hour", "campaign_id", "reason"),
  no_fill_hours: byKey("account_id", "hour", "reason"),
  ad_category_days: byKey("account_id", "day", "category"),
  ignored_click_days: byKey("account_id", "day", "format", "placement", "category", "reason"),
  no_fill_days: byKey("account_id", "day", "format", "placement", "category", "reason"),
  campaign_tokens: byKey("campaign_id"),
  conversions: byKey("offer_id"),
  conversion_days: byKey("account_id", "day", "campaign_id", "format", "placement", "category"),
  click_rates: byKey("creative_id", "placement", "category"),
  findings: byKey("id"),
  payouts: byKey("id"),
  money_holds: byKey("id"),
  jobs: byKey("name"),
  // Before the rows: PostgreSQL chains those that have no hash yet.
  audit_head: { fate: "moves_over_seed", key: ["id"] },
  audit_log: byKey("id"),
  sign_ins: byKey("id"),
  sign_in_challenges: byKey("id"),
  second_factors: byKey("id"),
  account_links: byKey("token_hash"),
  throttles: byKey("subject"),
  sealed_keys: byKey("name"),
  account_closures: byKey("account_id"),
  mails: byKey("id"),
  statement_mails: byKey("account_id", "month"),
  request_hours: byKey("account_id", "hour", "endpoint", "key_id", "status"),
  request_logs: byKey("account_id", "id"),
  payee_profiles: byKey("account_id"),
  payee_marks: byKey("account_id", "kind", "mark"),
  payee_unlinks: byKey("account_id", "from_account_id"),
  tier_requests: byKey("id"),
  webhook_heads: byKey("audience"),
  webhook_events: byKey("id"),
  webhook_endpoints: byKey("id"),
  webhook_deliveries: byKey("endpoint_id", "event_id"),
  webhook_attempts: byKey("endpoint_id", "event_id", "attempt"),
  notice_choices: byKey("account_id", "topic"),
};

/** Quoted column names for both databases: some are SQL keywords. */
export const quoteNames = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");

export type MovedTable = { name: string; key: readonly string[]; isSeeded: boolean };

export const movedTables: readonly MovedTable[] = Object.entries(plans).flatMap(([name, plan]) =>
  plan.fate === "stays" ? [] : [{ name, key: plan.key, isSeeded: plan.fate === "moves_over_seed" }],
);

export const stayingTables: readonly string[] = Object.entries(plans).flatMap(([name, { fate }]) => (fate === "stays" ? [name] : []));
