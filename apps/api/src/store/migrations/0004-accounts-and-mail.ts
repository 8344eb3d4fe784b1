import { type Dialect, sqlWordsOf } from "./migration.ts";

/** Sign-ins, mails, and throttles against guessing. */
export function accountsAndMail(dialect: Dialect): string[] {
  const { id, whole, end } = sqlWordsOf(dialect);
  const account = `account_id ${id} NOT NULL REFERENCES accounts (id)`;
  return [
    `CREATE TABLE sign_ins (
      id ${id} NOT NULL PRIMARY KEY,
      token TEXT NOT NULL UNIQUE,
      ${account},
      ip_address TEXT NOT NULL,
      user_agent TEXT NOT NULL,
      created_at ${whole} NOT NULL,
      updated_at ${whole} NOT NULL,
      expires_at ${whole} NOT NULL
    ) ${end}`,
    `CREATE INDEX sign_ins_account ON sign_ins (account_id)`,
    `CREATE INDEX sign_ins_expires ON sign_ins (expires_at)`,
    `CREATE TABLE sign_in_challenges (
      id ${id} NOT NULL PRIMARY KEY,
      identifier TEXT NOT NULL,
      value TEXT NOT NULL,
      created_at ${whole} NOT NULL,
      updated_at ${whole} NOT NULL,
      expires_at ${whole} NOT NULL
    ) ${end}`,
    `CREATE INDEX sign_in_challenges_identifier ON sign_in_challenges (identifier)`,
    `CREATE INDEX sign_in_challenges_expires ON sign_in_challenges (expires_at)`,
    `CREATE INDEX sign_in_challenges_value ON sign_in_challenges (value)`,
    `CREATE TABLE second_factors (
      id ${id} NOT NULL PRIMARY KEY,
      ${account} UNIQUE,
      secret TEXT NOT NULL,
      recovery_codes TEXT NOT NULL,
      verified ${whole} NOT NULL CHECK (verified IN (0, 1)),
      failures ${whole} NOT NULL,
      locked_until ${whole}
    ) ${end}`,
    `CREATE TABLE account_links (
      token_hash TEXT NOT NULL PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('verify', 'reset', 'change_email')),
      ${account},
      email TEXT NOT NULL,
      browser_hash TEXT,
      created_at ${whole} NOT NULL,
      expires_at ${whole} NOT NULL,
      used_at ${whole}
    ) ${end}`,
    `CREATE INDEX account_links_account ON account_links (account_id)`,
    `CREATE INDEX account_links_expires ON account_links (expires_at)`,
    `CREATE TABLE throttles (
      subject TEXT NOT NULL PRIMARY KEY,
      tries ${whole} NOT NULL,
      since ${whole} NOT NULL,
      blocked_until ${whole} NOT NULL,
      updated_at ${whole} NOT NULL
    ) ${end}`,
    `CREATE INDEX throttles_updated ON throttles (updated_at)`,
    `CREATE TABLE account_closures (
      account_id ${id} NOT NULL PRIMARY KEY REFERENCES accounts (id),
      requested_at ${whole} NOT NULL,
      forfeited ${whole} NOT NULL CHECK (forfeited IN (0, 1)),
      erased_at ${whole}
    ) ${end}`,
    `CREATE TABLE mails (
      id ${id} NOT NULL PRIMARY KEY,
      account_id ${id} REFERENCES accounts (id),
      kind TEXT NOT NULL,
      recipient TEXT NOT NULL,
      subject TEXT NOT NULL,
      body_text TEXT NOT NULL,
      body_html TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'failed')),
      attempts ${whole} NOT NULL,
      next_at ${whole} NOT NULL,
      lease TEXT,
      leased_until ${whole} NOT NULL,
      last_error TEXT,
      created_at ${whole} NOT NULL,
      done_at ${whole}
    ) ${end}`,
    `CREATE INDEX mails_due ON mails (state, next_at)`,
    `CREATE INDEX mails_account ON mails (account_id)`,
  ];
}
