import { type Dialect, sqlWordsOf } from "./migration.ts";

function guardAuditLog(dialect: Dialect): string[] {
  const refusal = "audit_log is append-only";
  if (dialect === "sqlite") {
    const refuse = `BEGIN SELECT RAISE(ABORT, '${refusal}'); END`;
    return [
      ...["UPDATE", "DELETE"].map((verb) => `CREATE TRIGGER audit_log_no_${verb.toLowerCase()} BEFORE ${verb} ON audit_log ${refuse}`),
      // REPLACE deletes the old row without firing the trigger on DELETE.
      `CREATE TRIGGER audit_log_no_replace BEFORE INSERT ON audit_log
        WHEN EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id) ${refuse}`,
    ];
  }
  return [
    `CREATE FUNCTION assay_guard_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION '${refusal}'; END $$`,
    `CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
      FOR EACH ROW EXECUTE FUNCTION assay_guard_audit_log()`,
    `CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON audit_log
      FOR EACH STATEMENT EXECUTE FUNCTION assay_guard_audit_log()`,
  ];
}

/** Inventory, offers, clicks and their rollups: new tables and one column with a constant default. */
export function ads(dialect: Dialect): string[] {
  const isSqlite = dialect === "sqlite";
  const { id, whole, real, blob, end, clustered } = sqlWordsOf(dialect);
  const placement = "TEXT NOT NULL CHECK (placement IN ('feed', 'sidebar', 'fullscreen'))";
  const format = "TEXT NOT NULL CHECK (format IN ('banner', 'native', 'interstitial'))";
  return [
    `ALTER TABLE accounts ADD COLUMN house_ads ${whole} NOT NULL DEFAULT 1 CHECK (house_ads IN (0, 1))`,
    `CREATE TABLE advertisers (id ${id} NOT NULL PRIMARY KEY, name TEXT NOT NULL, created_at ${whole} NOT NULL) ${end}`,
    `CREATE UNIQUE INDEX advertisers_name ON advertisers (lower(name))`,
    `CREATE TABLE campaigns (
      id ${id} NOT NULL PRIMARY KEY,
      advertiser_id ${id} NOT NULL REFERENCES advertisers (id),
      name TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('draft', 'active', 'paused', 'ended')),
      house ${whole} NOT NULL CHECK (house IN (0, 1)),
      budget_micro ${whole} NOT NULL CHECK (budget_micro >= 0),
      daily_budget_micro ${whole} CHECK (daily_budget_micro > 0),
      bid_micro ${whole} NOT NULL CHECK (bid_micro >= 0),
      starts_at ${whole} NOT NULL,
      ends_at ${whole},
      categories TEXT NOT NULL,
      placements TEXT NOT NULL,
      min_trust ${real} NOT NULL CHECK (min_trust BETWEEN 0 AND 100),
      pacing TEXT NOT NULL CHECK (pacing IN ('even', 'asap')),
      spent_micro ${whole} NOT NULL DEFAULT 0,
      created_at ${whole} NOT NULL,
      changed_at ${whole} NOT NULL,
      active_since ${whole},
      CHECK (spent_micro BETWEEN 0 AND budget_micro)
    ) ${end}`,
    `CREATE UNIQUE INDEX campaigns_name ON campaigns (advertiser_id, lower(name))`,
    `CREATE TABLE campaign_days (
      campaign_id ${id} NOT NULL REFERENCES campaigns (id),
      day ${whole} NOT NULL,
      spent_micro ${whole} NOT NULL CHECK (spent_micro >= 0),
      PRIMARY KEY (campaign_id, day)
    ) ${clustered}`,
    `CREATE TABLE creatives (
      id ${id} NOT NULL PRIMARY KEY,
      campaign_id ${id} NOT NULL REFERENCES campaigns (id),
      format ${format},
      status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected')),
      headline TEXT NOT NULL,
      description TEXT NOT NULL,
      cta_text TEXT NOT NULL,
      landing_url TEXT NOT NULL,
      created_at ${whole} NOT NULL
    ) ${end}`,
    `CREATE INDEX creatives_campaign ON creatives (campaign_id)`,
    `CREATE TABLE images (
      hash TEXT NOT NULL PRIMARY KEY,
      content_type TEXT NOT NULL,
      width ${whole} NOT NULL,
      height ${whole} NOT NULL,
      bytes ${blob} NOT NULL,
      created_at ${whole} NOT NULL
    ) ${end}`,
    `CREATE TABLE creative_images (
      creative_id ${id} NOT NULL REFERENCES creatives (id),
      placement ${placement},
      image_hash TEXT NOT NULL REFERENCES images (hash),
      width ${whole} NOT NULL,
      height ${whole} NOT NULL,
      PRIMARY KEY (creative_id, placement)
    ) ${clustered}`,
    `CREATE TABLE inventory_epoch (id ${whole} NOT NULL PRIMARY KEY CHECK (id = 1), value ${whole} NOT NULL) ${end}`,
    `INSERT INTO inventory_epoch (id, value) VALUES (1, 0)`,
    `CREATE TABLE tracking_keys (
      id ${id} NOT NULL PRIMARY KEY,
      salt TEXT NOT NULL,
      created_at ${whole} NOT NULL,
      retired_at ${whole}
    ) ${end}`,
    `CREATE TABLE offers (
      id ${id} NOT NULL PRIMARY KEY,
      account_id ${id} NOT NULL,
      mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
      campaign_id ${id} NOT NULL,
      creative_id ${id} NOT NULL,
      format ${format},
      placement ${placement},
      category TEXT NOT NULL,
      trust_band TEXT NOT NULL,
      price_micro ${whole} NOT NULL CHECK (price_micro >= 0),
      share_bps ${whole} NOT NULL,
      developer_micro ${whole} NOT NULL CHECK (developer_micro BETWEEN 0 AND price_micro),
      at ${whole} NOT NULL,
      expires_at ${whole} NOT NULL,
      impressed_at ${whole},
      clicked_at ${whole},
      verdict TEXT
    ) ${clustered} ${isSqlite ? "" : "PARTITION BY RANGE (id)"}`,
    // operations/make-partitions.ts creates days ahead; rows of other days go here.
    ...(isSqlite ? [] : [`CREATE TABLE offers_default PARTITION OF offers DEFAULT`]),
    // Few rows at any time: clicks that wait for their impression.
    `CREATE INDEX offers_awaiting ON offers (clicked_at) WHERE verdict = 'awaiting_impression'`,
    `CREATE TABLE live_offer_sums (node_id ${id} NOT NULL PRIMARY KEY, at ${whole} NOT NULL, sums TEXT NOT NULL) ${end}`,
    `CREATE TABLE clicks (
      offer_id ${id} NOT NULL PRIMARY KEY,
      account_id ${id} NOT NULL,
      campaign_id ${id} NOT NULL REFERENCES campaigns (id),
      creative_id ${id} NOT NULL,
      placement ${placement},
      trust_band TEXT NOT NULL,
      at ${whole} NOT NULL,
      price_micro ${whole} NOT NULL,
      developer_micro ${whole} NOT NULL,
      share_bps ${whole} NOT NULL,
      ledger_seq ${whole} NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('pending', 'confirmed', 'reversed')),
      settled_at ${whole},
      reversal_seq ${whole},
      reason TEXT,
      UNIQUE (account_id, ledger_seq),
      CHECK ((status = 'pending') = (settled_at IS NULL)),
      CHECK ((status = 'reversed') = (reversal_seq IS NOT NULL))
    ) ${end}`,
    `CREATE INDEX clicks_pending ON clicks (at) WHERE status = 'pending'`,
    `CREATE INDEX clicks_account ON clicks (account_id, at)`,
    `CREATE INDEX clicks_campaign ON clicks (campaign_id, at)`,
    `CREATE TABLE session_offers (
      account_id ${id} NOT NULL,
      session_id ${id} NOT NULL,
      offers ${whole} NOT NULL,
      PRIMARY KEY (account_id, session_id)
    ) ${clustered}`,
    `CREATE TABLE ad_hours (
      account_id ${id} NOT NULL,
      hour ${whole} NOT NULL,
      campaign_id ${id} NOT NULL,
      creative_id ${id} NOT NULL,
      placement ${placement},
      trust_band TEXT NOT NULL,
      offers ${whole} NOT NULL,
      impressions ${whole} NOT NULL,
      valid_clicks ${whole} NOT NULL,
      spend_micro ${whole} NOT NULL,
      developer_micro ${whole} NOT NULL,
      PRIMARY KEY (account_id, hour, campaign_id, creative_id, placement, trust_band)
    ) ${clustered}`,
    `CREATE INDEX ad_hours_campaign ON ad_hours (campaign_id, hour)`,
    `CREATE INDEX ad_hours_hour ON ad_hours (hour)`,
    `CREATE TABLE ignored_click_hours (
      account_id ${id} NOT NULL,
      hour ${whole} NOT NULL,
      campaign_id ${id} NOT NULL,
      reason TEXT NOT NULL,
      clicks ${whole} NOT NULL,
      PRIMARY KEY (account_id, hour, campaign_id, reason)
    ) ${clustered}`,
    `CREATE INDEX ignored_click_hours_campaign ON ignored_click_hours (campaign_id, hour)`,
    `CREATE TABLE no_fill_hours (
      account_id ${id} NOT NULL,
      hour ${whole} NOT NULL,
      reason TEXT NOT NULL,
      requests ${whole} NOT NULL,
      PRIMARY KEY (account_id, hour, reason)
    ) ${clustered}`,
    `CREATE INDEX no_fill_hours_hour ON no_fill_hours (hour)`,
    `CREATE TABLE click_rates (
      creative_id ${id} NOT NULL,
      placement ${placement},
      category TEXT NOT NULL,
      impressions ${whole} NOT NULL,
      clicks ${whole} NOT NULL,
      PRIMARY KEY (creative_id, placement, category)
    ) ${clustered}`,
    `CREATE TABLE findings (
      id ${id} NOT NULL PRIMARY KEY,
      account_id ${id} NOT NULL,
      code TEXT NOT NULL,
      detail TEXT NOT NULL,
      opened_at ${whole} NOT NULL,
      closed_at ${whole},
      resolution TEXT
    ) ${end}`,
    `CREATE UNIQUE INDEX findings_open ON findings (account_id, code) WHERE closed_at IS NULL`,
    `CREATE TABLE audit_log (
      id ${id} NOT NULL PRIMARY KEY,
      at ${whole} NOT NULL,
      actor_account_id ${id},
      action TEXT NOT NULL,
      subject TEXT NOT NULL,
      detail TEXT NOT NULL
    ) ${end}`,
    ...guardAuditLog(dialect),
  ];
}
