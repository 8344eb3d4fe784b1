import { type Dialect, sqlWordsOf } from "./migration.ts";

export function payoutsAndJobs(dialect: Dialect): string[] {
  const { id, whole, end, clustered } = sqlWordsOf(dialect);
  return [
    `CREATE TABLE payouts (
      id ${id} NOT NULL PRIMARY KEY,
      account_id ${id} NOT NULL REFERENCES accounts (id),
      month TEXT NOT NULL,
      amount_micro ${whole} NOT NULL CHECK (amount_micro > 0),
      status TEXT NOT NULL CHECK (status IN ('proposed', 'approved', 'exported', 'paid', 'returned')),
      proposed_at ${whole} NOT NULL,
      approved_at ${whole},
      exported_at ${whole},
      paid_at ${whole},
      returned_at ${whole},
      note TEXT,
      payout_seq ${whole},
      returned_seq ${whole},
      CHECK ((paid_at IS NULL) = (payout_seq IS NULL))
    ) ${end}`,
    // One open payout per account: two could pay the same balance twice.
    `CREATE UNIQUE INDEX payouts_open ON payouts (account_id) WHERE status IN ('proposed', 'approved', 'exported')`,
    `CREATE INDEX payouts_account ON payouts (account_id, proposed_at)`,
    `CREATE TABLE jobs (
      name ${id} NOT NULL PRIMARY KEY,
      next_run_at ${whole} NOT NULL,
      lease TEXT,
      leased_until ${whole} NOT NULL,
      holder TEXT,
      started_at ${whole},
      last_run_at ${whole},
      last_success_at ${whole},
      last_duration_ms ${whole},
      last_result TEXT,
      failures ${whole} NOT NULL CHECK (failures >= 0)
    ) ${end}`,
    // Kept forever, unlike the mails themselves.
    `CREATE TABLE statement_mails (
      account_id ${id} NOT NULL,
      month TEXT NOT NULL,
      queued_at ${whole} NOT NULL,
      PRIMARY KEY (account_id, month)
    ) ${clustered}`,
  ];
}
