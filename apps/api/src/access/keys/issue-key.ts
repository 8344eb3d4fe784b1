import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import type { Mode } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import type { IssueOutcome, NewKey } from "./issue-key.work.ts";
import { failureOfRefusal } from "./key-bounds.ts";
import { hashKey, lastFourOf, makeKey } from "./key-format.ts";

const issueKeyWork = new URL("issue-key.work.ts", import.meta.url);

/** Makes a key and stores its hash. The key itself is returned once and not stored. What an account makes itself has bounds. */
export async function issueKey(
  store: Store,
  options: { accountId: string; mode: Mode; name: string; nowMs: number; expiresAtMs?: number | undefined; actorAccountId?: string; epoch?: number },
): Promise<{ keyId: string; key: string }> {
  const { accountId, mode, name, nowMs, expiresAtMs = null, actorAccountId = null, epoch } = options;
  const key = makeKey(mode);
  const keyId = timeOrderedId("key", nowMs);
  const row = {
    id: keyId,
    account_id: accountId,
    mode,
    name,
    key_hash: hashKey(key),
    last_four: lastFourOf(key),
    created_at: nowMs,
    last_used_at: null,
    expires_at: expiresAtMs,
    revoked_at: null,
  };
  const outcome = await store.transact<NewKey, IssueOutcome>(issueKeyWork, { row, actorAccountId, epoch, nowMs });
  if (outcome.kind !== "issued") throw failureOfRefusal(outcome, nowMs);
  return { keyId, key };
}
