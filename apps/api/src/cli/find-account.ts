import { isoTime } from "../formats/time.ts";
import { normalizeEmail } from "../people/create-account.ts";
import { selectAccountByEmail } from "../register/accounts.table.ts";
import type { AccountRow } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { Refusal } from "./refusal.ts";

export type Account = Omit<AccountRow, "password_hash">;

export async function findAccount(store: Store, email: string): Promise<Account> {
  const account = await selectAccountByEmail(store.db, normalizeEmail(email)).executeTakeFirst();
  if (!account) throw new Refusal(`no account has the e-mail address ${email}`);
  return account;
}

export const describeAccount = (account: Account) => ({
  id: account.id,
  email: account.email,
  tier: account.tier,
  status: account.status,
  verified: account.verified_at !== null,
  operator: account.operator === 1,
  demo: account.demo === 1,
  created_at: isoTime(account.created_at),
});
