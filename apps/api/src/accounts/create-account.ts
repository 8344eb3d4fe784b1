import { openChain } from "../billing/ledger.table.ts";
import type { AccountRow } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { timeOrderedId } from "../store/time-ordered-id.ts";
import { insertAccount, selectAccountByEmail } from "./accounts.table.ts";
import { hashPassword } from "./hash-password.ts";
import { selectTierByName } from "./tiers.table.ts";

export type NewAccount = {
  email: string;
  tier: string;
  verified: boolean;
  operator: boolean;
  password: string | undefined;
};

export type CreateAccountOutcome =
  | { kind: "created"; account: AccountRow }
  | { kind: "email_taken" }
  | { kind: "invalid_email" }
  | { kind: "unknown_tier" };

/** One @, something on both sides, no white space: the verification mail tells the rest. */
const emailPattern = /^[^\s@]+@[^\s@]+$/;
const emailLengthMax = 254;

export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

/** Opens an account together with its chain in the ledger. */
export async function createAccount(store: Store, wish: NewAccount, nowMs: number): Promise<CreateAccountOutcome> {
  const email = normalizeEmail(wish.email);
  if (email.length > emailLengthMax || !emailPattern.test(email)) return { kind: "invalid_email" };
  const tier = await selectTierByName(store.db, wish.tier).executeTakeFirst();
  if (!tier) return { kind: "unknown_tier" };
  if (await selectAccountByEmail(store.db, email).executeTakeFirst()) return { kind: "email_taken" };
  const account: AccountRow = {
    id: timeOrderedId("acct", nowMs),
    email,
    password_hash: wish.password === undefined ? null : await hashPassword(wish.password),
    tier: tier.name,
    status: "active",
    verified_at: wish.verified ? nowMs : null,
    operator: Number(wish.operator),
    demo: 0,
    created_at: nowMs,
  };
  try {
    await store.write([insertAccount(store.db, account), openChain(store.db, { accountId: account.id, nowMs })]);
  } catch (error) {
    // Two may have asked for the address at once: the database lets one of them in.
    if (await selectAccountByEmail(store.db, email).executeTakeFirst()) return { kind: "email_taken" };
    throw error;
  }
  return { kind: "created", account };
}
