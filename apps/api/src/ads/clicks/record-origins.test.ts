import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makeCampaign } from "../../../test/ads/serving/make-campaign.ts";
import { makeOffer, type TestOffer } from "../../../test/ads/serving/make-offers.ts";
import { clickUrlOf, follow, impressionUrlOf, requestAd } from "../../../test/ads/serving/send-tracking.ts";
import { serveAds } from "../../../test/ads/serving/serve-ads.ts";
import { describeBothStores } from "../../../test/both-stores.ts";
import { makeAccount, vastTier } from "../../../test/make-account.ts";
import { waitUntil } from "../../../test/send.ts";
import { msPerDay } from "../../formats/time.ts";
import type { Store } from "../../store/store.ts";
import type { Click, ClickOutcome } from "./decide-clicks.work.ts";
import { createRecentCounts, recordClickOrigins } from "./record-origins.ts";

const decideClicks = new URL("./decide-clicks.work.ts", import.meta.url);
const day = Date.UTC(2026, 0, 10);
const tagger = { tagsOf: (address: string) => ({ today: address, yesterday: undefined }) };
type SharedOf = Parameters<typeof recordClickOrigins>[1]["sharedOf"];

const orderOf = async (store: Store, { id }: TestOffer) => (await store.db.selectFrom("clicks").select("network_order").where("offer_id", "=", id).executeTakeFirst())?.network_order;

describeBothStores("the order of a network's clicks", (open) => {
  async function openOrigins(sharedOf?: SharedOf) {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: day });
    const campaign = await makeCampaign(store, { budget_micro: 1_000_000_000_000, starts_at: 0 });
    const clock = { nowMs: day };
    const openNode = (nodeStore: Store = store, onError: (error: unknown) => void = (error) => assert.fail(String(error))) => recordClickOrigins(nodeStore, { tagger, sharedOf, nowMs: () => clock.nowMs, onError });
    const origins = openNode();
    /** `isPaid`: otherwise it awaits an impression that never comes. */
    async function click(atMs: number, address: string, { isPaid = true, node = origins, by = accountId } = {}) {
      const offer = await makeOffer(store, { accountId: by, campaign, atMs: atMs - 60_000 });
      if (isPaid) await pay(offer, atMs);
      node.note({ offerId: offer.id, accountId: by, address, atMs, isDescribed: true });
      return offer;
    }
    async function pay(offer: TestOffer, atMs: number) {
      const [outcome] = await store.transact<{ clicks: Click[] }, ClickOutcome[]>(decideClicks, { clicks: [{ offerId: offer.id, atMs, agent: "person" }] });
      assert.equal(outcome?.verdict, "paid");
    }
    const flush = async (node = origins) => {
      clock.nowMs += 10_000;
      await node.flush();
    };
    const wait = (ms: number) => void (clock.nowMs += ms);
    return { store, origins, click, pay, flush, wait, openNode, close: () => origins.stop() };
  }

  it("counts paid clicks only: those that pay nobody use up nothing of it [threat: unpaid-clicks-crowd]", async () => {
    const { store, click, flush, close } = await openOrigins();
    for (let index = 0; index < 10; index += 1) await click(day + index * 60_000, "one", { isPaid: false });
    const paid = [await click(day + 3_600_000, "one"), await click(day + 3_660_000, "one")];
    await flush();
    assert.deepEqual(await Promise.all(paid.map((offer) => orderOf(store, offer))), [1, 2]);
    await close();
  });

  it("goes on around midnight, whichever day's clicks come in between", async () => {
    const { store, click, flush, close } = await openOrigins();
    const midnight = day + msPerDay;
    const offers = [];
    for (const atMs of [midnight - 2_000, midnight + 1_000, midnight - 1_000, midnight + 2_000]) offers.push(await click(atMs, "one"));
    await flush();
    assert.deepEqual(await Promise.all(offers.map((offer) => orderOf(store, offer))), [1, 1, 2, 2]);
    await close();
  });

  it("is of one account and one network", async () => {
    const { store, click, flush, close } = await openOrigins();
    const { accountId: other } = await makeAccount(store, { nowMs: day });
    const offers = [await click(day + 1_000, "one"), await click(day + 2_000, "two"), await click(day + 3_000, "one", { by: other }), await click(day + 4_000, "one")];
    await flush();
    assert.deepEqual(await Promise.all(offers.map((offer) => orderOf(store, offer))), [1, 1, 1, 2]);
    await close();
  });

  it("comes to a click that is paid within a minute, and to none that is paid later", async () => {
    const { store, click, pay, flush, wait, close } = await openOrigins();
    const [soon, late] = [await click(day + 1_000, "one", { isPaid: false }), await click(day + 2_000, "one", { isPaid: false })];
    await flush();
    await pay(soon, day + 1_000);
    await flush();
    wait(60_000);
    await flush();
    await pay(late, day + 2_000);
    await flush();
    assert.deepEqual([await orderOf(store, soon), await orderOf(store, late)], [1, null]);
    await close();
  });

  it("is counted once, however often it cannot be written", async () => {
    const { store, click, flush, openNode, close } = await openOrigins();
    let failed = 0;
    let isAway = true;
    const write: Store["write"] = (...given) => (isAway ? Promise.reject(new Error(`away ${(failed += 1)}`)) : store.write(...given));
    const node = openNode(Object.assign(Object.create(store) as Store, { write }), () => undefined);
    const first = await click(day + 1_000, "one", { node });
    // The node's own timer tries too.
    await waitUntil(() => flush(node).then(() => false, () => failed >= 2), "writing has failed twice");
    const second = await click(day + 2_000, "one", { node });
    isAway = false;
    await waitUntil(() => flush(node).then(async () => typeof (await orderOf(store, second)) === "number"), "both are written");
    assert.deepEqual([await orderOf(store, first), await orderOf(store, second)], [1, 2]);
    await Promise.all([close(), node.stop()]);
  });

  it("is not kept of more than 20,000 clicks that wait: a flood of unpaid ones takes no more memory", async () => {
    const { store, origins, click, flush, wait, close } = await openOrigins();
    const note = (index: number) => origins.note({ offerId: `none-${index}`, accountId: "none", address: "one", atMs: day, isDescribed: false });
    for (let index = 0; index < 19_999; index += 1) note(index);
    const [last, beyond] = [await click(day + 1_000, "one"), await click(day + 2_000, "one")];
    wait(60_000);
    await flush();
    const after = await click(day + 3_000, "one");
    await flush();
    assert.deepEqual([await orderOf(store, last), await orderOf(store, beyond), await orderOf(store, after)], [1, null, 2]);
    await close();
  });

  it("is counted over all nodes where they share it, and by each alone while they cannot", async () => {
    const shared = new Map<string, number>();
    const expiring: string[] = [];
    let isAway = false;
    const { store, click, flush, openNode, close } = await openOrigins(() => ({
      async incr(key) {
        if (isAway) throw new Error("away");
        shared.set(key, (shared.get(key) ?? 0) + 1);
        return shared.get(key)!;
      },
      expire: async (key) => expiring.push(key),
    }));
    const other = openNode();
    const here = await click(day + 1_000, "one");
    await flush();
    const there = await click(day + 2_000, "one", { node: other });
    await flush(other);
    isAway = true;
    const alone = [await click(day + 3_000, "one"), await click(day + 4_000, "one")];
    await flush();
    assert.deepEqual([await orderOf(store, here), await orderOf(store, there), ...(await Promise.all(alone.map((offer) => orderOf(store, offer))))], [1, 2, 2, 3]);
    assert.equal(expiring.length, 1);
    isAway = false;
    shared.clear();
    const anew = await click(day + 5_000, "one");
    await flush();
    assert.equal(await orderOf(store, anew), 4, "emptying what the nodes share gives no network a new count");
    await Promise.all([close(), other.stop()]);
  });
});

