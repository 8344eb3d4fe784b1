import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { noteAction } from "../../register/audit.table.ts";
import type { Mode } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import { eventStatements } from "../../webhooks/events/write-events.ts";
import { keyData } from "./key-events.ts";
import { hashKey, lastFourOf, makeKey } from "./key-format.ts";
import { insertKey } from "./keys.table.ts";

/** Makes a key and stores its hash. The key itself is returned once and not stored. */
export async function issueKey(
  store: Pick<Store, "db" | "write">,
  options: { accountId: string; mode: Mode; name: string; nowMs: number; expiresAtMs?: number | undefined; actorAccountId?: string },
): Promise<{ keyId: string; key: string }> {
  const key = makeKey(options.mode);
  const keyId = timeOrderedId("key", options.nowMs);
  await store.write([
    insertKey(store.db, {
      id: keyId,
      account_id: options.accountId,
      mode: options.mode,
      name: options.name,
      key_hash: hashKey(key),
      last_four: lastFourOf(key),
      created_at: options.nowMs,
      last_used_at: null,
      expires_at: options.expiresAtMs ?? null,
      revoked_at: null,
    }),
    ...eventStatements(store.db, { audience: options.accountId, type: "key.created", data: keyData({ id: keyId, account_id: options.accountId, mode: options.mode, last_four: lastFourOf(key) }) }, options),
    noteAction(store.db, {
      actorAccountId: options.actorAccountId ?? null,
      action: "key.create",
      subject: keyId,
      accountId: options.accountId,
      detail: { mode: options.mode, expires_at: options.expiresAtMs ?? null },
      nowMs: options.nowMs,
    }),
  ]);
  return { keyId, key };
}
