import { isoTime, msPerHour } from "../../formats/time.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { noteAction } from "../../register/audit.table.ts";
import type { Store } from "../../store/store.ts";
import { statementsOf } from "../../webhooks/events/write-events.ts";
import type { KeyChangeChannel } from "./follow-key-changes.ts";
import { keyData } from "./key-events.ts";
import { hashKey, lastFourOf, makeKey } from "./key-format.ts";
import { announceChange, insertReplacement, replaceKey, selectKeyOfAccount } from "./keys.table.ts";

type RotateOutcome =
  | { kind: "rotated"; keyId: string; key: string }
  /** Revoked, expired, or replaced before. */
  | { kind: "not_active" }
  | { kind: "unknown_key" };

/** Replaces a key. Every node refuses the old one after the grace period. The new key is returned once and not stored. */
export async function rotateKey(
  store: Pick<Store, "db" | "write">,
  options: { accountId: string; keyId: string; graceHours: number; nowMs: number; channel: KeyChangeChannel | undefined },
): Promise<RotateOutcome> {
  const { accountId, keyId: oldKeyId, nowMs } = options;
  const old = await selectKeyOfAccount(store.db, { accountId, keyId: oldKeyId }).executeTakeFirst();
  if (!old) return { kind: "unknown_key" };
  const key = makeKey(old.mode);
  const id = timeOrderedId("key", nowMs);
  const untilMs = nowMs + Math.round(options.graceHours * msPerHour);
  const subject = `key:${old.key_hash}`;
  const detail = { replaced_by: id, valid_until: untilMs };
  const made = keyData({ ...old, id, account_id: accountId, last_four: lastFourOf(key) });
  const replaced = { ...keyData({ ...old, id: oldKeyId, account_id: accountId }), works_until: isoTime(untilMs) };
  const statements = [
    replaceKey(store.db, { accountId, keyId: oldKeyId, replacedBy: id, untilMs, nowMs }),
    insertReplacement(store.db, { id, oldKeyId, keyHash: hashKey(key), lastFour: lastFourOf(key), nowMs }),
    // Nodes that have cached the old key must learn its expiry.
    ...announceChange(store.db, { subject, nowMs }),
    ...statementsOf(store.db, [{ audience: accountId, type: "key.created", data: made }, { audience: accountId, type: "key.revoked", data: replaced }], nowMs),
    noteAction(store.db, { actorAccountId: accountId, action: "key.rotate", subject: oldKeyId, accountId, detail, nowMs }),
  ];
  const [changed] = await store.write(statements, { firstIsGuard: true });
  if (changed !== 1) return { kind: "not_active" };
  options.channel?.publish(subject);
  return { kind: "rotated", keyId: id, key };
}
