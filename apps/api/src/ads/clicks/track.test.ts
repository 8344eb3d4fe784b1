import fc from "fast-check";
import assert from "node:assert/strict";
import { before, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { auditClicks } from "../../../test/ads/serving/audit-clicks.ts";
import { makeCampaign, type TestCampaign } from "../../../test/ads/serving/make-campaign.ts";
import { makeOffer, makeOffers, readOffer, type TestOffer } from "../../../test/ads/serving/make-offers.ts";
import { clickUrlOf, follow, impressionUrlOf, requestAd } from "../../../test/ads/serving/send-tracking.ts";
import { serveAds } from "../../../test/ads/serving/serve-ads.ts";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { makeAccount, type TestAccount, vastTier } from "../../../test/make-account.ts";
import { microOf, readLedger } from "../../../test/read-ledger.ts";
import { type Answer, send } from "../../../test/send.ts";
import type { TestService } from "../../../test/start-service.ts";

/** All rows that tracking could write, as text. */
async function readTraces({ store }: TestDatabase): Promise<string> {
  const { db } = store;
  const tables = ["offers", "clicks", "ad_hours", "ignored_click_hours", "click_rates", "ledger_entries"] as const;
  const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
  return JSON.stringify(rows);
}

describeBothStores("tracking URLs", (open, dialect) => {
  let database: TestDatabase;
  let nodes: TestService[];
  let account: TestAccount;
  let campaign: TestCampaign;
  const [first, last] = [() => nodes[0]!, () => nodes.at(-1)!];

  before(async () => {
    database = await open();
    account = await makeAccount(database.store, { tier: vastTier });
    campaign = await makeCampaign(database.store, { budget_micro: 1_000_000_000, landingUrl: "https://shop.example/für dich?a=1" });
    // Only PostgreSQL supports more than one node.
    nodes = dialect === "postgres" ? await Promise.all([serveAds(database), serveAds(database)]) : [await serveAds(database)];
  });

  const oldOffer = (given: Partial<TestOffer> = {}) =>
    makeOffer(database.store, { accountId: account.accountId, campaign, atMs: Date.now() - 10_000, ...given });
  const verdictOf = async ({ id }: TestOffer) => (await readOffer(database.store, id)).verdict;

  const assertSentOn = (answer: Answer) => {
    assert.equal(answer.status, 302, answer.text);
    assert.equal(answer.headers.location, "https://shop.example/f%C3%BCr%20dich?a=1");
    assert.equal(answer.headers["cache-control"], "no-store");
    assert.equal(answer.headers["referrer-policy"], "no-referrer");
  };

  it("record an impression and a click, and the click pays what the ad said", async () => {
    const ad = await requestAd(first(), account.liveKey, {});
    assert.equal(ad.status, 200);
    const seen = await follow(last(), impressionUrlOf(ad));
    assert.deepEqual([seen.status, seen.headers["content-type"], seen.headers["cache-control"]], [200, "image/gif", "no-store"]);
    assert.match(seen.text, /^GIF89a/);
    await sleep(600);
    assertSentOn(await follow(last(), clickUrlOf(ad)));
    const entries = await readLedger(database.store, account.accountId);
    assert.equal(entries.at(-1)?.ref, ad.json()["ad_id"]);
    assert.equal(entries.at(-1)?.developer_micro, microOf(ad.json()["estimated_revenue"]));
    assert.ok(entries.at(-1)!.developer_micro > 0);
  });

  it("that are forged, truncated, swapped or invented get 404, no redirect, and write nothing [threat: open-redirect]", async () => {
    const offer = await oldOffer();
    const traces = await readTraces(database);
    const click = offer.clickPath.slice("/t/c/".length);
    const impression = offer.impressionPath.slice("/t/i/".length);
    const refused = async (path: string) => {
      for (const method of ["GET", "HEAD"]) {
        const answer = await follow(first(), path, { method });
        assert.deepEqual([answer.status, answer.headers.location], [404, undefined], path);
      }
    };
    await refused(`/t/i/${click}`);
    await refused(`/t/c/${impression}`);
    const base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".split("");
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 67 }), fc.constantFrom(...base64url), async (place, character) => {
        fc.pre(click[place] !== character);
        await refused(`/t/c/${click.slice(0, place)}${character}${click.slice(place + 1)}`);
        await refused(`/t/c/${click.slice(0, place)}`);
        if (impression[place] !== character) await refused(`/t/i/${impression.slice(0, place)}${character}${impression.slice(place + 1)}`);
      }),
      { numRuns: 25 },
    );
    assert.equal(await readTraces(database), traces);
  });

  it("never count HEAD or prefetch requests, and redirect both", async () => {
    const offer = await oldOffer({ impressed_at: null });
    assertSentOn(await follow(first(), offer.clickPath, { method: "HEAD" }));
    assert.equal((await follow(first(), offer.impressionPath, { method: "HEAD" })).status, 200);
    for (const headers of [{ "sec-purpose": "prefetch;prerender" }, { purpose: "prefetch" }, { "x-moz": "prefetch" }]) {
      assert.equal((await follow(first(), offer.impressionPath, { headers })).status, 200);
      assertSentOn(await follow(first(), offer.clickPath, { headers }));
    }
    const row = await readOffer(database.store, offer.id);
    assert.deepEqual([row.impressed_at, row.clicked_at, row.verdict], [null, null, null]);
  });

  it("redirect robots without paying, but count impressions from apps and servers", async () => {
    const offer = await oldOffer({ impressed_at: null });
    const headers = { "user-agent": "curl/8.5.0" };
    assert.equal((await follow(first(), offer.impressionPath, { headers })).status, 200);
    assertSentOn(await follow(first(), offer.clickPath, { headers }));
    assert.notEqual((await readOffer(database.store, offer.id)).impressed_at, null);
    assert.equal(await verdictOf(offer), null);
    assertSentOn(await follow(first(), offer.clickPath));
    assert.equal(await verdictOf(offer), "paid");
  });

  it("loaded as an image, frame, script or fetch redirect without paying, with that reason, and leave the click to the person [threat: fake-click]", async () => {
    const ignored = async () => {
      const rows = await database.store.db.selectFrom("ignored_click_hours").select("clicks").where("reason", "=", "not_a_navigation").execute();
      return rows.reduce((sum, { clicks }) => sum + clicks, 0);
    };
    const offer = await oldOffer();
    const earlier = await ignored();
    const loads = [
      { "sec-fetch-dest": "image", "sec-fetch-mode": "no-cors" },
      { "sec-fetch-dest": "iframe", "sec-fetch-mode": "navigate" },
      { "sec-fetch-dest": "script", "sec-fetch-mode": "no-cors" },
      { "sec-fetch-dest": "empty", "sec-fetch-mode": "cors" },
      { "sec-fetch-mode": "no-cors" },
      { "sec-fetch-dest": "document", "sec-fetch-mode": "no-cors" },
    ];
    for (const headers of loads) assertSentOn(await follow(first(), offer.clickPath, { headers }));
    assert.equal(await verdictOf(offer), null);
    assert.equal((await ignored()) - earlier, loads.length);
    assertSentOn(await follow(first(), offer.clickPath, { headers: { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate", "sec-fetch-site": "cross-site" } }));
    assert.equal(await verdictOf(offer), "paid");
  });

  it("that have expired redirect without paying, until the offer is deleted", async () => {
    const offer = await oldOffer({ expires_at: Date.now() - 1_000 });
    assertSentOn(await follow(first(), offer.clickPath));
    assert.equal(await verdictOf(offer), "expired");
    await database.store.db.deleteFrom("offers").where("id", "=", offer.id).execute();
    const answer = await follow(first(), offer.clickPath);
    assert.deepEqual([answer.status, answer.headers.location], [404, undefined]);
  });

  it("pay once when a hundred requests race on all nodes", async () => {
    const offer = await oldOffer();
    const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => follow(nodes[index % nodes.length]!, offer.clickPath)));
    for (const answer of answers) assertSentOn(answer);
    const paid = (await readLedger(database.store, account.accountId)).filter(({ ref }) => ref === offer.id);
    assert.equal(paid.length, 1);
  });

  it("charge exactly the hundred clicks that a budget covers, of two thousand at once", async () => {
    const price = 123_457;
    const narrow = await makeCampaign(database.store, { budget_micro: 100 * price + 5, bid_micro: price });
    const accounts = await Promise.all([1, 2, 3].map(() => makeAccount(database.store, { tier: vastTier })));
    const offers: TestOffer[] = [];
    for (const { accountId } of accounts) {
      offers.push(...(await makeOffers(database.store, { accountId, campaign: narrow, atMs: Date.now() - 10_000, price_micro: price }, 667)));
    }
    const clicked = offers.slice(0, 2_000);
    const waiting = clicked.map((offer, index) => ({ offer, node: nodes[index % nodes.length]! }));
    const drive = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const answer = await follow(next.node, next.offer.clickPath);
        assert.equal(answer.status, 302);
      }
    };
    await Promise.all(Array.from({ length: 200 }, drive));
    const { spent_micro } = await database.store.db.selectFrom("campaigns").select("spent_micro").where("id", "=", narrow.campaignId).executeTakeFirstOrThrow();
    assert.equal(spent_micro, 100 * price);
    const rows = await database.store.db
      .selectFrom("offers")
      .select(["verdict", (eb) => eb.fn.countAll<number>().as("offers")])
      .where("campaign_id", "=", narrow.campaignId)
      .where("verdict", "is not", null)
      .groupBy("verdict")
      .execute();
    assert.deepEqual(Object.fromEntries(rows.map(({ verdict, offers: count }) => [verdict, count])), { paid: 100, budget_exhausted: 1_900 });
    await auditClicks(database.store);
  });

  it("answer other methods with 405", async () => {
    const { clickPath } = await oldOffer();
    assert.equal((await send(first(), clickPath, { method: "POST" })).status, 405);
  });
});
