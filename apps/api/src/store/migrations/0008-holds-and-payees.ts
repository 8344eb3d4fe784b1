import { type Dialect, sqlWordsOf } from "./migration.ts";

/** The status `cancelled`, who did each step, and the payee as it was when the payout was proposed. */
function extendPayouts(dialect: Dialect): string[] {
  const { id, whole, end } = sqlWordsOf(dialect);
  const statuses = "status IN ('proposed', 'approved', 'exported', 'paid', 'returned', 'cancelled')";
  if (dialect === "postgres") {
    return [
      `ALTER TABLE payouts DROP CONSTRAINT payouts_status_check`,
      `ALTER TABLE payouts ADD CONSTRAINT payouts_status_check CHECK (${statuses})`,
      `ALTER TABLE payouts ADD COLUMN cancelled_at ${whole}`,
      `ALTER TABLE payouts ADD COLUMN proposed_by ${id}`,
      `ALTER TABLE payouts ADD COLUMN approved_by ${id}`,
      `ALTER TABLE payouts ADD COLUMN payee TEXT`,
    ];
  }
  const before = "id, account_id, month, amount_micro, status, proposed_at, approved_at, exported_at, paid_at, returned_at, note, payout_seq, returned_seq";
  // SQLite cannot change a CHECK: the table is copied.
  return [
    `ALTER TABLE payouts RENAME TO payouts_before`,
    `CREATE TABLE payouts (
      id ${id} NOT NULL PRIMARY KEY,
      account_id ${id} NOT NULL REFERENCES accounts (id),
      month TEXT NOT NULL,
      amount_micro ${whole} NOT NULL CHECK (amount_micro > 0),
      status TEXT NOT NULL CHECK (${statuses}),
      proposed_at ${whole} NOT NULL,
      approved_at ${whole},
      exported_at ${whole},
      paid_at ${whole},
      returned_at ${whole},
      note TEXT,
      payout_seq ${whole},
      returned_seq ${whole},
      cancelled_at ${whole},
      proposed_by ${id},
      approved_by ${id},
      payee TEXT,
      CHECK ((paid_at IS NULL) = (payout_seq IS NULL))
    ) ${end}`,
    `INSERT INTO payouts (${before}) SELECT ${before} FROM payouts_before`,
    `DROP TABLE payouts_before`,
    `CREATE UNIQUE INDEX payouts_open ON payouts (account_id) WHERE status IN ('proposed', 'approved', 'exported')`,
    `CREATE INDEX payouts_account ON payouts (account_id, proposed_at)`,
  ];
}

/**
 * Suspended accounts are held, and so are those that closed while they were suspended: the audit log tells which, and
 * since when.
 */
function createHolds(dialect: Dialect): string[] {
  const { id, whole, end } = sqlWordsOf(dialect);
  const lastOf = (action: string) => `(SELECT max(l.at) FROM audit_log l WHERE l.subject = a.id AND l.action = 'account.${action}')`;
  return [
    `CREATE TABLE money_holds (
      id ${id} NOT NULL PRIMARY KEY,
      account_id ${id} NOT NULL REFERENCES accounts (id),
      kind TEXT NOT NULL CHECK (kind IN ('suspension', 'operator')),
      reason TEXT NOT NULL,
      opened_by ${id},
      opened_at ${whole} NOT NULL,
      lifted_by ${id},
      lifted_at ${whole},
      lift_reason TEXT,
      CHECK ((lifted_at IS NULL) = (lift_reason IS NULL))
    ) ${end}`,
    `CREATE UNIQUE INDEX money_holds_open ON money_holds (account_id, kind) WHERE lifted_at IS NULL`,
    `CREATE INDEX money_holds_account ON money_holds (account_id, opened_at)`,
    `INSERT INTO money_holds (id, account_id, kind, reason, opened_at)
      SELECT 'hold_' || a.id, a.id, 'suspension', 'The account was suspended.', coalesce(${lastOf("suspend")}, a.created_at)
      FROM accounts a
      WHERE a.status = 'suspended' OR (a.status = 'closed' AND ${lastOf("suspend")} > coalesce(${lastOf("resume")}, 0))`,
  ];
}

/** A keyed hash per bank account and tax id that an account named, by which accounts that share one are found. */
function extendPayees(dialect: Dialect): string[] {
  const { id, whole, clustered } = sqlWordsOf(dialect);
  return [
    // When the bank account, method or tax id may be paid to; 0: at once.
    `ALTER TABLE payee_profiles ADD COLUMN usable_from ${whole} NOT NULL DEFAULT 0`,
    `CREATE TABLE payee_marks (
      account_id ${id} NOT NULL REFERENCES accounts (id),
      kind TEXT NOT NULL CHECK (kind IN ('bank', 'tax')),
      mark TEXT NOT NULL,
      entered_at ${whole} NOT NULL,
      PRIMARY KEY (account_id, kind, mark)
    ) ${clustered}`,
    `CREATE INDEX payee_marks_mark ON payee_marks (kind, mark, entered_at)`,
  ];
}

export const holdsAndPayees = (dialect: Dialect): string[] => [...createHolds(dialect), ...extendPayouts(dialect), ...extendPayees(dialect)];
