import { isoTime, msPerDay, startOfDay } from "../../formats/time.ts";
import type { Store } from "../../store/store.ts";
import { writeOnce } from "../../webhooks/events/write-once.ts";
import { keyData } from "./key-events.ts";
import { selectExpiringKeys, selectKeyById } from "./keys.table.ts";

const noticeDays = [7, 1] as const;
const keysPerPage = 200;

/** Tells the owners of keys that expire within a week, and again within a day. A rotated key is no news. */
export async function tellExpiringKeys(store: Store, { nowMs, isOver }: { nowMs: number; isOver: () => boolean }): Promise<number> {
  let told = 0;
  for (const days of noticeDays) {
    const span = { fromMs: nowMs, toMs: nowMs + days * msPerDay, limit: keysPerPage };
    for (let afterId = ""; !isOver(); ) {
      const keys = await selectExpiringKeys(store.db, { ...span, afterId }).execute();
      for (const key of keys) {
        const data = { ...keyData(key), expires_at: isoTime(key.expires_at) };
        const outcome = await writeOnce(store, { audience: key.account_id, type: "key.expiring", data }, { onceKey: `key.expiring:${key.id}:${days}:${key.expires_at}`, nowMs });
        if (outcome === "written") told += 1;
        afterId = key.id;
      }
      if (keys.length < keysPerPage) break;
    }
  }
  return told;
}

/** Tells the owner of a live key that came with a browser's Origin, once per key and day. */
export async function tellBrowserUse(store: Store, { keyId, atMs }: { keyId: string; atMs: number }): Promise<void> {
  const key = await selectKeyById(store.db, keyId).executeTakeFirst();
  if (!key || key.revoked_at !== null) return;
  const onceKey = `key.used_in_browser:${keyId}:${startOfDay(atMs)}`;
  await writeOnce(store, { audience: key.account_id, type: "key.used_in_browser", data: keyData(key) }, { onceKey, nowMs: atMs });
}
