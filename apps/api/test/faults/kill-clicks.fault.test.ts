import assert from "node:assert/strict";
import { it } from "node:test";
import { auditClicks } from "../ads/serving/audit-clicks.ts";
import { makeCampaign } from "../ads/serving/make-campaign.ts";
import { makeOffers, type TestOffer } from "../ads/serving/make-offers.ts";
import { serveAds } from "../ads/serving/serve-ads.ts";
import type { Store } from "../../src/store/store.ts";
import { describeBothStores } from "../both-stores.ts";
import { makeAccount, vastTier } from "../make-account.ts";
import { waitUntil } from "../send.ts";
import { startClickLoad } from "./rig/click-load.ts";
import { createSeededRandom } from "./rig/seeded-random.ts";

const roundCount = 5;
const peopleCount = 16;
const offersPerRound = 96;
/** A node is killed after up to this many answered clicks; by time, a slow machine would be killed before the first. */
const answeredMax = 80;
const loadMsMax = 60_000;
const price = 123_457;
/** Budget of the narrow campaign in clicks: it is exhausted during the test. */
const narrowRoom = 100;

const readVerdicts = async (store: Store) => {
  const rows = await store.db.selectFrom("offers").select(["id", "verdict"]).execute();
  return new Map(rows.map(({ id, verdict }) => [id, verdict]));
};

describeBothStores("a node that is killed during clicks", (open, dialect) => {
  it(`pays every click once and exceeds no budget in ${roundCount} rounds of kill -9`, async (t) => {
    const random = createSeededRandom();
    t.diagnostic(`${dialect}: ASSAY_TEST_SEED=${random.seed}`);
    const database = await open();
    const { store } = database;
    const accounts = [await makeAccount(store, { tier: vastTier }), await makeAccount(store, { tier: vastTier })];
    const wide = await makeCampaign(store, { budget_micro: 1_000_000_000_000 });
    const narrow = await makeCampaign(store, { budget_micro: narrowRoom * price + 1 });
    const all: TestOffer[] = [];
    let answered = 0;

    for (let round = 1; round <= roundCount; round += 1) {
      const service = await serveAds(database);
      const offers: TestOffer[] = [];
      for (const { accountId } of accounts) {
        for (const campaign of [wide, narrow]) {
          const options = { accountId, campaign, atMs: Date.now() - 10_000, price_micro: price };
          offers.push(...(await makeOffers(store, options, offersPerRound / 8)));
          offers.push(...(await makeOffers(store, { ...options, impressed_at: null }, offersPerRound / 8)));
        }
      }
      all.push(...offers);
      const order = offers.toSorted(() => random.next() - 0.5);
      const load = startClickLoad({ nodes: () => [service], offers: order, people: peopleCount, random, endsWhenCut: true });
      const enough = random.between(1, answeredMax);
      await waitUntil(() => load.redirected.size >= enough, `${enough} clicks are answered`, loadMsMax);
      await service.kill9();
      await load.ended;
      answered += load.redirected.size;
      assert.deepEqual([...load.others], [], "every answered click was redirected");
      const verdicts = await readVerdicts(store);
      for (const id of load.redirected) assert.notEqual(verdicts.get(id) ?? null, null, "a redirect is sent only after its verdict is durable");
    }
    assert.ok(answered > roundCount, `only ${answered} clicks were answered, which is no load`);

    // Repeat all clicks: those that were cut get a verdict now, the others are duplicates.
    const service = await serveAds(database);
    const load = startClickLoad({ nodes: () => [service], offers: all, people: peopleCount, random, endsWhenCut: false });
    await load.ended;
    await waitUntil(async () => ![...(await readVerdicts(store)).values()].includes("awaiting_impression"), "no click awaits its impression");
    await service.stop();
    const verdicts = [...(await readVerdicts(store)).values()];
    assert.ok(!verdicts.includes(null), "every offer was clicked");
    const { clicks, spend } = await auditClicks(store);
    const spentOf = async (id: string) => (await store.db.selectFrom("campaigns").select("spent_micro").where("id", "=", id).executeTakeFirstOrThrow()).spent_micro;
    assert.equal(await spentOf(narrow.campaignId), narrowRoom * price, "the narrow budget was spent exactly");
    t.diagnostic(`${dialect}: ${roundCount} rounds, ${all.length} offers, ${answered} clicks answered before a kill, ${clicks} paid, ${spend} micro-USD`);
  });
});
