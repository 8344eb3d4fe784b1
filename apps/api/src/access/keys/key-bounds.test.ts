import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { msPerDay, msPerHour } from "../../formats/time.ts";
import { idAt } from "../../ids/time-ordered-id.ts";
import type { Store } from "../../store/store.ts";
import { issueKey } from "./issue-key.ts";
import { keysPerDayMax, workingKeysMax } from "./key-bounds.ts";
import { listKeys } from "./list-keys.ts";
import { rotateKey } from "./rotate-key.ts";

const nowMs = Date.UTC(2026, 0, 1);

/** Rows as the account's own making would have left them. */
async function addKeys(store: Store, accountId: string, { count, createdMs, revokedMs }: { count: number; createdMs: number; revokedMs: number | null }): Promise<void> {
  const rows = Array.from({ length: count }, () => {
    const id = idAt("key", createdMs);
    return { id, account_id: accountId, mode: "live" as const, name: "old", key_hash: id, last_four: "abcd", created_at: createdMs, last_used_at: null, expires_at: null, revoked_at: revokedMs };
  });
  await store.write([store.db.insertInto("api_keys").values(rows)]);
}

describeBothStores("an account's keys", (open) => {
  const make = (store: Store, accountId: string, atMs = nowMs) => issueKey(store, { accountId, actorAccountId: accountId, mode: "live", name: "new", nowMs: atMs });

  it("are at most 100 that work, also if many are made or rotated at once [threat: endless-keys]", async () => {
    const { store } = await open();
    const { accountId, liveKeyId } = await makeAccount(store, { nowMs: nowMs - 2 * msPerDay });
    await addKeys(store, accountId, { count: workingKeysMax - 4, createdMs: nowMs - 2 * msPerDay, revokedMs: null });
    const rotate = () => rotateKey(store, { accountId, keyId: liveKeyId, graceHours: 24, nowMs, channel: undefined });
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => make(store, accountId)));
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 2);
    await assert.rejects(rotate(), { code: "forbidden", message: `An account can have at most ${workingKeysMax} working keys. Revoke one first.` });
    const { keys } = await listKeys(store, { accountId, nowMs });
    assert.deepEqual([keys.length, keys.find(({ id }) => id === liveKeyId)?.replaced_by], [workingKeysMax, null], "and the key is not replaced");
    await store.write([store.db.updateTable("api_keys").set({ revoked_at: nowMs }).where("id", "=", keys[5]!.id)]);
    assert.equal((await rotate()).kind, "rotated");
    await issueKey(store, { accountId, mode: "live", name: "by the operator", nowMs });
  });

  it("are made at most 200 times in 24 hours, whether or not they still work [threat: endless-keys]", async () => {
    const { store } = await open();
    const { accountId, liveKeyId } = await makeAccount(store, { nowMs: nowMs - 2 * msPerDay });
    await addKeys(store, accountId, { count: keysPerDayMax - 1, createdMs: nowMs - msPerHour, revokedMs: nowMs - msPerHour });
    await make(store, accountId);
    const refusal = { code: "rate_limit_exceeded", retryAfterSeconds: (msPerDay - msPerHour) / 1_000 };
    await assert.rejects(make(store, accountId), refusal);
    await assert.rejects(rotateKey(store, { accountId, keyId: liveKeyId, graceHours: 0, nowMs, channel: undefined }), refusal);
    await make(store, accountId, nowMs - msPerHour + msPerDay);
    const { accountId: other } = await makeAccount(store, { nowMs });
    await make(store, other);
  });

  it("are listed with all that work and the newest 200 of the others [threat: endless-keys]", async () => {
    const { store } = await open();
    const { accountId, liveKeyId, testKeyId } = await makeAccount(store, { nowMs: nowMs - 900 * msPerDay });
    for (let day = 300; day > 0; day -= 1) await addKeys(store, accountId, { count: 1, createdMs: nowMs - day * msPerDay, revokedMs: nowMs });
    const { keys, leavesOut } = await listKeys(store, { accountId, nowMs });
    assert.deepEqual([keys.length, leavesOut], [202, true]);
    assert.deepEqual(new Set(keys.slice(0, 2).map(({ id }) => id)), new Set([liveKeyId, testKeyId]));
    assert.deepEqual(keys.slice(2).map(({ created_at: atMs }) => atMs), Array.from({ length: 200 }, (_, index) => nowMs - (200 - index) * msPerDay));
  });
});
