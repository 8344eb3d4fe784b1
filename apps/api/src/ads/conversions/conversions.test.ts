import type { GroupedReportReply } from "@assay/contract/ads-report.ts";
import assert from "node:assert/strict";
import { before, it } from "node:test";
import { makeCampaign, type TestCampaign } from "../../../test/ads/serving/make-campaign.ts";
import { makeOffer, makeOffers, type TestOffer } from "../../../test/ads/serving/make-offers.ts";
import { follow } from "../../../test/ads/serving/send-tracking.ts";
import { serveAds } from "../../../test/ads/serving/serve-ads.ts";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { dumpDatabase } from "../../../test/dump-database.ts";
import { makeAccount, type TestAccount, vastTier } from "../../../test/make-account.ts";
import { readLedger } from "../../../test/read-ledger.ts";
import { type Answer, predict, send } from "../../../test/send.ts";
import type { TestService } from "../../../test/start-service.ts";
import { msPerDay, msPerMinute } from "../../formats/time.ts";
import { reportCampaigns } from "../campaigns/report-campaigns.ts";
import type { Click } from "../clicks/decide-clicks.work.ts";
import { reverseClicks } from "../clicks/reverse-clicks.ts";
import { makeCampaignToken } from "./campaign-token.ts";
import { reportConversion } from "./report-conversion.ts";

const decideClicks = new URL("../clicks/decide-clicks.work.ts", import.meta.url);

