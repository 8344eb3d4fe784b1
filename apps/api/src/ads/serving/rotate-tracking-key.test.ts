import assert from "node:assert/strict";
import { it } from "node:test";
import { makeCampaign } from "../../../test/ads/serving/make-campaign.ts";
import { clickUrlOf, follow, requestAd } from "../../../test/ads/serving/send-tracking.ts";
import { serveAds } from "../../../test/ads/serving/serve-ads.ts";
import { describeBothStores } from "../../../test/both-stores.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { makeSignInAccount, signIn } from "../../../test/people/browser.ts";

const rotate = "/dashboard/api/operator/tracking-keys/rotate";

describeBothStores("rotating the tracking key", (open) => {
  it("is for operators, is audited, and keeps issued URLs valid", async () => {
    const database = await open();
    const { store } = database;
    await makeCampaign(store);
    const account = await makeAccount(store);
    const service = await serveAds(database);
    const ad = await requestAd(service, account.liveKey, {});
    const [operator, developer] = [await makeSignInAccount(store, { operator: true }), await makeSignInAccount(store)];
    assert.equal((await (await signIn(service, developer)).post(rotate)).status, 404);
    const answer = await (await signIn(service, operator)).post(rotate);
    assert.equal(answer.status, 200, answer.text);
    const keys = await store.db.selectFrom("tracking_keys").select(["id", "retired_at"]).orderBy("created_at", "desc").execute();
    assert.deepEqual([keys.length, keys[0]?.id, keys[0]?.retired_at], [2, answer.json()["id"], null]);
    assert.notEqual(keys[1]?.retired_at, null);
    const [note] = await store.db.selectFrom("audit_log").select(["actor_account_id", "action", "subject"]).where("action", "=", "tracking_key.rotate").execute();
    assert.deepEqual({ ...note }, { actor_account_id: operator.accountId, action: "tracking_key.rotate", subject: keys[0]?.id });
    assert.equal((await follow(service, clickUrlOf(ad))).status, 302);
    assert.equal((await follow(service, clickUrlOf(await requestAd(service, account.liveKey, {})))).status, 302);
  });
});
