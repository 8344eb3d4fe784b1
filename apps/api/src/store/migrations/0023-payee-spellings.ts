import { type Dialect, sqlWordsOf } from "./migration.ts";

/**
 * The bank's country, and for which state of a profile its marks were made (`updated_at` of that state). -1: before
 * marks told spellings of one bank account; the start of the service makes them anew, and no payout leaves before that.
 */
export function payeeSpellings(dialect: Dialect): string[] {
  const { whole } = sqlWordsOf(dialect);
  return [
    `ALTER TABLE payee_profiles ADD COLUMN bank_country TEXT`,
    `ALTER TABLE payee_profiles ADD COLUMN marked_at ${whole} NOT NULL DEFAULT 0`,
    `UPDATE payee_profiles SET marked_at = -1`,
  ];
}
