import type { KeyItem } from "@assay/contract/dashboard/keys.ts";
import { prefixOf } from "../../access/keys/key-format.ts";
import { keyStateOf } from "../../access/keys/key-state.ts";
import type { selectKeysOfAccount } from "../../access/keys/keys.table.ts";
import { isoTime } from "../../formats/time.ts";

type ListedKey = Awaited<ReturnType<ReturnType<typeof selectKeysOfAccount>["execute"]>>[number];

const timeOrNull = (atMs: number | null) => (atMs === null ? null : isoTime(atMs));

/** What lists show of a key: never the key, never its hash. */
export function describeKey(key: ListedKey, nowMs: number): KeyItem {
  const { state, revokedAtMs } = keyStateOf(key, nowMs);
  return {
    key_id: key.id,
    name: key.name,
    prefix: prefixOf[key.mode],
    last_four: key.last_four,
    mode: key.mode,
    state,
    created_at: isoTime(key.created_at),
    last_used_at: timeOrNull(key.last_used_at),
    expires_at: timeOrNull(key.expires_at),
    revoked_at: timeOrNull(revokedAtMs),
    replaced_by: key.replaced_by,
    seen_in_browser_at: timeOrNull(key.seen_in_browser_at),
  };
}
