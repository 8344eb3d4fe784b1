import { randomInt } from "node:crypto";
import { issueKey } from "../access/keys/issue-key.ts";
import { createAccount } from "../people/create-account.ts";
import { countAccounts, selectAccountByEmail } from "../register/accounts.table.ts";
import type { Store } from "../store/store.ts";

export type FirstSignIns = {
  developer: { email: string; password: string };
  operator: { email: string; password: string };
  liveKey: string;
  testKey: string;
};

const developerEmail = "developer@localhost";
const passwordAlphabet = "abcdefghjkmnpqrstuvwxyz23456789";
const passwordLength = 16;

export function makePassword(): string {
  return Array.from({ length: passwordLength }, () => passwordAlphabet[randomInt(passwordAlphabet.length)]).join("");
}

async function createWithPassword(store: Store, account: { email: string; operator: boolean; isFirstStart?: true; nowMs: number }) {
  const password = makePassword();
  const outcome = await createAccount(store, { ...account, tier: "Starter", verified: true, password }, account.nowMs);
  if (outcome.kind === "email_taken") return undefined;
  if (outcome.kind !== "created") throw new Error(`the first account could not be made: ${outcome.kind}`);
  return { accountId: outcome.account.id, email: outcome.account.email, password };
}

/** Whose address the lines of a later start can name. */
export type KnownEmail = { kind: "first_developer"; email: string } | { kind: "others" } | { kind: "nobody" };

export async function findKnownEmail(store: Store): Promise<KnownEmail> {
  const developer = await selectAccountByEmail(store.db, developerEmail).executeTakeFirst();
  if (developer) return { kind: "first_developer", email: developer.email };
  const { count } = await countAccounts(store.db).executeTakeFirstOrThrow();
  return { kind: count > 0 ? "others" : "nobody" };
}

/** Creates an operator, and a developer with two keys, in an empty store. Undefined when the store has accounts. */
export async function makeFirstSignIns(store: Store, nowMs: number): Promise<FirstSignIns | undefined> {
  const { count } = await countAccounts(store.db).executeTakeFirstOrThrow();
  if (count > 0) return undefined;
  const operator = await createWithPassword(store, { email: "operator@localhost", operator: true, nowMs });
  // Another process that found the store empty was quicker: it prints the sign-ins.
  if (!operator) return undefined;
  const developer = await createWithPassword(store, { email: developerEmail, operator: false, isFirstStart: true, nowMs });
  if (!developer) return undefined;
  const { accountId } = developer;
  const live = await issueKey(store, { accountId, mode: "live", name: "First live key", nowMs });
  const test = await issueKey(store, { accountId, mode: "test", name: "First test key", nowMs });
  return { developer, operator, liveKey: live.key, testKey: test.key };
}
