import type { Dialect } from "../store.ts";

/** New, empty tables: they take no time on a database of any size. */
export function payoutsAndJobs(dialect: Dialect): string[] {
  const [id, whole, end] = dialect === "sqlite" ? ["TEXT", "INTEGER", "STRICT"] : ['TEXT COLLATE "C"', "BIGINT", ""];
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
    // One payout of an account at a time: two at once could promise the same money twice.
    `CREATE UNIQUE INDEX payouts_open ON payouts (account_id) WHERE status IN ('proposed', 'approved', 'exported')`,
    `CREATE INDEX payouts_account ON payouts (account_id, proposed_at)`,
    `CREATE TABLE jobs (
      name ${id} NOT NULL PRIMARY KEY,
      next_run_at ${whole} NOT NULL,
      lease TEXT,
      leased_until ${whole} NOT NULL,
      last_run_at ${whole},
      last_result TEXT
    ) ${end}`,
  ];
}
