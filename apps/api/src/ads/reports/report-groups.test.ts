import { type GroupedReportReply, reportGroups as groupings } from "@assay/contract/ads-report.ts";
import { adFormats, adPlacements } from "@assay/contract/ads.ts";
import assert from "node:assert/strict";
import { before, it } from "node:test";
import { makeCampaign, type TestCampaign } from "../../../test/ads/serving/make-campaign.ts";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { createSeededRandom } from "../../../test/faults/rig/seeded-random.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { usdOf } from "../../formats/money.ts";
import { msPerDay, msPerHour, msPerMinute, startOfDay } from "../../formats/time.ts";
import { idAt } from "../../ids/time-ordered-id.ts";
import type { AdFormat } from "../../store/schema-ads.ts";
import type { Store } from "../../store/store.ts";
import { offerLifeMs } from "../auction/live-offers.ts";
import type { Impression } from "../clicks/count-impressions.work.ts";
import type { Click, ClickOutcome } from "../clicks/decide-clicks.work.ts";
import { reverseClicks } from "../clicks/reverse-clicks.ts";
import { createOfferMaker } from "../serving/make-offers.ts";
import { createNoFillCounts } from "../serving/no-fill-counts.ts";
import type { NewOffer } from "../serving/offer-batch.ts";
import { parseGroupedSpan, reportGroups } from "./report-groups.ts";

const startMs = startOfDay(Date.now()) - 20 * msPerDay;
const days = 3;
const span = { fromMs: startMs, toMs: startMs + days * msPerDay };
const categories = ["", "gaming", "news", "null", "(other)"];
const decideClicks = new URL("../clicks/decide-clicks.work.ts", import.meta.url);
const countImpressions = new URL("../clicks/count-impressions.work.ts", import.meta.url);

type Facts = NewOffer & { isSeen: boolean; verdict: string | undefined; reversed: boolean; clickedMs: number };

function makeOffer(store: Store, offer: NewOffer, maker = createOfferMaker(store)): Promise<string> {
  return new Promise((resolve, reject) => maker.make(offer, { settle: resolve, fail: reject }));
}

const groupOf = (by: string, facts: { placement: string; format: string; category: string }, atMs: number): string => {
  if (by === "day") return new Date(atMs).toISOString().slice(0, 10);
  const name = facts[by as "placement"];
  return name === "" ? "(none)" : name;
};

