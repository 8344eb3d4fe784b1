import { setTier } from "../apps/api/src/people/change-account.ts";
import { createAccount } from "../apps/api/src/people/create-account.ts";
import { issueKey } from "../apps/api/src/access/keys/issue-key.ts";
import { openStore, type StoreSettings } from "../apps/api/src/store/open-store.ts";

/** Who may sign in. */
export type Person = { email: string; password: string; operator: boolean };

/** Creates an account whose limits are counted as usual but too high to be reached, and returns its key. */
export async function prepareAccount(storeSettings: StoreSettings, person?: Person): Promise<string> {
  const nowMs = Date.now();
  const { store } = await openStore(storeSettings, { nowMs, onConnectionError: () => {} });
  await setTier(store, { name: "Bench", per_hour: 1e9, per_minute: 1e9, share_bps: 6_800, nowMs, channel: undefined });
  const nobody = { email: `bench-${nowMs}@localhost`, password: undefined, operator: false };
  const outcome = await createAccount(store, { ...(person ?? nobody), tier: "Bench", verified: true }, nowMs);
  if (outcome.kind !== "created") throw new Error(outcome.kind);
  const { key } = await issueKey(store, { accountId: outcome.account.id, mode: "live", name: "bench", nowMs });
  await store.close();
  return key;
}
