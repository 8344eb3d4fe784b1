import { randomUUID } from "node:crypto";
import { setTier } from "../apps/api/src/people/change-account.ts";
import { createAccount } from "../apps/api/src/people/create-account.ts";
import { issueKey } from "../apps/api/src/access/keys/issue-key.ts";
import { openStore, type StoreSettings } from "../apps/api/src/store/open-store.ts";
import type { Store } from "../apps/api/src/store/store.ts";

/** Who may sign in. */
export type Person = { email: string; password: string; operator: boolean };

/** Creates an account whose limits are counted as usual but too high to be reached. */
export async function createBenchAccount(store: Store, person?: Person): Promise<{ accountId: string; apiKey: string }> {
  const nowMs = Date.now();
  await setTier(store, { name: "Bench", per_hour: 1e9, per_minute: 1e9, share_bps: 6_800, nowMs, channel: undefined });
  const nobody = { email: `bench-${randomUUID()}@localhost`, password: undefined, operator: false };
  const outcome = await createAccount(store, { ...(person ?? nobody), tier: "Bench", verified: true }, nowMs);
  if (outcome.kind !== "created") throw new Error(outcome.kind);
  const { id: accountId } = outcome.account;
  const { key: apiKey } = await issueKey(store, { accountId, mode: "live", name: "bench", nowMs });
  return { accountId, apiKey };
}

/** The same in a store that no service has open yet. Returns the account's key. */
export async function prepareAccount(storeSettings: StoreSettings, person?: Person): Promise<string> {
  const { store } = await openStore(storeSettings, { nowMs: Date.now(), onConnectionError: () => {} });
  const { apiKey } = await createBenchAccount(store, person);
  await store.close();
  return apiKey;
}
