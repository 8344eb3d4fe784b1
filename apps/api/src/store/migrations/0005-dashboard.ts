import { type Dialect, type IndexPlan, sqlWordsOf } from "./migration.ts";

/** A month's clicks are a range of ledger numbers; few of them are pending or reversed. */
export const clickIndexes: IndexPlan[] = ["pending", "reversed"].map((status) => ({
  name: `clicks_account_${status}`,
  table: "clicks",
  columns: "account_id, ledger_seq, developer_micro",
  where: `status = '${status}'`,
}));

/** An hourly rollup of all ledger entries except calls, backfilled here and then updated with each entry. */
function createMovementHours(dialect: Dialect): string[] {
  const { id, whole, clustered } = sqlWordsOf(dialect);
  return [
    `CREATE TABLE movement_hours (
      account_id ${id} NOT NULL,
      hour ${whole} NOT NULL,
      kind TEXT NOT NULL,
      payer TEXT NOT NULL,
      entries ${whole} NOT NULL,
      gross_micro ${whole} NOT NULL,
      developer_micro ${whole} NOT NULL,
      platform_micro ${whole} NOT NULL,
      PRIMARY KEY (account_id, hour, kind, payer),
      CHECK (gross_micro = developer_micro + platform_micro)
    ) ${clustered}`,
    `INSERT INTO movement_hours (account_id, hour, kind, payer, entries, gross_micro, developer_micro, platform_micro)
      SELECT account_id, at - at % 3600000, kind, payer, count(*), sum(gross_micro), sum(developer_micro), sum(platform_micro)
      FROM ledger_entries WHERE kind <> 'call' GROUP BY 1, 2, 3, 4`,
  ];
}

/** Hourly counts of requests, and a log of the recent ones. */
function createRequestTables(dialect: Dialect): string[] {
  const { id, whole, real, clustered } = sqlWordsOf(dialect);
  return [
    `CREATE TABLE request_hours (
      account_id ${id} NOT NULL,
      hour ${whole} NOT NULL,
      endpoint TEXT NOT NULL,
      key_id ${id} NOT NULL,
      status ${whole} NOT NULL,
      requests ${whole} NOT NULL,
      PRIMARY KEY (account_id, hour, endpoint, key_id, status)
    ) ${clustered}`,
    `CREATE TABLE request_logs (
      account_id ${id} NOT NULL,
      id ${id} NOT NULL,
      at ${whole} NOT NULL,
      request_id TEXT,
      method TEXT NOT NULL,
      endpoint TEXT NOT NULL,
      key_id ${id} NOT NULL,
      status ${whole} NOT NULL,
      error TEXT,
      message TEXT,
      duration_ms ${real},
      requests ${whole} NOT NULL,
      PRIMARY KEY (account_id, id)
    ) ${clustered}`,
    `CREATE INDEX request_logs_request ON request_logs (account_id, request_id) WHERE request_id IS NOT NULL`,
    `CREATE INDEX request_logs_at ON request_logs (at)`,
  ];
}

export function dashboard(dialect: Dialect): string[] {
  const { id, whole, end } = sqlWordsOf(dialect);
  return [
    ...createMovementHours(dialect),
    ...createRequestTables(dialect),
    `ALTER TABLE api_keys ADD COLUMN replaced_by ${id}`,
    `ALTER TABLE api_keys ADD COLUMN seen_in_browser_at ${whole}`,
    // Null for the installation's retention.
    `ALTER TABLE accounts ADD COLUMN session_retention_days ${whole} CHECK (session_retention_days > 0)`,
    `CREATE TABLE payee_profiles (
      account_id ${id} NOT NULL PRIMARY KEY REFERENCES accounts (id),
      legal_name TEXT NOT NULL,
      address TEXT NOT NULL,
      country TEXT NOT NULL,
      tax_id TEXT,
      method TEXT NOT NULL CHECK (method IN ('bank_transfer', 'paypal')),
      account TEXT NOT NULL,
      bank_code TEXT,
      updated_at ${whole} NOT NULL
    ) ${end}`,
    `CREATE TABLE tier_requests (
      id ${id} NOT NULL PRIMARY KEY,
      account_id ${id} NOT NULL REFERENCES accounts (id),
      tier TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'applied', 'refused', 'withdrawn')),
      requested_at ${whole} NOT NULL,
      decided_at ${whole},
      CHECK ((state = 'pending') = (decided_at IS NULL))
    ) ${end}`,
    `CREATE UNIQUE INDEX tier_requests_pending ON tier_requests (account_id) WHERE state = 'pending'`,
  ];
}
