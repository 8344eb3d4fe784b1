import { selectEmails } from "../../register/accounts.table.ts";
import type { Store } from "../../store/store.ts";

/** Addresses by account id; erased accounts have none. */
export async function emailsOf(store: Store, accountIds: readonly string[]): Promise<Map<string, string>> {
  const wanted = [...new Set(accountIds)];
  if (wanted.length === 0) return new Map();
  const rows = await selectEmails(store.db, wanted).execute();
  return new Map(rows.map(({ id, email }) => [id, email]));
}
