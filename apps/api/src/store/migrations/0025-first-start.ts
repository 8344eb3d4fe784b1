import { type Dialect, sqlWordsOf } from "./migration.ts";

/**
 * Which account the first start has made for whoever sits at this machine. Only the embedded store has one: of those that
 * exist, the developer among its first two accounts. The address alone would not do: it is free again after an erasure.
 */
export function firstStart(dialect: Dialect): string[] {
  const { whole } = sqlWordsOf(dialect);
  const mark = `UPDATE accounts SET at_first_start = 1
    WHERE email = 'developer@localhost' AND operator = 0 AND id IN (SELECT id FROM accounts ORDER BY id LIMIT 2)`;
  return [`ALTER TABLE accounts ADD COLUMN at_first_start ${whole} NOT NULL DEFAULT 0`, ...(dialect === "sqlite" ? [mark] : [])];
}
