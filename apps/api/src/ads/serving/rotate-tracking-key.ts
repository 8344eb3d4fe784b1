import { randomBytes } from "node:crypto";
import { noteAction } from "../../register/audit.table.ts";
import type { Store } from "../../store/store.ts";
import { insertTrackingKey, retireTrackingKeys } from "./tracking-keys.table.ts";

const keyIdBytes = 5;
const saltBytes = 16;

/** The stored part of a key. The secret is derived from SECRET_KEY and the salt, so a copy of the database cannot sign. A node seals it later. */
export const makeTrackingKey = (nowMs: number) => ({
  id: randomBytes(keyIdBytes).toString("hex"),
  salt: randomBytes(saltBytes).toString("hex"),
  sealed: null,
  created_at: nowMs,
  retired_at: null,
});

/** Inserts a new key and retires the others in one transaction. Tokens that they signed stay valid until they expire. */
export async function rotateTrackingKey(
  store: Store,
  { actorAccountId, nowMs }: { actorAccountId: string | null; nowMs: number },
): Promise<{ id: string; createdMs: number }> {
  const key = makeTrackingKey(nowMs);
  await store.write([
    retireTrackingKeys(store.db, nowMs),
    insertTrackingKey(store.db, key),
    noteAction(store.db, { actorAccountId, action: "tracking_key.rotate", subject: key.id, detail: {}, nowMs }),
  ]);
  return { id: key.id, createdMs: nowMs };
}
