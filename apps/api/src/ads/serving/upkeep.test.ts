import assert from "node:assert/strict";
import { it } from "node:test";
import { makeCampaign } from "../../../test/ads/serving/make-campaign.ts";
import { makeOffer } from "../../../test/ads/serving/make-offers.ts";
import { describeBothStores } from "../../../test/both-stores.ts";
import { idAt } from "../../../test/id-at.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { msPerDay } from "../../formats/time.ts";
import { deleteExpired } from "../../operations/delete-expired.ts";
import { rotateTrackingKey } from "./rotate-tracking-key.ts";

const nowMs = Date.now();

describeBothStores("the upkeep of ads", (open) => {
  it("deletes offers after 30 days, but not clicks, hourly sums and younger offers", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store);
    const campaign = await makeCampaign(store);
    const offerOf = (days: number) => makeOffer(store, { accountId, campaign, atMs: nowMs - days * msPerDay });
    const [old, young, fresh] = [await offerOf(31), await offerOf(29), await offerOf(0)];
    const click = { offer_id: old.id, account_id: accountId, campaign_id: old.campaign_id, creative_id: old.creative_id, placement: old.placement, trust_band: old.trust_band };
    const money = { at: old.at, price_micro: 1, developer_micro: 0, share_bps: 7_000, ledger_seq: 1 };
    await store.db.insertInto("clicks").values({ ...click, ...money, status: "pending", settled_at: null, reversal_seq: null, reason: null }).execute();
    await deleteExpired(store, { nowMs, retentionDays: 90, isOver: () => false });
    const left = await store.db.selectFrom("offers").select("id").orderBy("id").execute();
    assert.deepEqual(left.map(({ id }) => id), [young.id, fresh.id].toSorted());
    assert.equal((await store.db.selectFrom("clicks").select("offer_id").execute()).length, 1);
  });

  it("deletes a session's offer count when the session is no longer trusted", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store);
    const [old, fresh] = [idAt(nowMs - 3_600_001), idAt(nowMs - 60_000)];
    await store.db.insertInto("session_offers").values([old, fresh].map((session_id) => ({ account_id: accountId, session_id, offers: 3 }))).execute();
    await deleteExpired(store, { nowMs, retentionDays: 90, isOver: () => false });
    const left = await store.db.selectFrom("session_offers").select("session_id").execute();
    assert.deepEqual(left.map(({ session_id }) => session_id), [fresh]);
  });

  it("keeps a retired key as long as offers that it signed may exist", async () => {
    const { store } = await open();
    for (const days of [40, 32, 20, 0]) await rotateTrackingKey(store, { actorAccountId: null, nowMs: nowMs - days * msPerDay });
    await deleteExpired(store, { nowMs, retentionDays: 90, isOver: () => false });
    const keys = await store.db.selectFrom("tracking_keys").select(["created_at", "retired_at"]).orderBy("created_at").execute();
    assert.deepEqual(keys.map(({ created_at }) => Math.round((nowMs - created_at) / msPerDay)), [32, 20, 0]);
  });
});
