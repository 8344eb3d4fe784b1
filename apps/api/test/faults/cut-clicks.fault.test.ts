import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { auditClicks } from "../ads/serving/audit-clicks.ts";
import { makeCampaign } from "../ads/serving/make-campaign.ts";
import { makeOffer, makeOffers, readOffer, type TestOffer } from "../ads/serving/make-offers.ts";
import { clickUrlOf, follow, impressionUrlOf, requestAd } from "../ads/serving/send-tracking.ts";
import type { Store } from "../../src/store/store.ts";
import { send, waitUntil } from "../send.ts";
import { startPostgres, type TestPostgres, whyPostgresIsSkipped } from "../start-postgres.ts";
import { openBehindProxy } from "./rig/behind-proxy.ts";
import { startClickLoad } from "./rig/click-load.ts";
import type { Strike } from "./rig/postgres-proxy.ts";
import { createSeededRandom } from "./rig/seeded-random.ts";

const rounds = 4;
const peopleCount = 12;
const offersPerRound = 120;
const price = 123_457;

async function countOf(store: Store, verdict: string): Promise<number> {
  const rows = await store.db.selectFrom("offers").select("id").where("verdict", "=", verdict as "paid").execute();
  return rows.length;
}

describe("a connection to PostgreSQL that breaks during clicks", { skip: whyPostgresIsSkipped() }, () => {
  let postgres: TestPostgres;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.stop());

  for (const strike of ["cut_before", "cut_after", "drop_answer"] as const satisfies readonly Strike[]) {
    it(`at COMMIT (${strike}): every click is redirected, and paid once, on two nodes`, async (t) => {
      const random = createSeededRandom();
      t.diagnostic(`ASSAY_TEST_SEED=${random.seed}`);
      const setup = await openBehindProxy(postgres, "commit_of_clicks");
      try {
        const { store, accounts, proxy } = setup;
        const campaign = await makeCampaign(store, { budget_micro: 1_000_000_000_000 });
        const nodes = [await setup.serve(), await setup.serve()];
        for (const node of nodes) await waitUntil(async () => (await send(node, "/api/status")).status === 200, "the node takes calls");
        const all: TestOffer[] = [];
        for (let round = 0; round < rounds; round += 1) {
          const offers: TestOffer[] = [];
          for (const { accountId } of accounts) {
            offers.push(...(await makeOffers(store, { accountId, campaign, atMs: Date.now() - 10_000, price_micro: price }, offersPerRound / accounts.length)));
          }
          all.push(...offers);
          const struck = proxy.strike(strike);
          const load = startClickLoad({ nodes: () => nodes, offers, people: peopleCount, random, endsWhenCut: false, clicksEach: 2 });
          await Promise.all([struck, load.ended]);
          assert.deepEqual([[...load.others], load.redirected.size], [[], offers.length], "every click was redirected");
        }
        // A click whose transaction failed counts as the first click when it is repeated.
        await startClickLoad({ nodes: () => nodes, offers: all, people: peopleCount, random, endsWhenCut: false }).ended;
        assert.equal(await countOf(store, "paid"), all.length);
        const { clicks, spend } = await auditClicks(store);
        assert.deepEqual([clicks, spend], [all.length, all.length * price]);
        t.diagnostic(`${strike}: ${rounds} COMMITs hit, ${clicks} clicks paid once`);
      } finally {
        await setup.close();
      }
    });
  }

  it("with the store unreachable, clicks on cached offers are redirected, and others get 503", async () => {
    const setup = await openBehindProxy(postgres, "commit_of_clicks");
    try {
      const { store, proxy, accounts } = setup;
      const campaign = await makeCampaign(store);
      const node = await setup.serve();
      await waitUntil(async () => (await send(node, "/api/status")).status === 200, "the node takes calls");
      const ad = await requestAd(node, accounts[0]!.liveKey, {});
      assert.equal(ad.status, 200);
      const foreign = await makeOffer(store, { accountId: accounts[0]!.accountId, campaign, atMs: Date.now() - 10_000 });
      await proxy.refuse();
      const answer = await follow(node, clickUrlOf(ad));
      assert.deepEqual([answer.status, answer.headers.location], [302, campaign.landingUrl]);
      assert.equal((await follow(node, foreign.clickPath)).status, 503);
      assert.equal((await follow(node, impressionUrlOf(ad))).status, 503, "an impression can be sent again");
      await proxy.accept();
      await waitUntil(async () => (await follow(node, impressionUrlOf(ad))).status === 200, "impressions are counted again");
      assert.equal((await follow(node, foreign.clickPath)).status, 302);
      assert.equal((await readOffer(store, foreign.id)).verdict, "paid");
      assert.equal((await readOffer(store, String(ad.json()["ad_id"]))).clicked_at, null, "nothing is paid that is not stored");
    } finally {
      await setup.close();
    }
  });
});