describeBothStores("a click over http", (open) => {
  it("has its network counted once it is paid, whichever comes first: the impression or the click", async () => {
    const database = await open();
    const { store } = database;
    const account = await makeAccount(store, { tier: vastTier });
    await makeCampaign(store, { budget_micro: 1_000_000_000 });
    const service = await serveAds(database);
    const clickOn = async (isSeenFirst: boolean) => {
      const ad = await requestAd(service, account.liveKey, {});
      const [see, click] = [() => follow(service, impressionUrlOf(ad)), () => follow(service, clickUrlOf(ad), { headers: { "sec-fetch-dest": "document" } })];
      if (isSeenFirst) await see();
      await sleep(600);
      assert.equal((await click()).status, 302);
      if (!isSeenFirst) await see();
    };
    await clickOn(true);
    await clickOn(false);
    const orders = async () => (await store.db.selectFrom("clicks").select(["network_order", "described"]).where("account_id", "=", account.accountId).orderBy("network_order").execute()).map((row) => [row.network_order, row.described]);
    await waitUntil(async () => (await orders()).filter(([order]) => order !== null).length === 2, "both clicks are counted");
    assert.deepEqual(await orders(), [[1, 1], [2, 1]]);
  });
});

describe("counts of networks on one node", () => {
  it("are bounded, and forget the one that was counted longest ago, not the busiest", () => {
    const count = createRecentCounts(2);
    assert.deepEqual(["busy", "second", "busy", "third", "busy", "second"].map(count), [1, 1, 2, 1, 3, 1]);
  });
});
