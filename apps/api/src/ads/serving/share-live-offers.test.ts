import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import type { Store } from "../../store/store.ts";
import { createLiveOffers } from "../auction/live-offers.ts";
import { addUp, shareLeft, shareLiveOffers } from "./share-live-offers.ts";

const atMs = 1_800_000_000_000;
const lifeMs = 2 * 3_600_000;
const campaignId = "camp_1";

describeBothStores("the expected clicks of live offers", (open) => {
  function openNode(store: Store, clock: { nowMs: number }) {
    const liveOffers = createLiveOffers();
    const sharing = shareLiveOffers(store, { liveOffers, campaignIds: () => [campaignId], nowMs: () => clock.nowMs, onError: () => {} });
    const expected = () => liveOffers.of(campaignId).expectedAt(clock.nowMs);
    const tiedUp = () => liveOffers.of(campaignId).expectedOfAccount("acct", clock.nowMs);
    const offer = (clicks: number) => liveOffers.add({ campaignId, accountId: "acct", priceMicroUsd: 100_000, expectedClickRate: clicks, offeredMs: clock.nowMs });
    return { sharing, expected, tiedUp, offer };
  }
  const near = (actual: number, wanted: number) => assert.ok(Math.abs(actual - wanted) < 0.01, `${actual} is not ${wanted}`);

  it("are known to every node and counted once", async () => {
    const { store } = await open();
    const clock = { nowMs: atMs };
    const nodes = [openNode(store, clock), openNode(store, clock), openNode(store, clock)];
    nodes[0]!.offer(0.5);
    nodes[1]!.offer(0.25);
    for (let round = 0; round < 3; round += 1) for (const { sharing } of nodes) await sharing.round();
    for (const { expected } of nodes) {
      near(expected().clicks, 0.75);
      near(expected().microUsd / 100_000, 0.75);
    }
    near(nodes[0]!.tiedUp() / 100_000, 2 * 0.5);
    near(nodes[1]!.tiedUp() / 100_000, 2 * 0.25);
    for (const { sharing } of nodes) await sharing.stop();
  });

  it("outlive the node that made the offers, and fade as these expire", async () => {
    const { store } = await open();
    const clock = { nowMs: atMs };
    const before = openNode(store, clock);
    before.offer(1);
    await before.sharing.stop();
    clock.nowMs += 10_000;
    const next = openNode(store, clock);
    await next.sharing.round();
    near(next.expected().clicks, 1);
    clock.nowMs += lifeMs / 2;
    await next.sharing.round();
    near(next.expected().clicks, 0.5);
    clock.nowMs += lifeMs;
    await next.sharing.round();
    assert.equal(next.expected().clicks, 0);
    assert.deepEqual(await store.db.selectFrom("live_offer_sums").select("node_id").where("at", "<", clock.nowMs - lifeMs - 30_000).execute(), []);
    await next.sharing.stop();
  });
});

it("sums the nodes' expected clicks, weighted by age", () => {
  const rows = [
    { at: atMs, sums: '{"camp_1":[1,100]}' },
    { at: atMs - 30_000 - lifeMs / 2, sums: '{"camp_1":[1,100],"camp_2":[4,40]}' },
    { at: atMs - 30_000 - lifeMs, sums: '{"camp_3":[1,1]}' },
  ];
  assert.deepEqual([...addUp(rows, atMs)], [["camp_1", { clicks: 1.5, microUsd: 150 }], ["camp_2", { clicks: 2, microUsd: 20 }]]);
  assert.deepEqual([shareLeft(0), shareLeft(30_000), shareLeft(30_000 + lifeMs)], [1, 1, 0]);
});
