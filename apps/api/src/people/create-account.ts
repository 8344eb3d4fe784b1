import { openChain } from "../money/ledger/ledger.table.ts";
import type { AccountRow } from "../store/schema.ts";
import type { ClosedWrite, Store } from "../store/store.ts";
import { timeOrderedId } from "../ids/time-ordered-id.ts";
import { insertAccount, selectAccountByEmail } from "../register/accounts.table.ts";
import { hashPassword } from "./hash-password.ts";
import { selectTierByName } from "../register/tiers.table.ts";

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

/** One @ with something on both sides, and nothing that separates or quotes in a mail's header: the verification mail tells the rest. */
const emailPattern = /^[^\s\p{C}@<>()[\],;:\\"]+@[^\s\p{C}@<>()[\],;:\\"]+$/u;
const emailLengthMax = 254;

export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

export const isEmail = (email: string): boolean => email.length <= emailLengthMax && emailPattern.test(email);

/** Opens an account together with its chain in the ledger, and whatever `alongside` adds to that one write. */
export async function createAccount(
  store: Store,
  wish: NewAccount,
  nowMs: number,
  alongside: (account: AccountRow) => ClosedWrite = () => [],
): Promise<CreateAccountOutcome> {
  const email = normalizeEmail(wish.email);
  if (!isEmail(email)) return { kind: "invalid_email" };
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
    const chain = openChain(store.db, { accountId: account.id, nowMs });
    await store.write([insertAccount(store.db, account), chain, ...alongside(account)]);
  } catch (error) {
    // Two may have asked for the address at once: the database lets one of them in.
    if (await selectAccountByEmail(store.db, email).executeTakeFirst()) return { kind: "email_taken" };
    throw error;
  }
  return { kind: "created", account };
}
