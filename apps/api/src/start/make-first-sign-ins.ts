import { randomInt } from "node:crypto";
import { countAccounts } from "../register/accounts.table.ts";
import { createAccount } from "../people/create-account.ts";
import { issueKey } from "../access/keys/issue-key.ts";
import type { Store } from "../store/store.ts";

export type FirstSignIns = {
  developer: { email: string; password: string };
  operator: { email: string; password: string };
  liveKey: string;
  testKey: string;
};

const passwordAlphabet = "abcdefghjkmnpqrstuvwxyz23456789";
const passwordLength = 16;

export function makePassword(): string {
  return Array.from({ length: passwordLength }, () => passwordAlphabet[randomInt(passwordAlphabet.length)]).join("");
}

async function createWithPassword(store: Store, wish: { email: string; tier: string; operator: boolean; nowMs: number }) {
  const password = makePassword();
  const outcome = await createAccount(store, { ...wish, verified: true, password }, wish.nowMs);
  if (outcome.kind === "email_taken") return undefined;
  if (outcome.kind !== "created") throw new Error(`the first account could not be made: ${outcome.kind}`);
  return { accountId: outcome.account.id, email: outcome.account.email, password };
}

/** Gives an empty store a developer with two keys and an operator. Undefined when there are accounts already. */
export async function makeFirstSignIns(store: Store, nowMs: number): Promise<FirstSignIns | undefined> {
  const { count } = await countAccounts(store.db).executeTakeFirstOrThrow();
  if (count > 0) return undefined;
  const operator = await createWithPassword(store, { email: "operator@localhost", tier: "Starter", operator: true, nowMs });
  // Another process found the store empty at the same moment and was quicker: the sign-ins are its to show.
  if (!operator) return undefined;
  const developer = await createWithPassword(store, { email: "developer@localhost", tier: "Starter", operator: false, nowMs });
  if (!developer) return undefined;
  const { accountId } = developer;
  const live = await issueKey(store, { accountId, mode: "live", name: "First live key", nowMs });
  const test = await issueKey(store, { accountId, mode: "test", name: "First test key", nowMs });
  return { developer, operator, liveKey: live.key, testKey: test.key };
}
