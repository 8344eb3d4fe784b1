import { type Dialect, sqlWordsOf } from "./migration.ts";

/** Daily sums by what developers ask about, the tokens of campaigns, and the conversions that advertisers report with them. */
export function adReports(dialect: Dialect): string[] {
  const { id, whole, end, clustered } = sqlWordsOf(dialect);
  const groups = `account_id ${id} NOT NULL,
      day ${whole} NOT NULL,
      format TEXT NOT NULL,
      placement TEXT NOT NULL,
      category TEXT NOT NULL`;
  return [
    // Null for clicks that the previous version recorded: they are not in ad_category_days.
    `ALTER TABLE clicks ADD COLUMN category TEXT`,
    `CREATE TABLE ad_category_days (
      account_id ${id} NOT NULL,
      day ${whole} NOT NULL,
      category ${id} NOT NULL,
      offers ${whole} NOT NULL,
      impressions ${whole} NOT NULL,
      valid_clicks ${whole} NOT NULL,
      developer_micro ${whole} NOT NULL,
      PRIMARY KEY (account_id, day, category)
    ) ${clustered}`,
    `CREATE TABLE ignored_click_days (
      ${groups},
      reason TEXT NOT NULL,
      clicks ${whole} NOT NULL,
      PRIMARY KEY (account_id, day, format, placement, category, reason)
    ) ${clustered}`,
    `CREATE TABLE no_fill_days (
      ${groups},
      reason TEXT NOT NULL,
      requests ${whole} NOT NULL,
      PRIMARY KEY (account_id, day, format, placement, category, reason)
    ) ${clustered}`,
    `CREATE TABLE campaign_tokens (
      campaign_id ${id} NOT NULL PRIMARY KEY REFERENCES campaigns (id),
      token_hash TEXT NOT NULL,
      created_at ${whole} NOT NULL
    ) ${end}`,
    `CREATE TABLE conversions (
      offer_id ${id} NOT NULL PRIMARY KEY REFERENCES clicks (offer_id),
      at ${whole} NOT NULL
    ) ${end}`,
    `CREATE TABLE conversion_days (
      account_id ${id} NOT NULL,
      day ${whole} NOT NULL,
      campaign_id ${id} NOT NULL,
      format TEXT NOT NULL,
      placement TEXT NOT NULL,
      category TEXT NOT NULL,
      conversions ${whole} NOT NULL,
      PRIMARY KEY (account_id, day, campaign_id, format, placement, category)
    ) ${clustered}`,
    `CREATE INDEX conversion_days_campaign ON conversion_days (campaign_id, day)`,
  ];
}
