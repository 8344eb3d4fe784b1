import { isoTime } from "../../formats/time.ts";
import { noteAction } from "../../register/audit.table.ts";
import type { KeyRow } from "../../store/schema.ts";
import type { TransactionWork } from "../../store/store.ts";
import { writeEvents } from "../../webhooks/events/write-events.ts";
import { findKeyRefusal, type KeyRefusal } from "./key-bounds.ts";
import { keyData } from "./key-events.ts";
import { announceChange, insertReplacement, replaceKey } from "./keys.table.ts";

export type Rotation = {
  accountId: string;
  /** Of the sign-in that asks for it. */
  epoch: number | undefined;
  old: Pick<KeyRow, "id" | "mode" | "last_four" | "key_hash">;
  made: Pick<KeyRow, "id" | "last_four" | "key_hash">;
  untilMs: number;
  nowMs: number;
};
export type RotationOutcome = { kind: "rotated" } | { kind: "not_active" } | KeyRefusal;

export const work: TransactionWork<Rotation, RotationOutcome> = async (tx, { accountId, epoch, old, made, untilMs, nowMs }) => {
  const refusal = await findKeyRefusal(tx, { accountId, epoch, nowMs });
  if (refusal) return refusal;
  if ((await tx.change(replaceKey(tx.db, { accountId, keyId: old.id, replacedBy: made.id, untilMs, nowMs }))) === 0) return { kind: "not_active" };
  await tx.change(insertReplacement(tx.db, { id: made.id, oldKeyId: old.id, keyHash: made.key_hash, lastFour: made.last_four, nowMs }));
  // Nodes that have cached the old key must learn its expiry.
  for (const statement of announceChange(tx.db, { subject: `key:${old.key_hash}`, nowMs })) await tx.change(statement);
  const events = [
    { audience: accountId, type: "key.created" as const, data: keyData({ ...made, account_id: accountId, mode: old.mode }) },
    { audience: accountId, type: "key.revoked" as const, data: { ...keyData({ ...old, account_id: accountId }), works_until: isoTime(untilMs) } },
  ];
  await writeEvents(tx, events, nowMs);
  const detail = { replaced_by: made.id, valid_until: untilMs };
  await tx.change(noteAction(tx.db, { actorAccountId: accountId, action: "key.rotate", subject: old.id, accountId, detail, nowMs }));
  return { kind: "rotated" };
};
