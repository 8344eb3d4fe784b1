import type { Mode } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { hashKey, lastFourOf, makeKey } from "./key-format.ts";
import { insertKey } from "./keys.table.ts";

/** Makes a key and stores its hash. The key itself is returned once and kept nowhere. */
export async function issueKey(
  store: Store,
  wish: { accountId: string; mode: Mode; name: string; nowMs: number; expiresAtMs?: number | undefined },
): Promise<{ keyId: string; key: string }> {
  const key = makeKey(wish.mode);
  const keyId = timeOrderedId("key", wish.nowMs);
  await store.write([
    insertKey(store.db, {
      id: keyId,
      account_id: wish.accountId,
      mode: wish.mode,
      name: wish.name,
      key_hash: hashKey(key),
      last_four: lastFourOf(key),
      created_at: wish.nowMs,
      last_used_at: null,
      expires_at: wish.expiresAtMs ?? null,
      revoked_at: null,
    }),
  ]);
  return { keyId, key };
}
