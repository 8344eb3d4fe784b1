import { type Dialect, sqlWordsOf } from "./migration.ts";

/** An operator decided that `account_id` is not linked to `from_account_id`, although they named the same bank account or tax id. */
export function payeeLinks(dialect: Dialect): string[] {
  const { id, whole, clustered } = sqlWordsOf(dialect);
  return [
    `CREATE TABLE payee_unlinks (
      account_id ${id} NOT NULL REFERENCES accounts (id),
      from_account_id ${id} NOT NULL REFERENCES accounts (id),
      unlinked_at ${whole} NOT NULL,
      PRIMARY KEY (account_id, from_account_id)
    ) ${clustered}`,
  ];
}
