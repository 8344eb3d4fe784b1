import { randomBytes } from "node:crypto";
import { noteAction } from "../../register/audit.table.ts";
import type { Store } from "../../store/store.ts";
import { insertTrackingKey, retireTrackingKeys } from "./tracking-keys.table.ts";

const keyIdBytes = 5;
const saltBytes = 16;

/** What is stored of a key: its secret is derived from SECRET_KEY, so that a copy of the database signs nothing. */
export const makeTrackingKey = (nowMs: number) => ({
  id: randomBytes(keyIdBytes).toString("hex"),
  salt: randomBytes(saltBytes).toString("hex"),
  created_at: nowMs,
  retired_at: null,
});

/** Makes a new key and retires the others, at once. What they signed stays good until it expires. */
export async function rotateTrackingKey(
  store: Store,
  by: { actorAccountId: string | null; nowMs: number },
): Promise<{ id: string; createdMs: number }> {
  const { actorAccountId, nowMs } = by;
  const key = makeTrackingKey(nowMs);
  await store.write([
    retireTrackingKeys(store.db, nowMs),
    insertTrackingKey(store.db, key),
    noteAction(store.db, { actorAccountId, action: "tracking_key.rotate", subject: key.id, detail: {}, nowMs }),
  ]);
  return { id: key.id, createdMs: nowMs };
}
