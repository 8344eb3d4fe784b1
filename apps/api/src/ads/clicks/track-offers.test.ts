import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { auditClicks } from "../../../test/ads/serving/audit-clicks.ts";
import { makeCampaign } from "../../../test/ads/serving/make-campaign.ts";
import { makeOffer, type OfferWish, readOffer } from "../../../test/ads/serving/make-offers.ts";
import { setAccountStatus } from "../../../test/ads/serving/set-account-status.ts";
import { describeBothStores } from "../../../test/both-stores.ts";
import { makeAccount, vastTier } from "../../../test/make-account.ts";
import { readLedger } from "../../../test/read-ledger.ts";
import { msPerHour } from "../../formats/time.ts";
import type { IgnoreReason } from "../../store/schema-ads.ts";
import type { Store } from "../../store/store.ts";
import type { ClickAgent } from "./click-verdict.ts";
import { type OfferTracking, trackOffers } from "./track-offers.ts";

/** Some minutes into an hour, so that no test crosses an hour boundary. */
const atMs = Math.floor(Date.now() / msPerHour) * msPerHour - msPerHour + 600_000;

describeBothStores("an offer", (open) => {
  let store: Store;
  let tracking: OfferTracking;

  before(async () => {
    ({ store } = await open());
    // Keeps the periodic sweep from settling by the wall clock: the tests control the time.
    tracking = trackOffers(store, { nowMs: () => 0, onError: () => {} });
  });
  after(() => tracking.stop());

  const click = async (offerId: string, clickedMs: number, agent: ClickAgent = "person") =>
    (await tracking.click({ offerId, atMs: clickedMs, agent }))?.verdict;
  const see = (offerId: string, seenMs: number) => tracking.impression({ offerId, atMs: seenMs });

  /** A separate account and campaign, so that counts belong to one test. */
  async function makeScene(campaignWish: Parameters<typeof makeCampaign>[1] = {}) {
    const account = await makeAccount(store, { tier: vastTier, nowMs: atMs - msPerHour });
    const campaign = await makeCampaign(store, { starts_at: 0, ...campaignWish });
    const { accountId } = account;
    const { db } = store;
    return {
      ...account,
      ...campaign,
      offer: (given: Partial<OfferWish> = {}) => makeOffer(store, { accountId, campaign, atMs, ...given }),
      ignored: async () => {
        const rows = await db.selectFrom("ignored_click_hours").select(["reason", "clicks"]).where("account_id", "=", accountId).execute();
        return Object.fromEntries(rows.map(({ reason, clicks }) => [reason, clicks]));
      },
      hours: async () =>
        (await db.selectFrom("ad_hours").select(["impressions", "valid_clicks", "spend_micro", "developer_micro"]).where("account_id", "=", accountId).execute()).map((row) => ({ ...row })),
      rates: async () =>
        (await db.selectFrom("click_rates").select(["impressions", "clicks"]).where("creative_id", "=", campaign.creativeId).execute()).map((row) => ({ ...row })),
      spent: async () => (await db.selectFrom("campaigns").select("spent_micro").where("id", "=", campaign.campaignId).executeTakeFirstOrThrow()).spent_micro,
    };
  }

  it("is paid once when seen and clicked, to the micro-dollar, in every place that counts it", async () => {
    const scene = await makeScene();
    const offer = await scene.offer({ impressed_at: null, price_micro: 123_457 });
    assert.equal(await see(offer.id, atMs + 100), "counted");
    assert.equal(await click(offer.id, atMs + 5_000), "paid");
    const [entry, ...others] = await readLedger(store, scene.accountId);
    assert.deepEqual(others, []);
    const { kind, ref, endpoint, payer, share_bps, gross_micro, developer_micro, at } = entry!;
    assert.deepEqual(
      { kind, ref, endpoint, payer, share_bps, gross_micro, developer_micro, at },
      { kind: "click", ref: offer.id, endpoint: "click", payer: "advertiser", share_bps: 7_000, gross_micro: 123_457, developer_micro: 86_419, at: atMs + 5_000 },
    );
    assert.equal(await scene.spent(), 123_457);
    assert.deepEqual(await scene.hours(), [{ impressions: 1, valid_clicks: 1, spend_micro: 123_457, developer_micro: 86_419 }]);
    assert.deepEqual(await scene.rates(), [{ impressions: 1, clicks: 1 }]);
    assert.deepEqual(await scene.ignored(), {});
    const row = await store.db.selectFrom("clicks").selectAll().where("offer_id", "=", offer.id).executeTakeFirstOrThrow();
    assert.deepEqual([row.status, row.ledger_seq, row.at, row.price_micro], ["pending", entry!.seq, atMs + 5_000, 123_457]);
    await auditClicks(store);
  });

  it("is paid once: a second click is a duplicate, and counted [threat: fake-click]", async () => {
    const scene = await makeScene();
    const { id } = await scene.offer();
    assert.deepEqual([await click(id, atMs + 1_000), await click(id, atMs + 1_001), await click(id, atMs + 1_002)], ["paid", "duplicate", "duplicate"]);
    assert.deepEqual(await scene.ignored(), { duplicate: 2 });
    assert.equal((await readOffer(store, id)).verdict, "paid");
  });

  it("is paid once when one batch holds a hundred clicks", async () => {
    const scene = await makeScene();
    const { id } = await scene.offer();
    const verdicts = await Promise.all(Array.from({ length: 100 }, () => click(id, atMs + 1_000)));
    assert.equal(verdicts.filter((verdict) => verdict === "paid").length, 1);
    assert.deepEqual(await scene.ignored(), { duplicate: 99 });
    assert.equal(await scene.spent(), 100_000);
  });

  type Ignored = { what: string; reason: IgnoreReason; offer?: Partial<OfferWish>; campaign?: Parameters<typeof makeCampaign>[1]; clickedMs?: number };
  const ignored: Ignored[] = [
    { what: "after its end", reason: "expired", clickedMs: atMs + 2 * msPerHour },
    { what: "in less than 500 ms", reason: "too_fast", clickedMs: atMs + 499 },
    { what: "with a test key", reason: "test_key", offer: { mode: "test", price_micro: 0 } },
    { what: "of a house ad", reason: "house_ad", offer: { price_micro: 0 }, campaign: { house: 1 } },
    { what: "of an ended campaign", reason: "campaign_ended", campaign: { status: "ended" } },
    { what: "of a paused campaign", reason: "campaign_ended", campaign: { status: "paused" } },
    { what: "at the campaign's end", reason: "campaign_ended", campaign: { ends_at: atMs + 1_000 } },
    { what: "beyond the budget", reason: "budget_exhausted", campaign: { budget_micro: 99_999 } },
    { what: "beyond the daily budget", reason: "budget_exhausted", campaign: { daily_budget_micro: 99_999 } },
  ];
  for (const { what, reason, offer: given, campaign, clickedMs = atMs + 1_000 } of ignored) {
    it(`is not paid for a click ${what} (${reason}) [threat: fake-click]`, async () => {
      const scene = await makeScene(campaign);
      const { id } = await scene.offer(given);
      assert.equal(await click(id, clickedMs), reason);
      assert.equal((await readOffer(store, id)).verdict, reason);
      assert.deepEqual(await scene.ignored(), { [reason]: 1 });
      assert.deepEqual([await readLedger(store, scene.accountId), await scene.spent(), await scene.rates()], [[], 0, []]);
    });
  }

  it("is paid from exactly 500 ms until its last millisecond", async () => {
    const scene = await makeScene();
    assert.equal(await click((await scene.offer()).id, atMs + 500), "paid");
    assert.equal(await click((await scene.offer()).id, atMs + 2 * msPerHour - 1), "paid");
  });

  it("is not paid while the account is suspended", async () => {
    const scene = await makeScene();
    const { id } = await scene.offer();
    await setAccountStatus(store, scene.accountId, "suspended");
    assert.equal(await click(id, atMs + 1_000), "account_inactive");
    assert.deepEqual(await readLedger(store, scene.accountId), []);
  });

  it("is still payable to a person after a prefetch or a robot", async () => {
    const scene = await makeScene();
    const { id } = await scene.offer();
    assert.equal(await click(id, atMs + 1_000, "prefetch"), "prefetch");
    assert.equal(await click(id, atMs + 1_001, "automated_agent"), "automated_agent");
    assert.equal((await readOffer(store, id)).clicked_at, null);
    assert.equal(await click(id, atMs + 1_002), "paid");
    assert.deepEqual(await scene.ignored(), { prefetch: 1, automated_agent: 1 });
  });

  it("spends a budget to the last micro-dollar and not one more", async () => {
    const scene = await makeScene({ budget_micro: 250_000 });
    const offers = [await scene.offer(), await scene.offer(), await scene.offer(), await scene.offer({ price_micro: 50_000 })];
    const verdicts = await Promise.all(offers.map(({ id }) => click(id, atMs + 1_000)));
    assert.deepEqual(verdicts, ["paid", "paid", "budget_exhausted", "paid"]);
    assert.equal(await scene.spent(), 250_000);
  });

  it("spends a daily budget to the last micro-dollar and not one more", async () => {
    const scene = await makeScene({ daily_budget_micro: 250_000 });
    const offers = [await scene.offer(), await scene.offer(), await scene.offer(), await scene.offer({ price_micro: 50_000 })];
    assert.deepEqual(await Promise.all(offers.map(({ id }) => click(id, atMs + 1_000))), ["paid", "paid", "budget_exhausted", "paid"]);
    assert.equal(await scene.spent(), 250_000);
  });

  it("is paid again from midnight when the daily budget resets", async () => {
    const dayMs = 24 * msPerHour;
    const midnight = Math.floor(atMs / dayMs) * dayMs;
    const scene = await makeScene({ daily_budget_micro: 150_000 });
    const late = { atMs: midnight - 10_000 };
    const [a, b, c] = [await scene.offer(late), await scene.offer(late), await scene.offer(late)];
    assert.equal(await click(a.id, midnight - 2), "paid");
    assert.equal(await click(b.id, midnight - 1), "budget_exhausted");
    assert.equal(await click(c.id, midnight), "paid");
    await auditClicks(store);
  });

  it("is paid when its impression comes up to 2 s after the click", async () => {
    const scene = await makeScene();
    const { id } = await scene.offer({ impressed_at: null });
    assert.equal(await click(id, atMs + 1_000), "awaiting_impression");
    assert.deepEqual([await readLedger(store, scene.accountId), await scene.ignored()], [[], {}]);
    assert.equal(await click(id, atMs + 1_100), "duplicate");
    assert.equal(await see(id, atMs + 3_000), "counted");
    assert.equal((await readOffer(store, id)).verdict, "paid");
    assert.equal((await readLedger(store, scene.accountId)).length, 1);
    assert.equal(await see(id, atMs + 3_001), "not_counted");
    await tracking.sweep(atMs + msPerHour);
    assert.deepEqual([await scene.spent(), await scene.ignored()], [100_000, { duplicate: 1 }]);
    assert.deepEqual(await scene.rates(), [{ impressions: 1, clicks: 1 }]);
    await auditClicks(store);
  });

  it("is not paid when the impression comes later, but the impression counts", async () => {
    const scene = await makeScene();
    const { id } = await scene.offer({ impressed_at: null });
    assert.equal(await click(id, atMs + 1_000), "awaiting_impression");
    assert.equal(await see(id, atMs + 3_001), "counted");
    assert.equal((await readOffer(store, id)).verdict, "no_impression");
    assert.deepEqual([await scene.spent(), await scene.ignored()], [0, { no_impression: 1 }]);
    assert.deepEqual(await scene.rates(), [{ impressions: 1, clicks: 0 }]);
  });

  it("is not paid when no impression comes: the sweep decides, and not too soon", async () => {
    const scene = await makeScene();
    const { id } = await scene.offer({ impressed_at: null });
    await click(id, atMs + 1_000);
    await tracking.sweep(atMs + 3_000);
    assert.equal((await readOffer(store, id)).verdict, "awaiting_impression");
    await tracking.sweep(atMs + 5_000);
    await tracking.sweep(atMs + 5_000);
    assert.equal((await readOffer(store, id)).verdict, "no_impression");
    assert.deepEqual(await scene.ignored(), { no_impression: 1 });
  });

  it("is paid by the sweep when the transactions of click and impression overlapped", async () => {
    const scene = await makeScene();
    // The state after two concurrent transactions, where the impression's did not see the click.
    const { id } = await scene.offer({ impressed_at: atMs + 1_500, clicked_at: atMs + 1_000, verdict: "awaiting_impression" });
    await tracking.sweep(atMs + 5_000);
    assert.equal((await readOffer(store, id)).verdict, "paid");
    assert.equal(await scene.spent(), 100_000);
    await auditClicks(store);
  });

  it("is paid once when click and impression race, in either order", async () => {
    const scene = await makeScene();
    const offers = await Promise.all(Array.from({ length: 50 }, () => scene.offer({ impressed_at: null })));
    await Promise.all(offers.flatMap(({ id }, index) => (index % 2 === 0 ? [click(id, atMs + 1_000), see(id, atMs + 1_001)] : [see(id, atMs + 1_001), click(id, atMs + 1_000)])));
    await tracking.sweep(atMs + 5_000);
    for (const { id } of offers) assert.equal((await readOffer(store, id)).verdict, "paid");
    assert.equal(await scene.spent(), 5_000_000);
    assert.deepEqual(await scene.hours(), [{ impressions: 50, valid_clicks: 50, spend_micro: 5_000_000, developer_micro: 3_500_000 }]);
    await auditClicks(store);
  });

  it("counts one impression, before it expires, and none for a test key", async () => {
    const scene = await makeScene();
    const [offer, late, test] = [await scene.offer({ impressed_at: null }), await scene.offer({ impressed_at: null }), await scene.offer({ impressed_at: null, mode: "test", price_micro: 0 })];
    assert.deepEqual(await Promise.all([see(offer.id, atMs + 1), see(offer.id, atMs + 2)]), ["counted", "not_counted"]);
    assert.equal(await see(late.id, late.expires_at), "not_counted");
    await see(test.id, atMs + 1);
    assert.deepEqual(await scene.hours(), [{ impressions: 1, valid_clicks: 0, spend_micro: 0, developer_micro: 0 }]);
    assert.deepEqual(await scene.rates(), [{ impressions: 1, clicks: 0 }]);
  });

  it("does not affect click rates when it is a house ad", async () => {
    const scene = await makeScene({ house: 1, budget_micro: 0, bid_micro: 0 });
    const { id } = await scene.offer({ impressed_at: null, price_micro: 0 });
    assert.equal(await see(id, atMs + 1), "counted");
    assert.deepEqual([await scene.rates(), (await scene.hours()).length], [[], 1]);
  });

  it("that does not exist has no landing page", async () => {
    assert.equal(await click("ad_0000000000000000000000", atMs), undefined);
    assert.equal(await see("ad_0000000000000000000000", atMs), "not_counted");
  });
});
