import { type Dialect, sqlWordsOf } from "./migration.ts";

/** Counts the changes of what an account signs in with: see people/end-sessions.ts. */
export function signInEpochs(dialect: Dialect): string[] {
  const { whole } = sqlWordsOf(dialect);
  return [`ALTER TABLE accounts ADD COLUMN sign_in_epoch ${whole} NOT NULL DEFAULT 0`];
}