describeBothStores("a conversion", (open) => {
  let database: TestDatabase;
  let nodes: TestService[];
  let account: TestAccount;
  let campaign: TestCampaign;
  let token: string;

  const tokenOf = async (campaignId: string) => (await makeCampaignToken(database.store, campaignId, { actorAccountId: null, nowMs: Date.now() }))!.token;

  /** `bearer`: null for none. */
  type From = { node?: number; campaignId?: string; bearer?: string | null };
  const report = (adId: unknown, { node = 0, campaignId = campaign.campaignId, bearer = token }: From = {}): Promise<Answer> =>
    send(nodes[node]!, `/api/campaigns/${campaignId}/conversions`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(bearer !== null && { authorization: `Bearer ${bearer}` }) },
      body: { ad_id: adId },
    });

  /** Ads whose clicks the real transaction paid, so long ago. */
  async function makeClicked(count = 1, { agoMs = msPerMinute, of = campaign, accountId = account.accountId, category = "gaming" } = {}): Promise<TestOffer[]> {
    const clickedMs = Date.now() - agoMs;
    const offers = await makeOffers(database.store, { accountId, campaign: of, atMs: clickedMs - msPerMinute, price_micro: 10_000, category }, count);
    const clicks = offers.map(({ id }): Click => ({ offerId: id, atMs: clickedMs, agent: "person" }));
    const outcomes = await database.store.transact<{ clicks: Click[] }, ({ verdict: string } | null)[]>(decideClicks, { clicks });
    assert(outcomes.every((outcome) => outcome?.verdict === "paid"));
    return offers;
  }

  const countOf = async (campaignId: string) => {
    const rows = await database.store.db.selectFrom("conversion_days").select("conversions").where("campaign_id", "=", campaignId).execute();
    return rows.reduce((sum, row) => sum + row.conversions, 0);
  };

  before(async () => {
    database = await open();
    account = await makeAccount(database.store, { tier: vastTier, nowMs: Date.now() - 60 * msPerDay });
    campaign = await makeCampaign(database.store, { starts_at: 0, budget_micro: 1_000_000_000 });
    token = await tokenOf(campaign.campaignId);
    nodes = [await serveAds(database), await serveAds(database)];
  });

  it("is counted once, however often and wherever it is reported at the same time, and every answer is the same", async () => {
    const earlier = await countOf(campaign.campaignId);
    const ads = await makeClicked(8);
    const answers = await Promise.all(ads.flatMap(({ id }) => Array.from({ length: 10 }, (_, index) => report(id, { node: index % 2 }))));
    for (const { status, text } of answers) assert.equal(status, 200, text);
    assert.equal(new Set(answers.map(({ text }) => text)).size, ads.length, "one answer per ad");
    assert.equal(await countOf(campaign.campaignId), earlier + ads.length);
    const [first] = answers;
    assert.equal((await report(ads[0]!.id)).text, first!.text, "later too");
    assert.equal(await countOf(campaign.campaignId), earlier + ads.length);
  });

  it("moves no money: no entry, no spend, no hold [threat: lying-advertiser]", async () => {
    const [ad] = await makeClicked();
    const read = async () => [await readLedger(database.store, account.accountId), await database.store.db.selectFrom("campaigns").selectAll().where("id", "=", campaign.campaignId).execute(), await database.store.db.selectFrom("clicks").selectAll().where("offer_id", "=", ad!.id).execute(), await database.store.db.selectFrom("findings").selectAll().execute(), await database.store.db.selectFrom("money_holds").selectAll().execute()];
    const earlier = await read();
    assert.equal((await report(ad!.id)).status, 200);
    assert.deepEqual(await read(), earlier);
  });

  it("is of a paid click of this campaign: not of one that was never clicked, did not pay, was reversed, or is another's", async () => {
    const { store } = database;
    const unclicked = await makeOffer(store, { accountId: account.accountId, campaign, atMs: Date.now() - msPerMinute });
    const test = await makeOffer(store, { accountId: account.accountId, campaign, atMs: Date.now() - msPerMinute, mode: "test", price_micro: 0 });
    await follow(nodes[0]!, test.clickPath);
    const [reversed] = await makeClicked();
    await reverseClicks(store, { offerIds: [reversed!.id], reason: "a test", actorAccountId: null, nowMs: Date.now() });
    const other = await makeCampaign(store, { starts_at: 0 });
    const [others] = await makeClicked(1, { of: other });
    const earlier = await countOf(campaign.campaignId);
    const answers = await Promise.all([unclicked.id, test.id, reversed!.id, others!.id, "ad_none", `ad_${"x".repeat(60)}`].map((id) => report(id)));
    assert.deepEqual(answers.map(({ status }) => status), answers.map(() => 404), answers.map(({ text }) => text).join());
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1, "nothing tells them apart");
    assert.equal(await countOf(campaign.campaignId), earlier);
    assert.equal(await countOf(other.campaignId), 0);
    for (const body of [undefined, 7, "", "\u0000", "sess_x", `ad_${"x".repeat(61)}`]) assert.equal((await report(body)).status, 400, JSON.stringify(body));
  });

  it("counts until 30 days after the click, to the millisecond", async () => {
    const { store } = database;
    const [ad, late] = await makeClicked(2, { agoMs: 31 * msPerDay });
    const { at } = await store.db.selectFrom("clicks").select("at").where("offer_id", "=", ad!.id).executeTakeFirstOrThrow();
    const of = { campaignId: campaign.campaignId };
    const lastMs = at + 30 * msPerDay;
    assert.deepEqual(await reportConversion(store, { ...of, offerId: ad!.id, nowMs: lastMs + 1 }), { kind: "too_late" });
    assert.deepEqual(await reportConversion(store, { ...of, offerId: ad!.id, nowMs: lastMs }), { kind: "converted", atMs: lastMs });
    assert.deepEqual(await reportConversion(store, { ...of, offerId: ad!.id, nowMs: lastMs + msPerDay }), { kind: "converted", atMs: lastMs }, "a repeat is never too late");
    const answer = await report(late!.id);
    assert.deepEqual([answer.status, answer.json().error], [400, "invalid_request"]);
    assert.match(String(answer.json().message), /^ad_id/);
  });

  it("needs the campaign's newest token, which is stored as a hash only, before anything of the body is read", async () => {
    const own = await makeCampaign(database.store);
    const first = await tokenOf(own.campaignId);
    const second = await tokenOf(own.campaignId);
    assert.match(first, /^ct_[0-9A-Za-z]{43}$/);
    const status = async (bearer: string | null, campaignId = own.campaignId) => (await report("ad_none", { campaignId, bearer })).status;
    assert.deepEqual([await status(second), await status(first), await status(null), await status(second, campaign.campaignId), await status(second, "camp_none"), await status(second, "%00")], [404, 401, 401, 401, 401, 401]);
    const broken = await send(nodes[0]!, `/api/campaigns/${own.campaignId}/conversions`, { method: "POST", headers: { "content-type": "application/json", authorization: `Bearer ${first}` }, body: "{not json" });
    assert.equal(broken.status, 401, "a wrong token is told before a wrong body");
    const { text: dump } = await dumpDatabase(database);
    assert(![first, second].some((each) => dump.includes(each.slice(3))), "no token is stored");
    assert.equal(await makeCampaignToken(database.store, "camp_none", { actorAccountId: null, nowMs: Date.now() }), undefined);
    const noted = await database.store.db.selectFrom("audit_log").select("detail").where("action", "=", "campaign.token").where("subject", "=", own.campaignId).execute();
    assert.deepEqual(noted.map(({ detail }) => detail), ["{}", "{}"]);
  });

  it("has a window per campaign, which costs no call of an account anything", async () => {
    const own = await makeCampaign(database.store);
    const ownToken = await tokenOf(own.campaignId);
    const answers: Answer[] = [];
    for (let round = 0; round < 51; round += 1) answers.push(...(await Promise.all(Array.from({ length: 20 }, () => report("ad_none", { campaignId: own.campaignId, bearer: ownToken })))));
    const statuses = Map.groupBy(answers, ({ status }) => status);
    assert.equal(statuses.get(429)?.length, 20);
    assert.equal(statuses.get(404)?.length, 1_000);
    const refused = statuses.get(429)![0]!;
    assert(Number(refused.headers["retry-after"]) >= 1);
    assert.equal((await report("ad_none")).status, 404, "another campaign's window is untouched");
    const call = await predict(nodes[0]!, account.liveKey);
    assert.equal(call.status, 200);
    const quota = Number(/"burst";q=(\d+)/.exec(String(call.headers["ratelimit-policy"]))![1]);
    assert.equal(Number(/"burst";r=(\d+)/.exec(String(call.headers.ratelimit))![1]), quota - 1, "it is the account's first");
  });

  it("appears in the reports of both sides, by developer and by group", async () => {
    const own = await makeCampaign(database.store, { starts_at: 0, name: "Reported" });
    const ownToken = await tokenOf(own.campaignId);
    const other = await makeAccount(database.store);
    const developer = await makeAccount(database.store);
    const gaming = await makeClicked(3, { of: own, accountId: developer.accountId });
    const news = await makeClicked(1, { of: own, accountId: developer.accountId, category: "news" });
    const others = await makeClicked(1, { of: own, accountId: other.accountId });
    for (const { id } of [...gaming.slice(1), ...news, ...others]) assert.equal((await report(id, { campaignId: own.campaignId, bearer: ownToken })).status, 200);
    const reported = (await reportCampaigns(database.store)).find(({ name }) => name === "Reported");
    assert.equal(reported!.conversions, 4);
    assert.deepEqual(reported!.conversions_by_developer, [{ account_id: developer.accountId, conversions: 3 }, { account_id: other.accountId, conversions: 1 }]);
    const reportBy = async (by: string) => (await send(nodes[0]!, `/api/ads/report?group_by=${by}`, { headers: { "x-api-key": developer.liveKey } })).json() as unknown as GroupedReportReply;
    const pairs = ({ rows }: GroupedReportReply) => rows.map(({ group, clicks, conversions }) => [group, clicks, conversions]);
    assert.deepEqual(pairs(await reportBy("category")), [["gaming", 3, 2], ["news", 1, 1]]);
    assert.deepEqual(pairs(await reportBy("format")), [["banner", 4, 3]]);
    assert.deepEqual(pairs(await reportBy("placement")), [["feed", 4, 3]]);
    const byDay = await reportBy("day");
    assert.deepEqual([byDay.totals.clicks, byDay.totals.conversions], [4, 3]);
  });

  it("is reported with the id that the landing page got, wherever its address asks for it", async () => {
    const own = await makeCampaign(database.store, { landingUrl: "https://shop.example/%7Bad_id%7D/x?ad={ad_id}&b=1" });
    const ad = await makeOffer(database.store, { accountId: account.accountId, campaign: own, atMs: Date.now() - msPerMinute });
    for (const method of ["HEAD", "GET"]) assert.equal((await follow(nodes[0]!, ad.clickPath, { method })).headers.location, `https://shop.example/${ad.id}/x?ad=${ad.id}&b=1`);
  });
});
