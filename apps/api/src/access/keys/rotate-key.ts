import type { Store } from "../../store/store.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import type { KeyChangeChannel } from "./follow-key-changes.ts";
import { hashKey, lastFourOf, makeKey } from "./key-format.ts";
import { announceChange, insertReplacement, replaceKey, selectKeyOfAccount } from "./keys.table.ts";
import { msPerHour } from "../../formats/time.ts";

export type RotateOutcome =
  | { kind: "rotated"; keyId: string; key: string }
  /** Revoked, expired or replaced before: there is nothing to take over from. */
  | { kind: "not_active" }
  | { kind: "unknown_key" };

/**
 * Makes a key that takes another's place; the old one goes on for the grace period and is refused from then
 * on, on every node. The new key is returned once and kept nowhere.
 */
export async function rotateKey(
  store: Store,
  order: { accountId: string; keyId: string; graceHours: number; nowMs: number; channel: KeyChangeChannel | undefined },
): Promise<RotateOutcome> {
  const { accountId, keyId: oldKeyId, nowMs } = order;
  const old = await selectKeyOfAccount(store.db, { accountId, keyId: oldKeyId }).executeTakeFirst();
  if (!old) return { kind: "unknown_key" };
  const key = makeKey(old.mode);
  const id = timeOrderedId("key", nowMs);
  const untilMs = nowMs + Math.round(order.graceHours * msPerHour);
  const subject = `key:${old.key_hash}`;
  const [, inserted] = await store.write([
    replaceKey(store.db, { accountId, keyId: oldKeyId, replacedBy: id, untilMs, nowMs }),
    insertReplacement(store.db, { id, oldKeyId, keyHash: hashKey(key), lastFour: lastFourOf(key), nowMs }),
    // Nodes that remember the old key must hear of its end.
    ...announceChange(store.db, { subject, nowMs }),
  ]);
  if (inserted !== 1) return { kind: "not_active" };
  order.channel?.publish(subject);
  return { kind: "rotated", keyId: id, key };
}
