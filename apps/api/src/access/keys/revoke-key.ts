import { noteAction } from "../../register/audit.table.ts";
import type { Store } from "../../store/store.ts";
import { eventStatements } from "../../webhooks/events/write-events.ts";
import type { KeyChangeChannel } from "./follow-key-changes.ts";
import { keyData } from "./key-events.ts";
import { announceChange, revokeKeyById, selectKeyById } from "./keys.table.ts";

/** Every node refuses the key within a second after this returns. */
export async function revokeKey(
  store: Store,
  options: { keyId: string; nowMs: number; channel: KeyChangeChannel | undefined; actorAccountId?: string },
): Promise<"revoked" | "already_revoked" | "unknown_key"> {
  const key = await selectKeyById(store.db, options.keyId).executeTakeFirst();
  if (!key) return "unknown_key";
  const subject = `key:${key.key_hash}`;
  const { keyId, actorAccountId = null, nowMs } = options;
  const note = { actorAccountId, action: "key.revoke", subject: keyId, accountId: key.account_id, detail: {}, nowMs };
  const told = eventStatements(store.db, { audience: key.account_id, type: "key.revoked", data: { ...keyData(key), works_until: null } }, { nowMs });
  const statements = [revokeKeyById(store.db, options), ...announceChange(store.db, { subject, nowMs }), ...told, noteAction(store.db, note)];
  const [changed] = await store.write(statements, { guards: 1 });
  options.channel?.publish(subject);
  return changed === 1 ? "revoked" : "already_revoked";
}
