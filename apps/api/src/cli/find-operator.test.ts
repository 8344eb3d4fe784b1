import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../test/both-stores.ts";
import { makeAccount } from "../../test/make-account.ts";
import { findOperator, findWhoActs } from "./find-operator.ts";

const nowMs = Date.UTC(2026, 0, 1);

describeBothStores("the operator in whose name a command acts", (open) => {
  it("is the one that is named, or the only active one, and never somebody else", async () => {
    const { store } = await open();
    const setAccount = (id: string, change: { operator?: 1; status?: "suspended" }) => store.db.updateTable("accounts").set(change).where("id", "=", id).execute();
    const developer = await makeAccount(store, { nowMs });
    await assert.rejects(findOperator(store, undefined), /no active operator can act/);
    assert.deepEqual(await findWhoActs(store, undefined), { actorAccountId: null, mayBe: [] });
    await assert.rejects(findWhoActs(store, developer.email), /is not an operator/);
    await assert.rejects(findOperator(store, "nobody@example.com"), /no account has the e-mail address/);
    await assert.rejects(findOperator(store, developer.email), /is not an operator/);

    const ada = await makeAccount(store, { nowMs });
    await setAccount(ada.accountId, { operator: 1 });
    assert.deepEqual(await findOperator(store, undefined), { accountId: ada.accountId, email: ada.email });
    assert.deepEqual(await findWhoActs(store, undefined), { actorAccountId: ada.accountId, mayBe: [] });
    await setAccount(developer.accountId, { operator: 1 });
    await assert.rejects(findOperator(store, undefined), (error: Error) => /name the one who acts with --operator/.test(error.message) && !error.message.includes("@"));
    assert.deepEqual(await findWhoActs(store, undefined), { actorAccountId: null, mayBe: [developer.accountId, ada.accountId].toSorted() });
    assert.deepEqual(await findWhoActs(store, ada.email), { actorAccountId: ada.accountId, mayBe: [] });
    assert.deepEqual(await findOperator(store, developer.email.toUpperCase()), { accountId: developer.accountId, email: developer.email });

    await setAccount(ada.accountId, { status: "suspended" });
    await assert.rejects(findOperator(store, ada.email), /is suspended and cannot act/);
    assert.equal((await findOperator(store, undefined)).accountId, developer.accountId);
  });
});
