import { setTier } from "../src/people/change-account.ts";
import { createAccount } from "../src/people/create-account.ts";
import { selectTierByName } from "../src/register/tiers.table.ts";
import { issueKey } from "../src/access/keys/issue-key.ts";
import { openStore, type StoreSettings } from "../src/store/open-store.ts";
import type { Store } from "../src/store/store.ts";

/** A tier with limits that no test reaches, at Scale's share; `makeAccount` creates it on demand. */
export const vastTier = "Vast";
const vastLimit = 100_000_000;

export type TestAccount = {
  accountId: string;
  email: string;
  liveKey: string;
  liveKeyId: string;
  testKey: string;
  testKeyId: string;
};

let made = 0;

async function addVastTier(store: Store): Promise<void> {
  if (await selectTierByName(store.db, vastTier).executeTakeFirst()) return;
  const limits = { per_hour: vastLimit, per_minute: vastLimit };
  await setTier(store, { name: vastTier, ...limits, share_bps: 7_000, nowMs: Date.now(), channel: undefined });
}

async function makeIn(store: Store, { tier, nowMs }: { tier: string; nowMs: number }): Promise<TestAccount> {
  if (tier === vastTier) await addVastTier(store);
  made += 1;
  const account = { email: `developer-${process.pid}-${made}@example.com`, tier, verified: true, operator: false, password: undefined };
  const outcome = await createAccount(store, account, nowMs);
  if (outcome.kind !== "created") throw new Error(`creating the account failed: ${outcome.kind}`);
  const { id: accountId, email } = outcome.account;
  const live = await issueKey(store, { accountId, mode: "live", name: "live", nowMs });
  const test = await issueKey(store, { accountId, mode: "test", name: "test", nowMs });
  return { accountId, email, liveKey: live.key, liveKeyId: live.keyId, testKey: test.key, testKeyId: test.keyId };
}

/**
 * Creates an account with a live and a test key, in an open store or in one that a service uses at the same time. No
 * entry of its ledger may be older than `nowMs`.
 */
export async function makeAccount(
  where: Store | StoreSettings,
  { tier = "Starter", nowMs = Date.now() }: { tier?: string; nowMs?: number } = {},
): Promise<TestAccount> {
  if ("db" in where) return makeIn(where, { tier, nowMs });
  const { store } = await openStore(where, { nowMs: Date.now(), onConnectionError: () => {} });
  try {
    return await makeIn(store, { tier, nowMs });
  } finally {
    await store.close();
  }
}
