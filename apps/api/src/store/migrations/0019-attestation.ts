import { chargeCallsFunction3 } from "./0019-charge-calls.ts";
import { type Dialect, sqlWordsOf } from "./migration.ts";

/** Sites whose pages are measured by the service's clock, and which sessions were used for an attested call. */
export function attestation(dialect: Dialect): string[] {
  const { id, whole, end, clustered } = sqlWordsOf(dialect);
  return [
    `CREATE TABLE sites (
      id ${id} NOT NULL PRIMARY KEY,
      account_id ${id} NOT NULL REFERENCES accounts (id),
      name TEXT NOT NULL,
      origins TEXT NOT NULL,
      created_at ${whole} NOT NULL,
      changed_at ${whole} NOT NULL,
      deleted_at ${whole},
      last_seen_at ${whole}
    ) ${end}`,
    `CREATE INDEX sites_account ON sites (account_id, id)`,
    // Every node reads what changed since it last looked.
    `CREATE INDEX sites_changed ON sites (changed_at)`,
    `CREATE TABLE site_days (
      site_id ${id} NOT NULL,
      day ${whole} NOT NULL,
      sessions ${whole} NOT NULL,
      calls ${whole} NOT NULL,
      attested_calls ${whole} NOT NULL,
      PRIMARY KEY (site_id, day)
    ) ${clustered}`,
    `CREATE TABLE network_salts (
      day ${whole} NOT NULL PRIMARY KEY,
      salt TEXT NOT NULL
    ) ${end}`,
    // How many networks attested calls came from. A part is what one process counted: which networks is in no table.
    `CREATE TABLE network_days (
      account_id ${id} NOT NULL,
      day ${whole} NOT NULL,
      part ${id} NOT NULL,
      calls ${whole} NOT NULL,
      networks ${whole} NOT NULL,
      top_calls ${whole} NOT NULL,
      PRIMARY KEY (account_id, day, part)
    ) ${clustered}`,
    `CREATE TABLE attested_sessions (
      id ${id} NOT NULL PRIMARY KEY,
      account_id ${id} NOT NULL,
      ref ${id} NOT NULL,
      at ${whole} NOT NULL
    ) ${clustered}`,
    `ALTER TABLE session_records ADD COLUMN attested ${whole}`,
    `ALTER TABLE session_records ADD COLUMN attestation_issues TEXT`,
    `ALTER TABLE evidence_sessions ADD COLUMN attested ${whole}`,
    `ALTER TABLE usage_rollups ADD COLUMN attested_calls ${whole} NOT NULL DEFAULT 0`,
    `ALTER TABLE campaigns ADD COLUMN min_attestation TEXT CHECK (min_attestation IN ('server_timed'))`,
    ...(dialect === "postgres" ? [chargeCallsFunction3] : []),
  ];
}
