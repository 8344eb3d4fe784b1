import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { auditClicks } from "../ads/serving/audit-clicks.ts";
import { makeCampaign, type TestCampaign } from "../ads/serving/make-campaign.ts";
import { makeOffer, makeOffers, readOffer, type TestOffer } from "../ads/serving/make-offers.ts";
import { clickUrlOf, follow, impressionUrlOf, requestAd } from "../ads/serving/send-tracking.ts";
import type { Store } from "../../src/store/store.ts";
import { send, waitUntil } from "../send.ts";
import { startPostgres, type TestPostgres, whyPostgresIsSkipped } from "../start-postgres.ts";
import type { TestService } from "../start-service.ts";
import { type BehindProxy, openBehindProxy } from "./rig/behind-proxy.ts";
import { startClickLoad } from "./rig/click-load.ts";
import type { Strike } from "./rig/postgres-proxy.ts";
import { createSeededRandom } from "./rig/seeded-random.ts";

const rounds = 4;
const peopleCount = 12;
/** A few for everybody: one COMMIT of a round is hit. */
const offersPerRound = 48;
const price = 123_457;

async function countOf(store: Store, verdict: string): Promise<number> {
  const rows = await store.db.selectFrom("offers").select("id").where("verdict", "=", verdict as "paid").execute();
  return rows.length;
}

describe("a connection to PostgreSQL that breaks during clicks", { skip: whyPostgresIsSkipped() }, () => {
  let postgres: TestPostgres;
  let setup: BehindProxy;
  let campaign: TestCampaign;
  let nodes: TestService[];
  before(async () => {
    postgres = await startPostgres();
    setup = await openBehindProxy(postgres, "commit_of_clicks");
    campaign = await makeCampaign(setup.store, { budget_micro: 1_000_000_000_000 });
    nodes = await Promise.all([setup.serve(), setup.serve()]);
    for (const node of nodes) await waitUntil(async () => (await send(node, "/api/status")).status === 200, "the node takes calls");
  });
  after(async () => {
    await setup?.close();
    await postgres?.stop();
  });

  for (const strike of ["cut_before", "cut_after", "drop_answer"] as const satisfies readonly Strike[]) {
    it(`at COMMIT (${strike}): every click is redirected, and paid once, on two nodes`, async (t) => {
      const random = createSeededRandom();
      t.diagnostic(`ASSAY_TEST_SEED=${random.seed}`);
      const { store, accounts, proxy } = setup;
      const earlier = await auditClicks(store);
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
      assert.equal(await countOf(store, "paid"), earlier.clicks + all.length);
      const { clicks, spend } = await auditClicks(store);
      assert.deepEqual([clicks - earlier.clicks, spend - earlier.spend], [all.length, all.length * price]);
      t.diagnostic(`${strike}: ${rounds} COMMITs hit, ${all.length} clicks paid once`);
    });
  }

  it("with the store unreachable, clicks on cached offers are redirected, and others get 503", async () => {
    const { store, proxy, accounts } = setup;
    const node = nodes[0]!;
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
  });
});
