import { insertSite } from "../apps/api/src/attestation/sites/sites.table.ts";
import { randomBase62 } from "../apps/api/src/ids/time-ordered-id.ts";
import { openStore, type StoreSettings } from "../apps/api/src/store/open-store.ts";
import { createBenchAccount } from "./prepare-account.ts";

export type SiteAccount = { accountId: string; apiKey: string; siteIds: string[]; origin: string };

const siteIdLength = 20;

/** Accounts with sites of one origin each, in a store that no service has open yet. */
export async function prepareSites(storeSettings: StoreSettings, { accounts, sitesPerAccount, originOf = (index) => `https://shop-${index}.example` }: { accounts: number; sitesPerAccount: number; originOf?: (account: number) => string }): Promise<SiteAccount[]> {
  const nowMs = Date.now();
  const { store } = await openStore(storeSettings, { nowMs, onConnectionError: () => {} });
  const made: SiteAccount[] = [];
  for (let index = 0; index < accounts; index += 1) {
    const { accountId, apiKey } = await createBenchAccount(store);
    const origin = originOf(index);
    const siteIds = Array.from({ length: sitesPerAccount }, () => `site_${randomBase62(siteIdLength)}`);
    await store.write(
      siteIds.map((id) => insertSite(store.db, { id, account_id: accountId, name: "bench", origins: JSON.stringify([origin]), created_at: nowMs, changed_at: nowMs, deleted_at: null, last_seen_at: null })),
    );
    made.push({ accountId, apiKey, siteIds, origin });
  }
  await store.close();
  return made;
}
