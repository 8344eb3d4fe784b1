import { AdReply } from "@assay/contract/ads.ts";
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { Check } from "typebox/value";
import { makeCampaign } from "../../../test/ads/serving/make-campaign.ts";
import { requestAd } from "../../../test/ads/serving/send-tracking.ts";
import { serveAds } from "../../../test/ads/serving/serve-ads.ts";
import { addSite, openTokensOf, sealSession, type SealedSession } from "../../../test/attestation/seal-session.ts";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { makeAccount, type TestAccount, vastTier } from "../../../test/make-account.ts";
import { goodBody, predict, send, waitUntil } from "../../../test/send.ts";
import type { TestService } from "../../../test/start-service.ts";
import { usdOf } from "../../formats/money.ts";
import { floorMicroUsd } from "../auction/snapshot.ts";
import { createRecentOffers, type RecentOffer } from "./request-ad.ts";

const readOffer = (database: TestDatabase, id: unknown) =>
  database.store.db.selectFrom("offers").selectAll().where("id", "=", String(id)).executeTakeFirstOrThrow();

describeBothStores("a request for an ad", (open) => {
  let database: TestDatabase;
  let service: TestService;
  let account: TestAccount;
  /** Each test uses its own category, so that it gets no other test's ad. */
  const ask = (category: string, context: Record<string, unknown> = {}, key = account.liveKey) =>
    requestAd(service, key, { user_context: { app_category: category, ...context } });

  /** Without house ads, which every installation has: an ad here belongs to a campaign of the test. */
  async function makeStrictAccount(): Promise<TestAccount> {
    const made = await makeAccount(database.store, { tier: vastTier });
    await database.store.db.updateTable("accounts").set({ house_ads: 0 }).where("id", "=", made.accountId).execute();
    return made;
  }

  before(async () => {
    database = await open();
    const { store } = database;
    await makeCampaign(store, { categories: '["gaming"]', bid_micro: 250_000 });
    await makeCampaign(store, { categories: '["gaming"]', bid_micro: 200_000 });
    await makeCampaign(store, { categories: '["trusted"]', min_trust: 50 });
    await makeCampaign(store, { categories: '["attested"]', min_attestation: "server_timed" });
    await makeCampaign(store, { categories: '["tiny"]', budget_micro: 10_000, bid_micro: 10_000 });
    await makeCampaign(store, { categories: '["wanted"]', budget_micro: 200_000, bid_micro: 10_000 });
    await makeCampaign(store, { house: 1, bid_micro: 0, budget_micro: 0, categories: '["housed"]', headline: "Ours" });
    account = await makeStrictAccount();
    service = await serveAds(database);
  });

  it("gets an ad whose offer is stored, with the exact revenue of a click", async () => {
    for (let round = 0; round < 20; round += 1) {
      const answer = await ask("Gaming");
      assert.equal(answer.status, 200, answer.text);
      const ad = answer.json() as AdReply;
      assert.ok(Check(AdReply, ad), answer.text);
      const offer = await readOffer(database, ad.ad_id);
      assert.equal(offer.mode, "live");
      assert.equal(offer.category, "gaming");
      assert.ok(offer.price_micro >= floorMicroUsd && offer.price_micro <= 250_000, String(offer.price_micro));
      assert.equal(offer.developer_micro, Math.floor((offer.price_micro * 7_000) / 10_000));
      assert.equal(ad.estimated_revenue, usdOf(offer.developer_micro));
      assert.equal(ad.expires_at, new Date(offer.expires_at).toISOString());
      assert.equal(offer.expires_at - offer.at, 2 * 3_600_000);
      assert.ok(ad.creative.click_url.startsWith(`${service.url}/t/c/`));
      assert.ok(ad.impression_tracking_url.startsWith(`${service.url}/t/i/`));
      assert.equal(ad.creative.image_url, `${service.url}/cdn/${"0".repeat(64)}.png`);
      assert.equal(ad.house, false);
    }
  });

  it("may be empty: defaults are banner and feed, and fullscreen for an interstitial", async () => {
    await makeCampaign(database.store, { format: "interstitial" });
    const banner = await requestAd(service, account.liveKey, {});
    const offered = () => requestAd(service, account.liveKey, { format: "interstitial" });
    await waitUntil(async () => (await offered()).status === 200, "the new campaign serves");
    const interstitial = await offered();
    // Only the interstitial campaign targets every category.
    assert.equal(banner.status, 204);
    const { format, placement } = await readOffer(database, interstitial.json()["ad_id"]);
    assert.deepEqual([format, placement], ["interstitial", "fullscreen"]);
  });

  it("gets the invalid field named, and values must be spelt exactly", async () => {
    const wrong: [Record<string, unknown> | unknown[], RegExp][] = [
      [{ format: "Banner" }, /^format must be one of banner, native, interstitial$/],
      [{ placement: "top" }, /^placement must be one of/],
      [{ format: null }, /^format/],
      [{ user_context: { app_category: "two words" } }, /^user_context\.app_category/],
      [{ user_context: { app_category: "x".repeat(41) } }, /^user_context\.app_category/],
      [{ user_context: { service_score: 101 } }, /^user_context\.service_score must be at most 100$/],
      [{ user_context: { service_score: "50" } }, /^user_context\.service_score must be a number$/],
      [{ user_context: { session_id: 7 } }, /^user_context\.session_id must be a string$/],
      [{ user_context: [] }, /^user_context must be an object$/],
      [[], /must be a JSON object/],
    ];
    for (const [body, message] of wrong) {
      const answer = await requestAd(service, account.liveKey, body);
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.match(String(answer.json()["message"]), message);
    }
    const personal = await requestAd(service, account.liveKey, { user_context: { user_id: "7" } });
    assert.equal(personal.json()["error"], "personal_data");
    assert.equal((await requestAd(service, undefined, {})).status, 401);
  });

  it("gets house ads only where no campaign can serve, and they pay nothing", async () => {
    const lenient = await makeAccount(database.store, { tier: vastTier });
    const ad = (await ask("housed", {}, lenient.liveKey)).json() as AdReply;
    assert.deepEqual([ad.house, ad.estimated_revenue], [true, 0]);
    assert.equal((await readOffer(database, ad.ad_id)).price_micro, 0);
    const paying = (await ask("gaming", {}, lenient.liveKey)).json() as AdReply;
    assert.equal(paying.house, false);
    const answer = await ask("housed");
    assert.deepEqual([answer.status, answer.headers["assay-no-fill"], answer.text], [204, "no_campaign", ""]);
  });

  it("matches a campaign with a minimum trust only with a verified session", async () => {
    const judged = await predict(service, account.liveKey);
    const { session_id, service_score } = judged.json();
    assert.ok(Number(service_score) >= 50);
    const bare = await ask("trusted", { service_score: 100 });
    assert.deepEqual([bare.status, bare.headers["assay-no-fill"]], [204, "trust_required"]);
    const verified = await ask("trusted", { session_id });
    assert.equal(verified.status, 200);
    const offer = await readOffer(database, verified.json()["ad_id"]);
    assert.equal(offer.trust_band, Number(service_score) >= 70 ? "high" : "medium");
    assert.ok(!JSON.stringify(offer).includes(String(session_id)), "the offer does not store the session");

    const other = await makeStrictAccount();
    const [foreign, unknown, malformed, otherMode] = [
      await ask("trusted", { session_id }, other.liveKey),
      await ask("trusted", { session_id: `${String(session_id).slice(0, -4)}AAAA` }),
      await ask("trusted", { session_id: "sess_1" }),
      await ask("trusted", { session_id }, account.testKey),
    ];
    for (const each of [foreign, unknown, malformed, otherMode]) {
      assert.deepEqual([each.status, each.headers["assay-no-fill"]], [204, "trust_required"]);
    }
    const unverified = await ask("gaming", { session_id: "sess_1", service_score: 100 });
    assert.equal((await readOffer(database, unverified.json()["ad_id"])).trust_band, "unverified");
  });

  it("matches a campaign that asks for attested sessions only with one of the account's own", async () => {
    const { store } = database;
    const tokens = await openTokensOf(store);
    const siteId = await addSite(store, { accountId: account.accountId, origins: ["https://shop.example"], nowMs: Date.now() });
    const seal = (session: Partial<SealedSession> = {}) => sealSession(tokens, { accountId: account.accountId, siteId, nowMs: Date.now(), ...session });
    const judge = async (session_token?: string, key = account.liveKey) => {
      const { session_id, attestation } = (await predict(service, key, { body: { ...goodBody, ...(session_token !== undefined && { session_token }) } })).json();
      return { session_id, attestation };
    };
    const token = seal();
    const { session_id: attested, attestation } = await judge(token);
    assert.equal(attestation, "server_timed");
    const [plain, again, short] = [await judge(), await judge(token), await judge(seal({ startedAgoMs: 2_000 }))];
    for (const each of [plain, again, short]) assert.equal(each.attestation, "asserted");
    const ofTestKey = await judge(seal(), account.testKey);
    assert.equal(ofTestKey.attestation, "server_timed");
    const offered = await ask("attested", { session_id: attested });
    assert.equal(offered.status, 200, offered.text);
    const other = await makeStrictAccount();
    const refused = [
      await ask("attested"),
      await ask("attested", { service_score: 100 }),
      await ask("attested", { session_id: plain.session_id, service_score: 100 }),
      await ask("attested", { session_id: again.session_id }),
      await ask("attested", { session_id: short.session_id }),
      await ask("attested", { session_id: attested }, other.liveKey),
      await ask("attested", { session_id: attested }, account.testKey),
      await ask("attested", { session_id: ofTestKey.session_id }),
    ];
    for (const [index, each] of refused.entries()) assert.deepEqual([each.status, each.headers["assay-no-fill"]], [204, "trust_required"], String(index));
    assert.equal((await ask("gaming", { session_id: plain.session_id })).status, 200, "other campaigns do not ask");
    assert.equal((await ask("attested", { session_id: ofTestKey.session_id }, account.testKey)).status, 200, "with a test key, like a live one");
  });

  it("gets at most twenty ads per verified session, even concurrently", async () => {
    const { session_id } = (await predict(service, account.liveKey)).json();
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask("gaming", { session_id })));
    assert.equal(answers.filter(({ status }) => status === 200).length, 20);
    for (const { status, headers } of answers) {
      if (status !== 200) assert.deepEqual([status, headers["assay-no-fill"]], [204, "session_offer_limit"]);
    }
    assert.equal((await ask("gaming", { session_id })).headers["assay-no-fill"], "session_offer_limit");
    assert.equal((await ask("gaming")).status, 200, "others are served");
  });

  it("of a test key is answered like a live one, pays nothing and is in no report", async () => {
    const tester = await makeAccount(database.store);
    const answer = await ask("gaming", {}, tester.testKey);
    assert.equal(answer.status, 200);
    const offer = await readOffer(database, answer.json()["ad_id"]);
    assert.deepEqual([offer.mode, offer.price_micro, answer.json()["estimated_revenue"]], ["test", 0, 0]);
    const hours = await database.store.db.selectFrom("ad_hours").select("offers").where("account_id", "=", tester.accountId).execute();
    assert.deepEqual(hours, []);
    const options = { method: "POST", headers: { "content-type": "application/json", "x-api-key": tester.testKey, "assay-test-scenario": "no_fill" }, body: {} };
    const forced = await send(service, "/api/ads/request", options);
    assert.deepEqual([forced.status, forced.headers["assay-no-fill"]], [204, "test_scenario"]);
  });

  it("is counted by the hour, with and without an ad", async () => {
    const { accountId, liveKey } = await makeStrictAccount();
    for (let round = 0; round < 5; round += 1) await ask("gaming", {}, liveKey);
    for (let round = 0; round < 3; round += 1) await ask("nobody", {}, liveKey);
    const { db } = database.store;
    const hours = await db.selectFrom("ad_hours").select("offers").where("account_id", "=", accountId).execute();
    assert.equal(hours.reduce((sum, { offers }) => sum + offers, 0), 5);
    const readNoFills = () => db.selectFrom("no_fill_hours").select(["reason", "requests"]).where("account_id", "=", accountId).execute();
    // They are written every second, so a part of them may be written first, and an hour may end in between.
    const countNoFills = async () => (await readNoFills()).reduce((sum, { requests }) => sum + requests, 0);
    await waitUntil(async () => (await countNoFills()) >= 3, "requests without an ad are written");
    assert.equal(await countNoFills(), 3);
    assert.deepEqual([...new Set((await readNoFills()).map(({ reason }) => reason))], ["no_campaign"]);
  });

  it("reserves budget for live offers: a budget for one click is offered once at a time", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask("tiny")));
    const reasons = new Set(answers.filter(({ status }) => status === 204).map(({ headers }) => headers["assay-no-fill"]));
    const offered = answers.filter(({ status }) => status === 200).length;
    assert.equal(offered, 1);
    assert.deepEqual([...reasons], ["budget_used_up"]);
  });

  it("cannot starve a campaign: an account that never clicks gets no more, and the others still do [threat: starved-campaign]", async () => {
    const greedy = await makeStrictAccount();
    const answers = [];
    for (let round = 0; round < 16; round += 1) answers.push(...(await Promise.all(Array.from({ length: 50 }, () => ask("wanted", {}, greedy.liveKey)))));
    assert.ok(answers.some(({ status }) => status === 200));
    assert.equal(answers.at(-1)!.headers["assay-no-fill"], "offers_unclicked");
    const honest = await makeStrictAccount();
    assert.equal((await ask("wanted", {}, honest.liveKey)).status, 200);
    assert.equal((await ask("wanted", {}, greedy.testKey)).status, 200, "a test key reserves nothing");
  });

  it("with the category 'null' works like any other", async () => {
    const answers = await Promise.all(["null", "NULL", "gaming"].map((category) => ask(category)));
    assert.deepEqual(answers.map(({ status }) => status), [204, 204, 200]);
    await makeCampaign(database.store, { categories: '["null"]' });
    await waitUntil(async () => (await ask("null")).status === 200, "the campaign serves");
  });
});

describe("the latest offers of a node", () => {
  it("are known as long as they are among half of the bound, and never more of them than the bound", () => {
    const offer: RecentOffer = { campaignId: "camp_1", priceMicroUsd: 1, expectedClickRate: 0.1, offeredMs: 0, creativeId: "crea_1" };
    const recent = createRecentOffers(10);
    for (let made = 1; made <= 37; made += 1) {
      recent.add(`ad_${made}`, offer);
      const known = Array.from({ length: made }, (_, index) => recent.find(`ad_${index + 1}`) !== undefined);
      assert.ok(known.slice(-5).every(Boolean), `the last five of ${made}`);
      assert.ok(known.filter(Boolean).length <= 10, `${known.filter(Boolean).length} of ${made}`);
    }
  });
});
