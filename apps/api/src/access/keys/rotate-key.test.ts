import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { msPerHour } from "../../formats/time.ts";
import { issueKey } from "./issue-key.ts";
import { rotateKey } from "./rotate-key.ts";

const nowMs = Date.UTC(2026, 0, 1);

describeBothStores("rotating a key", (open) => {
  it("replaces it once, and tells every node that its time is limited", async () => {
    const { store } = await open();
    const { accountId, liveKeyId: keyId } = await makeAccount(store, { nowMs });
    const told: string[] = [];
    const channel = { publish: (subject: string) => told.push(subject), subscribe: () => {} };
    const rotate = () => rotateKey(store, { accountId, keyId, graceHours: 24, nowMs, channel });
    const subjects = async () => (await store.db.selectFrom("key_changes").select("subject").execute()).map(({ subject }) => subject);
    const before = (await subjects()).length;
    assert.equal((await rotate()).kind, "rotated");
    const { key_hash: keyHash } = await store.db.selectFrom("api_keys").select("key_hash").where("id", "=", keyId).executeTakeFirstOrThrow();
    assert.deepEqual(told, [`key:${keyHash}`], "by the quick way");
    assert.deepEqual((await subjects()).slice(before), [`key:${keyHash}`], "and by the one that loses nothing");
    assert.equal((await rotate()).kind, "not_active");
    assert.equal((await store.db.selectFrom("api_keys").select("id").where("account_id", "=", accountId).where("mode", "=", "live").execute()).length, 2);
  });

  it("keeps an expiry that is earlier than the end of the grace period", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs });
    const rotateWith = async (expiresAtMs: number) => {
      const { keyId } = await issueKey(store, { accountId, mode: "live", name: "short", nowMs, expiresAtMs });
      assert.equal((await rotateKey(store, { accountId, keyId, graceHours: 24, nowMs, channel: undefined })).kind, "rotated");
      return (await store.db.selectFrom("api_keys").select("expires_at").where("id", "=", keyId).executeTakeFirstOrThrow()).expires_at;
    };
    assert.equal(await rotateWith(nowMs + msPerHour), nowMs + msPerHour);
    assert.equal(await rotateWith(nowMs + 48 * msPerHour), nowMs + 24 * msPerHour);
  });
});
