import { chargeCallsFunction1 } from "./0001-charge-calls.ts";
import { type Dialect, sqlWordsOf } from "./migration.ts";

/** The ledger is partitioned by hash of the account: monthly partitions could not keep (account, seq) unique. */
const ledgerPartitions = 8;

function createTables(dialect: Dialect): string[] {
  const { id, whole, real, end, clustered } = sqlWordsOf(dialect);
  const partitionBy = (clause: string) => (dialect === "sqlite" ? "" : `PARTITION BY ${clause}`);
  return [
    `CREATE TABLE tiers (
      name TEXT NOT NULL PRIMARY KEY,
      per_hour ${whole} NOT NULL CHECK (per_hour > 0),
      per_minute ${whole} NOT NULL CHECK (per_minute > 0),
      share_bps ${whole} NOT NULL CHECK (share_bps BETWEEN 6800 AND 7000)
    ) ${end}`,
    `CREATE UNIQUE INDEX tiers_name ON tiers (lower(name))`,
    `INSERT INTO tiers (name, per_hour, per_minute, share_bps) VALUES
      ('Starter', 1000, 50, 6800), ('Growth', 10000, 200, 6900), ('Scale', 100000, 1000, 7000)`,
    `CREATE TABLE accounts (
      id ${id} NOT NULL PRIMARY KEY,
      email TEXT NOT NULL UNIQUE,
      password_hash TEXT,
      tier TEXT NOT NULL REFERENCES tiers (name),
      status TEXT NOT NULL CHECK (status IN ('active', 'suspended', 'closed')),
      verified_at ${whole},
      operator ${whole} NOT NULL CHECK (operator IN (0, 1)),
      demo ${whole} NOT NULL CHECK (demo IN (0, 1)),
      created_at ${whole} NOT NULL
    ) ${end}`,
    `CREATE TABLE api_keys (
      id ${id} NOT NULL PRIMARY KEY,
      account_id ${id} NOT NULL REFERENCES accounts (id),
      mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
      name TEXT NOT NULL,
      key_hash TEXT NOT NULL UNIQUE,
      last_four TEXT NOT NULL,
      created_at ${whole} NOT NULL,
      last_used_at ${whole},
      expires_at ${whole},
      revoked_at ${whole}
    ) ${end}`,
    `CREATE INDEX api_keys_account ON api_keys (account_id)`,
    `CREATE TABLE key_epoch (id ${whole} NOT NULL PRIMARY KEY CHECK (id = 1), value ${whole} NOT NULL) ${end}`,
    `INSERT INTO key_epoch (id, value) VALUES (1, 0)`,
    `CREATE TABLE key_changes (
      seq ${whole} NOT NULL PRIMARY KEY,
      subject TEXT NOT NULL,
      at ${whole} NOT NULL
    ) ${end}`,
    // No foreign key to accounts: the platform's own chain (funding) has no account.
    `CREATE TABLE ledger_heads (
      account_id ${id} NOT NULL PRIMARY KEY,
      seq ${whole} NOT NULL,
      hash TEXT NOT NULL,
      at ${whole} NOT NULL,
      balance_micro ${whole} NOT NULL
    ) ${clustered}`,
    `CREATE TABLE ledger_entries (
      account_id ${id} NOT NULL,
      seq ${whole} NOT NULL CHECK (seq > 0),
      at ${whole} NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN
        ('call', 'click', 'funding', 'adjustment', 'reversal', 'payout', 'payout_returned')),
      ref TEXT NOT NULL,
      endpoint TEXT NOT NULL,
      payer TEXT NOT NULL CHECK (payer IN ('platform', 'developer', 'advertiser')),
      share_bps ${whole} NOT NULL,
      gross_micro ${whole} NOT NULL,
      developer_micro ${whole} NOT NULL,
      platform_micro ${whole} NOT NULL,
      prev_hash TEXT NOT NULL,
      hash TEXT NOT NULL,
      PRIMARY KEY (account_id, seq),
      CHECK (gross_micro = developer_micro + platform_micro)
    ) ${clustered} ${partitionBy("HASH (account_id)")}`,
    `CREATE TABLE usage_rollups (
      account_id ${id} NOT NULL,
      hour ${whole} NOT NULL,
      endpoint TEXT NOT NULL,
      payer TEXT NOT NULL,
      share_bps ${whole} NOT NULL,
      calls ${whole} NOT NULL,
      gross_micro ${whole} NOT NULL,
      developer_micro ${whole} NOT NULL,
      platform_micro ${whole} NOT NULL,
      PRIMARY KEY (account_id, hour, endpoint, payer, share_bps),
      CHECK (gross_micro = developer_micro + platform_micro)
    ) ${clustered}`,
    `CREATE TABLE session_records (
      account_id ${id} NOT NULL,
      id ${id} NOT NULL,
      mode TEXT NOT NULL,
      endpoint TEXT NOT NULL,
      at ${whole} NOT NULL,
      user_engagement ${real},
      session_duration ${real},
      scroll_depth ${real},
      interaction_count ${whole},
      page_views ${whole},
      return_visitor ${whole},
      service_score ${real} NOT NULL,
      confidence ${real} NOT NULL,
      recommendation TEXT NOT NULL,
      model_version TEXT NOT NULL,
      processing_time_ms ${real} NOT NULL,
      ledger_seq ${whole},
      PRIMARY KEY (account_id, id)
    ) ${clustered} ${partitionBy("RANGE (id)")}`,
    // The texts are stored in order of arrival; only the narrow index is in random order.
    `CREATE TABLE idempotency_answers (
      key_hash TEXT NOT NULL PRIMARY KEY,
      account_id ${id} NOT NULL,
      endpoint TEXT NOT NULL,
      input TEXT NOT NULL,
      body TEXT NOT NULL,
      ledger_seq ${whole},
      at ${whole} NOT NULL
    ) ${end}`,
    `CREATE INDEX idempotency_answers_at ON idempotency_answers (at)`,
  ];
}

