import { msPerHour } from "../../formats/time.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import type { Store } from "../../store/store.ts";
import type { KeyChangeChannel } from "./follow-key-changes.ts";
import { failureOfRefusal } from "./key-bounds.ts";
import { hashKey, lastFourOf, makeKey } from "./key-format.ts";
import { selectKeyOfAccount } from "./keys.table.ts";
import type { Rotation, RotationOutcome } from "./rotate-key.work.ts";

const rotateKeyWork = new URL("rotate-key.work.ts", import.meta.url);

type RotateOutcome =
  | { kind: "rotated"; keyId: string; key: string }
  /** Revoked, expired, or replaced before. */
  | { kind: "not_active" }
  | { kind: "unknown_key" };

/** Replaces a key. Every node refuses the old one after the grace period. The new key is returned once and not stored. */
export async function rotateKey(
  store: Store,
  options: { accountId: string; epoch?: number; keyId: string; graceHours: number; nowMs: number; channel: KeyChangeChannel | undefined },
): Promise<RotateOutcome> {
  const { accountId, keyId: oldKeyId, nowMs } = options;
  const old = await selectKeyOfAccount(store.db, { accountId, keyId: oldKeyId }).executeTakeFirst();
  if (!old) return { kind: "unknown_key" };
  const key = makeKey(old.mode);
  const id = timeOrderedId("key", nowMs);
  const outcome = await store.transact<Rotation, RotationOutcome>(rotateKeyWork, {
    accountId,
    epoch: options.epoch,
    old: { id: old.id, mode: old.mode, last_four: old.last_four, key_hash: old.key_hash },
    made: { id, last_four: lastFourOf(key), key_hash: hashKey(key) },
    untilMs: nowMs + Math.round(options.graceHours * msPerHour),
    nowMs,
  });
  if (outcome.kind === "not_active") return { kind: "not_active" };
  if (outcome.kind !== "rotated") throw failureOfRefusal(outcome, nowMs);
  options.channel?.publish(`key:${old.key_hash}`);
  return { kind: "rotated", keyId: id, key };
}
