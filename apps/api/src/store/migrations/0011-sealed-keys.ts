import { type Dialect, sqlWordsOf } from "./migration.ts";

/** Keys of the installation, encrypted; tracking keys that outlive a replaced SECRET_KEY; sign-ups with a password each. */
export function sealedKeys(dialect: Dialect): string[] {
  const { id, whole, end } = sqlWordsOf(dialect);
  return [
    `CREATE TABLE sealed_keys (
      name ${id} NOT NULL PRIMARY KEY,
      sealed TEXT NOT NULL,
      created_at ${whole} NOT NULL
    ) ${end}`,
    `ALTER TABLE tracking_keys ADD COLUMN sealed TEXT`,
    `ALTER TABLE sign_in_challenges ADD COLUMN failures ${whole} NOT NULL DEFAULT 0`,
    `ALTER TABLE sign_in_challenges ADD COLUMN remember ${whole} NOT NULL DEFAULT 1`,
    `ALTER TABLE account_links ADD COLUMN password_hash TEXT`,
  ];
}