function guardLedgerOnSqlite(): string[] {
  const refuse = "BEGIN SELECT RAISE(ABORT, 'ledger_entries is append-only'); END";
  return [
    ...["UPDATE", "DELETE"].map(
      (verb) => `CREATE TRIGGER ledger_entries_no_${verb.toLowerCase()} BEFORE ${verb} ON ledger_entries ${refuse}`,
    ),
    // REPLACE deletes the old row without firing the trigger on DELETE.
    `CREATE TRIGGER ledger_entries_no_replace BEFORE INSERT ON ledger_entries
      WHEN EXISTS (SELECT 1 FROM ledger_entries WHERE account_id = NEW.account_id AND seq = NEW.seq) ${refuse}`,
  ];
}

function partitionAndGuardOnPostgres(): string[] {
  const partitions = Array.from({ length: ledgerPartitions }, (_, index) => `ledger_entries_${index}`);
  return [
    ...partitions.map(
      (name, index) => `CREATE TABLE ${name} PARTITION OF ledger_entries
        FOR VALUES WITH (MODULUS ${ledgerPartitions}, REMAINDER ${index})`,
    ),
    // operations/make-partitions.ts creates days ahead; rows of other days go here.
    `CREATE TABLE session_records_default PARTITION OF session_records DEFAULT`,
    `CREATE TABLE commit_batches (
      id TEXT NOT NULL PRIMARY KEY,
      committed SMALLINT NOT NULL,
      at BIGINT NOT NULL
    )`,
    `CREATE INDEX commit_batches_at ON commit_batches (at)`,
    `CREATE FUNCTION assay_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'ledger_entries is append-only'; END $$`,
    `CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE ON ledger_entries
      FOR EACH ROW EXECUTE FUNCTION assay_refuse_change()`,
    // TRUNCATE fires only the trigger of the table that it names, so each partition has its own.
    ...["ledger_entries", ...partitions].map(
      (name) => `CREATE TRIGGER ${name}_no_truncate BEFORE TRUNCATE ON ${name}
        FOR EACH STATEMENT EXECUTE FUNCTION assay_refuse_change()`,
    ),
    chargeCallsFunction1,
  ];
}

export function foundation(dialect: Dialect): string[] {
  return [
    ...createTables(dialect),
    ...(dialect === "sqlite" ? guardLedgerOnSqlite() : partitionAndGuardOnPostgres()),
  ];
}