describeBothStores("a report by group", (open) => {
  const random = createSeededRandom();
  const pick = <Item>(items: readonly Item[]): Item => items[random.between(0, items.length - 1)]!;
  let database: TestDatabase;
  let accountId: string;
  let campaigns: Record<AdFormat, TestCampaign>;
  const offers: Facts[] = [];
  const noFills: { format: string; placement: string; category: string; reason: string; atMs: number }[] = [];
  const ignored: { facts: NewOffer; reason: string; atMs: number }[] = [];

  function drawOffer(): Facts {
    const format = pick(adFormats);
    const atMs = span.fromMs + random.between(0, days * msPerDay - 2 * msPerHour);
    const priceMicroUsd = random.between(10_000, 250_000);
    const { campaignId, creativeId } = campaigns[format];
    return {
      id: idAt("ad", atMs), accountId, mode: "live", campaignId, creativeId, format, placement: pick(adPlacements), category: pick(categories), trustBand: "unverified",
      priceMicroUsd, shareBps: 6_800, developerMicroUsd: Math.floor((priceMicroUsd * 6_800) / 10_000), atMs, expiresMs: atMs + offerLifeMs, sessionId: null,
      isSeen: random.isTrue(0.8), verdict: undefined, reversed: false, clickedMs: atMs + msPerMinute,
    };
  }

  async function click(store: Store, clicks: Click[]): Promise<(string | undefined)[]> {
    return (await store.transact<{ clicks: Click[] }, ClickOutcome[]>(decideClicks, { clicks })).map((outcome) => outcome?.verdict);
  }

  before(async () => {
    database = await open();
    const { store } = database;
    ({ accountId } = await makeAccount(store, { nowMs: startMs - msPerDay }));
    const big = { budget_micro: 1_000_000_000, starts_at: 0 };
    campaigns = { banner: await makeCampaign(store, { ...big, format: "banner" }), native: await makeCampaign(store, { ...big, format: "native" }), interstitial: await makeCampaign(store, { ...big, format: "interstitial" }) };
    const maker = createOfferMaker(store);
    offers.push(...Array.from({ length: 150 }, drawOffer));
    await Promise.all(offers.map((offer) => makeOffer(store, offer, maker)));
    // Somebody else's, and what a test key asked for, are in no report of this account.
    const { accountId: otherId } = await makeAccount(store, { nowMs: startMs - msPerDay });
    await makeOffer(store, { ...drawOffer(), accountId: otherId });
    await makeOffer(store, { ...drawOffer(), mode: "test" });
    const impressions = offers.filter(({ isSeen }) => isSeen).map(({ id, atMs }): Impression => ({ offerId: id, atMs: atMs + 1_000 }));
    await store.transact(countImpressions, { impressions });
    const clicked = offers.filter(({ isSeen }) => isSeen && random.isTrue(0.6));
    // Twice: the second click of each is a duplicate.
    for (let round = 0; round < 2; round += 1) {
      const verdicts = await click(store, clicked.map(({ id, clickedMs }): Click => ({ offerId: id, atMs: clickedMs, agent: "person" })));
      clicked.forEach((offer, index) => {
        if (round === 0) offer.verdict = verdicts[index];
        else ignored.push({ facts: offer, reason: verdicts[index]!, atMs: offer.clickedMs });
      });
    }
    const paid = offers.filter(({ verdict }) => verdict === "paid");
    assert(paid.length > 20);
    const reversed = paid.filter(() => random.isTrue(0.3));
    const undone = await reverseClicks(store, { offerIds: reversed.map(({ id }) => id), reason: "a test", actorAccountId: null, nowMs: Date.now() });
    assert(undone.every(({ outcome }) => outcome === "reversed"));
    for (const offer of reversed) offer.reversed = true;
    const counts = createNoFillCounts(store, (error) => assert.fail(String(error)));
    for (let left = 200; left > 0; left -= 1) {
      const noFill = { format: pick(adFormats), placement: pick(adPlacements), category: pick(categories), reason: pick(["no_campaign", "paced", "trust_required"] as const), atMs: span.fromMs + random.between(0, days * msPerDay - 1) };
      noFills.push(noFill);
      counts.count({ accountId, ...noFill });
      if (left === 100) await counts.stop();
    }
    await counts.stop();
  });

  const report = (by: (typeof groupings)[number], within = span) => reportGroups(database.store, { accountId, ...within }, by);

  /** The same figures, counted one by one from what was done. */
  function expect(by: string): Record<string, Omit<GroupedReportReply["rows"][number], "group">> {
    const groups: Record<string, { requests: number; filled: number; unfilled: Record<string, number>; impressions: number; clicks: number; ignored_clicks: Record<string, number>; micro: number; conversions: number }> = {};
    const at = (name: string) => (groups[name] ??= { requests: 0, filled: 0, unfilled: {}, impressions: 0, clicks: 0, ignored_clicks: {}, micro: 0, conversions: 0 });
    for (const offer of offers) {
      const made = at(groupOf(by, offer, offer.atMs));
      made.requests += 1;
      made.filled += 1;
      if (offer.isSeen) at(groupOf(by, offer, offer.atMs + 1_000)).impressions += 1;
      if (offer.verdict !== "paid" || offer.reversed) continue;
      const group = at(groupOf(by, offer, offer.clickedMs));
      group.clicks += 1;
      group.micro += offer.developerMicroUsd;
    }
    for (const { facts, reason, atMs } of ignored) {
      const counts = at(groupOf(by, facts, atMs)).ignored_clicks;
      counts[reason] = (counts[reason] ?? 0) + 1;
    }
    for (const noFill of noFills) {
      const group = at(groupOf(by, noFill, noFill.atMs));
      group.requests += 1;
      group.unfilled[noFill.reason] = (group.unfilled[noFill.reason] ?? 0) + 1;
    }
    return Object.fromEntries(Object.entries(groups).map(([name, { micro, ...rest }]) => [name, { ...rest, revenue_usd: usdOf(micro) }]));
  }

  for (const by of groupings) {
    it(`by ${by} has every request, impression, click and micro-dollar once`, async () => {
      const { rows } = await report(by);
      assert.deepEqual(Object.fromEntries(rows.map(({ group, ...figures }) => [group, figures])), expect(by), `seed ${random.seed}`);
    });
  }

  it("equals the ledger to the micro-dollar: clicks, less those that were reversed", async () => {
    const entries = await database.store.db.selectFrom("ledger_entries").select(["kind", "developer_micro"]).where("account_id", "=", accountId).where("kind", "in", ["click", "reversal"]).execute();
    assert(entries.some(({ kind }) => kind === "reversal"));
    const ledgerMicroUsd = entries.reduce((sum, { developer_micro }) => sum + developer_micro, 0);
    for (const by of groupings) {
      const { rows, totals } = await report(by);
      assert.equal(totals.revenue_usd, usdOf(ledgerMicroUsd), by);
      assert.equal(Math.round(rows.reduce((sum, row) => sum + row.revenue_usd * 1e6, 0)), ledgerMicroUsd, by);
    }
  });

  it("has the same totals by every group, over the whole span and over a single day", async () => {
    for (const within of [span, { fromMs: span.fromMs + msPerDay, toMs: span.fromMs + 2 * msPerDay }]) {
      const [first, ...others] = await Promise.all(groupings.map(async (by) => (await report(by, within)).totals));
      for (const each of others) assert.deepEqual(each, first);
    }
  });

  it("shows what an older version counted as unknown, and never twice", async () => {
    const { store } = database;
    const { totals: earlier } = await report("category");
    const hour = { account_id: accountId, hour: span.fromMs };
    const { campaignId, creativeId } = campaigns.native;
    await store.write([
      store.db.insertInto("ad_hours").values({ ...hour, campaign_id: campaignId, creative_id: creativeId, placement: "sidebar", trust_band: "medium", offers: 4, impressions: 3, valid_clicks: 1, spend_micro: 20_000, developer_micro: 13_600 }),
      store.db.insertInto("ignored_click_hours").values({ ...hour, campaign_id: campaignId, reason: "expired", clicks: 2 }),
      store.db.insertInto("no_fill_hours").values({ ...hour, reason: "budget_used_up", requests: 7 }),
    ]);
    const unknown = (await report("category")).rows.at(-1);
    assert.deepEqual(unknown, { group: "(unknown)", requests: 11, filled: 4, unfilled: { budget_used_up: 7 }, impressions: 3, clicks: 1, ignored_clicks: { expired: 2 }, revenue_usd: 0.0136, conversions: 0 });
    const byPlacement = await report("placement");
    assert.deepEqual(byPlacement.rows.at(-1), { group: "(unknown)", requests: 7, filled: 0, unfilled: { budget_used_up: 7 }, impressions: 0, clicks: 0, ignored_clicks: { expired: 2 }, revenue_usd: 0, conversions: 0 });
    const all = await Promise.all(groupings.map(async (by) => (await report(by)).totals));
    for (const totals of all) assert.deepEqual(totals, all[0]);
    assert.equal(all[0]!.requests, earlier.requests + 11);
  });

  it("has at most 100 rows, and the sums of all", async () => {
    const { store } = database;
    const { accountId: crowded } = await makeAccount(store);
    const maker = createOfferMaker(store);
    const names = Array.from({ length: 140 }, (_, index) => `name-${String(index).padStart(3, "0")}`);
    await Promise.all(names.map((category) => makeOffer(store, { ...drawOffer(), accountId: crowded, category }, maker)));
    const { rows, totals } = await reportGroups(store, { accountId: crowded, ...span }, "category");
    assert.equal(rows.length, 99);
    assert.deepEqual([rows.at(-1)!.group, rows.at(-1)!.filled, totals.filled], ["(other)", 42, 140]);
  });

  it("covers whole UTC days, 30 by default and 92 at most, and names the field that is wrong", () => {
    const nowMs = startMs + 5 * msPerDay + msPerHour;
    assert.deepEqual(parseGroupedSpan({}, nowMs), { fromMs: startMs - 25 * msPerDay, toMs: startMs + 6 * msPerDay });
    for (const [query, message] of [[{ from: "yesterday" }, /^from/], [{ to: "x" }, /^to/], [{ from: "2026-02-02", to: "2026-02-01" }, /^from/], [{ from: "2026-01-01", to: "2026-05-01" }, /92 days/]] as const) {
      assert.throws(() => parseGroupedSpan(query, nowMs), (error: Error) => message.test(error.message), JSON.stringify(query));
    }
  });
});
