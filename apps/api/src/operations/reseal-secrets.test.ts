import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../test/both-stores.ts";
import { makeSignInAccount } from "../../test/people/browser.ts";
import { oldFactor, oldToken } from "../../test/people/version-0-1-values.ts";
import { testSecretKey } from "../../test/start-service.ts";
import { makeEndpoint } from "../../test/webhooks/make-endpoint.ts";
import { isUpgradeOver } from "../people/reseal-accounts.ts";
import { createMarks } from "../secrets/read-sealed-key.ts";
import { createSealer } from "../secrets/sealer.ts";
import type { Store } from "../store/store.ts";
import { describeResealed, resealSecrets } from "./reseal-secrets.ts";

const next = "the secret that takes its place";
const before = createSealer({ secretKey: testSecretKey, previous: [] });
const during = createSealer({ secretKey: next, previous: [testSecretKey] });
const after = createSealer({ secretKey: next, previous: [] });
const dayMs = 86_400_000;

async function addFactor(store: Store, accountId: string, texts: { secret: string; recovery_codes: string }): Promise<void> {
  await store.db.insertInto("second_factors").values({ id: `auth_${accountId}`, account_id: accountId, ...texts, verified: 1, failures: 0, locked_until: null, last_step: null }).execute();
}

describeBothStores("re-encrypting", (open) => {
  const run = (store: Store, { sealer = during, upgradeIsOver = true, isOver = (): boolean => false } = {}) =>
    resealSecrets(store, { sealer, nowMs: Date.now(), isOver, isUpgradeOver: upgradeIsOver });

  async function fill() {
    const { store } = await open();
    const [own, old] = [await makeSignInAccount(store), await makeSignInAccount(store)];
    await addFactor(store, own.accountId, { secret: before.seal("second factor", "s", own.accountId), recovery_codes: before.seal("recovery codes", "[]", own.accountId) });
    await addFactor(store, old.accountId, oldFactor);
    const at = Date.now();
    await store.db.insertInto("sign_ins").values({ id: "sign_old", token: oldToken, account_id: old.accountId, ip_address: "", user_agent: "", created_at: at, updated_at: at, expires_at: at + dayMs }).execute();
    await makeEndpoint(store, { url: "https://example.com/" });
    const mark = await createMarks({ store, nowMs: Date.now, sealer: before }).mark("bank", "x");
    return { store, old, mark };
  }

  it("leaves the forms of version 0.1 alone while its nodes may still run, says so, and replaces them after that", async () => {
    const { store, old, mark } = await fill();
    const oldRow = () => store.db.selectFrom("second_factors").select(["secret", "recovery_codes"]).where("account_id", "=", old.accountId).executeTakeFirstOrThrow();
    const early = await run(store, { upgradeIsOver: false });
    // One sealed key, one factor and one endpoint; the old factor and the old session are left.
    assert.deepEqual(early, { resealed: 3, left: 2, unreadable: 0 });
    assert.equal(describeResealed(early), "3 re-encrypted, 2 left under an old secret");
    assert.deepEqual(await oldRow(), oldFactor);
    assert.deepEqual([await isUpgradeOver(store, Date.now()), await isUpgradeOver(store, Date.now() + dayMs)], [false, true]);
    assert.deepEqual(await run(store), { resealed: 2, left: 0, unreadable: 0 });
    assert.deepEqual(await run(store, { sealer: after }), { resealed: 0, left: 0, unreadable: 0 }, "the old secret is not needed");
    assert.notEqual(after.open("second factor", (await oldRow()).secret, old.accountId), "unreadable");
    assert.equal(await createMarks({ store, nowMs: Date.now, sealer: after }).mark("bank", "x"), mark);
  });

  it("by two nodes at once changes each row once, and by one that has to stop counts the rest as left", async () => {
    const { store } = await fill();
    assert.deepEqual(await run(store, { isOver: () => true }), { resealed: 0, left: 5, unreadable: 0 });
    const [one, other] = await Promise.all([run(store), run(store)]);
    assert.equal(one.resealed + other.resealed, 5);
    assert.deepEqual(await run(store), { resealed: 0, left: 0, unreadable: 0 });
  });

  it("counts what no known secret opens, and leaves it as it is", async () => {
    const { store } = await fill();
    const rows = () => store.db.selectFrom("second_factors").select(["secret", "recovery_codes"]).orderBy("id").execute();
    const untouched = await rows();
    const outcome = await run(store, { sealer: after });
    assert.equal(outcome.unreadable, 4);
    assert.match(describeResealed(outcome), /, 4 unreadable$/);
    assert.deepEqual(await rows(), untouched);
  });
});
