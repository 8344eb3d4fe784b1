import { type Dialect, sqlWordsOf } from "./migration.ts";

/**
 * When a session was confirmed with the password and the second factor, and when that was last of use; and whether the
 * account of an ended link has proved that the bank account or tax number is its own.
 */
export function stepUp(dialect: Dialect): string[] {
  const { whole } = sqlWordsOf(dialect);
  return [
    `ALTER TABLE sign_ins ADD COLUMN stepped_up_at ${whole}`,
    `ALTER TABLE sign_ins ADD COLUMN step_up_used_at ${whole}`,
    `ALTER TABLE payee_unlinks ADD COLUMN proven ${whole} NOT NULL DEFAULT 0 CHECK (proven IN (0, 1))`,
  ];
}
