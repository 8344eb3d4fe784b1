import type { Store } from "../../store/store.ts";
import { selectEmails } from "../../register/accounts.table.ts";

/** Addresses by account, of those that still have one. */
export async function emailsOf(store: Store, accountIds: readonly string[]): Promise<Map<string, string>> {
  const wanted = [...new Set(accountIds)];
  if (wanted.length === 0) return new Map();
  const rows = await selectEmails(store.db, wanted).execute();
  return new Map(rows.map(({ id, email }) => [id, email]));
}
