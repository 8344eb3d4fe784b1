import { chargeCallsFunction2 } from "./0009-charge-calls.ts";
import { type Dialect, sqlWordsOf } from "./migration.ts";

/** The kind `deposit`. */
function extendKinds(dialect: Dialect): string[] {
  const { id, whole, clustered } = sqlWordsOf(dialect);
  const kinds = "kind IN ('call', 'click', 'funding', 'deposit', 'adjustment', 'reversal', 'payout', 'payout_returned')";
  if (dialect === "postgres") {
    // Every stored row passed the narrower check: validating the wider one would only read them all under a lock.
    return [
      `ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_kind_check`,
      `ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_kind_check CHECK (${kinds}) NOT VALID`,
    ];
  }
  const columns = "account_id, seq, at, kind, ref, endpoint, payer, share_bps, gross_micro, developer_micro, platform_micro, prev_hash, hash";
  const refuse = "BEGIN SELECT RAISE(ABORT, 'ledger_entries is append-only'); END";
  // SQLite cannot change a CHECK: the table is copied. The triggers go with the old table and are made again.
  return [
    `ALTER TABLE ledger_entries RENAME TO ledger_entries_before`,
    `CREATE TABLE ledger_entries (
      account_id ${id} NOT NULL,
      seq ${whole} NOT NULL CHECK (seq > 0),
      at ${whole} NOT NULL,
      kind TEXT NOT NULL CHECK (${kinds}),
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
    ) ${clustered}`,
    `INSERT INTO ledger_entries (${columns}) SELECT ${columns} FROM ledger_entries_before ORDER BY account_id, seq`,
    `DROP TABLE ledger_entries_before`,
    ...["UPDATE", "DELETE"].map(
      (verb) => `CREATE TRIGGER ledger_entries_no_${verb.toLowerCase()} BEFORE ${verb} ON ledger_entries ${refuse}`,
    ),
    `CREATE TRIGGER ledger_entries_no_replace BEFORE INSERT ON ledger_entries
      WHEN EXISTS (SELECT 1 FROM ledger_entries WHERE account_id = NEW.account_id AND seq = NEW.seq) ${refuse}`,
  ];
}

/** What an account can spend on calls. Null until it is kept for the account: heads of earlier versions have no such sum. */
function extendHeads(dialect: Dialect): string[] {
  const { whole } = sqlWordsOf(dialect);
  return [
    `ALTER TABLE ledger_heads ADD COLUMN spendable_micro ${whole}`,
    // Entries up to here are counted in it: code of earlier versions appends entries without counting them.
    `ALTER TABLE ledger_heads ADD COLUMN spendable_seq ${whole} NOT NULL DEFAULT 0`,
    // The shares of calls up to here are counted in it.
    `ALTER TABLE ledger_heads ADD COLUMN share_confirmed_seq ${whole} NOT NULL DEFAULT 0`,
  ];
}

function createCorrections(dialect: Dialect): string[] {
  const { id, whole, clustered, end } = sqlWordsOf(dialect);
  return [
    `CREATE TABLE corrections (
      account_id ${id} NOT NULL REFERENCES accounts (id),
      ref ${id} NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('deposit', 'adjustment')),
      payer TEXT NOT NULL CHECK (payer IN ('platform', 'developer')),
      amount_micro ${whole} NOT NULL CHECK (amount_micro <> 0),
      reason TEXT,
      actor_account_id ${id},
      at ${whole} NOT NULL,
      ledger_seq ${whole} NOT NULL,
      PRIMARY KEY (account_id, ref),
      CHECK (kind = 'deposit' OR reason IS NOT NULL)
    ) ${clustered}`,
    // Dates that hold for all nodes, each set once.
    `CREATE TABLE installation_dates (
      name ${id} NOT NULL PRIMARY KEY,
      at ${whole} NOT NULL
    ) ${end}`,
  ];
}

export const prepaid = (dialect: Dialect): string[] => [
  ...extendKinds(dialect),
  ...extendHeads(dialect),
  ...createCorrections(dialect),
  ...(dialect === "postgres" ? [chargeCallsFunction2] : []),
];
