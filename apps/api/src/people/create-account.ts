import { timeOrderedId } from "../ids/time-ordered-id.ts";
import { openChain } from "../money/ledger/ledger.table.ts";
import { insertAccount, selectAccountByEmail } from "../register/accounts.table.ts";
import { noteAction } from "../register/audit.table.ts";
import { selectTierByName } from "../register/tiers.table.ts";
import type { AccountRow } from "../store/schema.ts";
import type { ClosedWrite, Store } from "../store/store.ts";
import { hashAtOnce, hashPassword } from "./hash-password.ts";

export type NewAccount = {
  email: string;
  tier: string;
  verified: boolean;
  operator: boolean;
  /** Given by the command line only: a sign-up has none yet. */
  password: string | undefined;
  /** The account's own doing. Else the command line creates it. */
  isSignUp?: true;
  /** Made by the first start, for whoever sits at this machine. */
  isFirstStart?: true;
};

export type CreateAccountOutcome =
  | { kind: "created"; account: AccountRow }
  | { kind: "email_taken" }
  | { kind: "invalid_email" }
  | { kind: "unknown_tier" };

/** One @ with text on both sides, and no separators or quotes of a mail header. The verification mail proves the rest. */
const emailPattern = /^[^\s\p{C}@<>()[\],;:\\"]+@[^\s\p{C}@<>()[\],;:\\"]+$/u;
const emailLengthMax = 254;

export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

export const isEmail = (email: string): boolean => email.length <= emailLengthMax && emailPattern.test(email);

/** Opens an account and its ledger chain in one write, with the statements of `alongside`. */
export async function createAccount(
  store: Store,
  given: NewAccount,
  nowMs: number,
  alongside: (account: AccountRow) => ClosedWrite = () => [],
): Promise<CreateAccountOutcome> {
  const email = normalizeEmail(given.email);
  if (!isEmail(email)) return { kind: "invalid_email" };
  const tier = await selectTierByName(store.db, given.tier).executeTakeFirst();
  if (!tier) return { kind: "unknown_tier" };
  if (await selectAccountByEmail(store.db, email).executeTakeFirst()) return { kind: "email_taken" };
  const { password } = given;
  const account: AccountRow = {
    id: timeOrderedId("acct", nowMs),
    email,
    password_hash: password === undefined ? null : await hashAtOnce((turn) => hashPassword(turn, password)),
    tier: tier.name,
    status: "active",
    verified_at: given.verified ? nowMs : null,
    operator: Number(given.operator),
    demo: 0,
    created_at: nowMs,
  };
  try {
    const chain = openChain(store.db, { accountId: account.id, nowMs });
    const { id } = account;
    const detail = { tier: account.tier, verified: given.verified, operator: given.operator };
    const note = { actorAccountId: given.isSignUp ? id : null, action: "account.create", subject: id, detail, nowMs };
    await store.write([insertAccount(store.db, given.isFirstStart ? { ...account, at_first_start: 1 } : account), chain, ...alongside(account), noteAction(store.db, note)]);
  } catch (error) {
    // A concurrent sign-up may have taken the address: the unique index lets one of them in.
    if (await selectAccountByEmail(store.db, email).executeTakeFirst()) return { kind: "email_taken" };
    throw error;
  }
  return { kind: "created", account };
}
