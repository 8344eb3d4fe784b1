import type { Store } from "../../store/store.ts";
import type { KeyChangeChannel } from "./follow-key-changes.ts";
import { announceChange, revokeKeyById, selectKeyById } from "./keys.table.ts";

/** Every node refuses the key within a second of this returning. */
export async function revokeKey(
  store: Store,
  order: { keyId: string; nowMs: number; channel: KeyChangeChannel | undefined },
): Promise<"revoked" | "already_revoked" | "unknown_key"> {
  const key = await selectKeyById(store.db, order.keyId).executeTakeFirst();
  if (!key) return "unknown_key";
  const subject = `key:${key.key_hash}`;
  const [changed] = await store.write([
    revokeKeyById(store.db, order),
    ...announceChange(store.db, { subject, nowMs: order.nowMs }),
  ]);
  order.channel?.publish(subject);
  return changed === 1 ? "revoked" : "already_revoked";
}
