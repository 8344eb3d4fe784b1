import fc from "fast-check";
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { msPerDay, msPerHour } from "../../formats/time.ts";
import type { AdHourRow } from "../../store/schema-ads.ts";
import { parseReportWindow, reportAds, wilson } from "../reports/report-ads.ts";
import { importCampaigns } from "./import-campaigns.ts";
import { reportCampaigns } from "./report-campaigns.ts";

const startMs = Date.UTC(2026, 2, 1);

describe("the interval of a click rate", () => {
  it("is the Wilson score interval", () => {
    // The textbook example: 10 of 20.
    const half = wilson(10, 20)!;
    assert(Math.abs(half.low - 0.2993) < 1e-4 && Math.abs(half.high - 0.7007) < 1e-4);
    const rare = wilson(1, 1_000)!;
    assert(Math.abs(rare.low - 0.000177) < 1e-5 && Math.abs(rare.high - 0.005642) < 1e-5);
    assert.equal(wilson(0, 0), undefined);
    assert.equal(wilson(0, 50)!.low, 0);
    assert.equal(wilson(50, 50)!.high, 1);
  });

  it("contains its rate, stays within 0 and 1, and narrows with more impressions", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (trials, share) => {
        const successes = Math.floor(trials * share);
        const { value, low, high } = wilson(successes, trials)!;
        assert(0 <= low && low <= value && value <= high && high <= 1);
        const more = wilson(successes * 4, trials * 4)!;
        assert(more.high - more.low < high - low);
      }),
    );
  });
});

describe("a report's window", () => {
  const nowMs = startMs + 5 * msPerDay + 90_000;
  it("covers whole hours or days, and the last week by default", () => {
    assert.deepEqual(parseReportWindow({}, nowMs), { fromMs: startMs - 2 * msPerDay, toMs: startMs + 6 * msPerDay, by: "day" });
    const hours = parseReportWindow({ from: "2026-03-01T00:30:00Z", to: "2026-03-01T02:00:00Z" }, nowMs);
    assert.deepEqual(hours, { fromMs: startMs, toMs: startMs + 2 * msPerHour, by: "hour" });
  });

  it("is refused when it runs backwards, is too long, or is not a time", () => {
    for (const query of [{ from: "2026-03-02", to: "2026-03-01" }, { from: "2025-01-01", to: "2026-01-01" }, { from: "yesterday" }, { from: "2026-01-01", to: "2026-02-01", by: "hour" as const }]) {
      assert.throws(() => parseReportWindow(query, nowMs), { code: "invalid_request" }, JSON.stringify(query));
    }
  });
});

describeBothStores("reports on ads", (open) => {
  let database: TestDatabase;
  let ids: string[];
  const hour = (more: Partial<AdHourRow>): AdHourRow => ({
    account_id: "acct_a",
    hour: startMs,
    campaign_id: ids[0]!,
    creative_id: "crea_1",
    placement: "feed",
    trust_band: "high",
    offers: 10,
    impressions: 8,
    valid_clicks: 2,
    spend_micro: 500_000,
    developer_micro: 340_000,
    ...more,
  });

  before(async () => {
    database = await open();
    const { store } = database;
    const creative = { format: "banner", headline: "H", description: "", cta_text: "Go", landing_url: "https://example.com/" };
    const campaigns = ["One", "Two"].map((name) => ({ name, budget_usd: 10, bid_usd: 0.25, placements: ["feed"], creatives: [creative] }));
    const outcome = await importCampaigns(store, { advertiser: "Acme", campaigns }, { folder: ".", nowMs: startMs, actorAccountId: null });
    assert(outcome.kind === "imported");
    ids = outcome.campaigns.map(({ id }) => id);
    const { db } = store;
    await store.write([
      db.insertInto("ad_hours").values([
        hour({}),
        hour({ trust_band: "low", placement: "sidebar", offers: 5, impressions: 4, valid_clicks: 0, spend_micro: 0, developer_micro: 0 }),
        hour({ hour: startMs + 25 * msPerHour, offers: 1, impressions: 1, valid_clicks: 1, spend_micro: 250_000, developer_micro: 170_000 }),
        hour({ account_id: "acct_b", offers: 100, impressions: 90, valid_clicks: 9, spend_micro: 2_250_000, developer_micro: 1_530_000 }),
        hour({ campaign_id: ids[1]!, offers: 7, impressions: 7, valid_clicks: 0, spend_micro: 0, developer_micro: 0 }),
        hour({ hour: startMs - msPerHour, offers: 1_000 }),
      ]),
      db.insertInto("ignored_click_hours").values([
        { account_id: "acct_a", hour: startMs, campaign_id: ids[0]!, reason: "duplicate", clicks: 3 },
        { account_id: "acct_a", hour: startMs + 25 * msPerHour, campaign_id: ids[0]!, reason: "duplicate", clicks: 1 },
        { account_id: "acct_a", hour: startMs, campaign_id: ids[0]!, reason: "too_fast", clicks: 1 },
        { account_id: "acct_b", hour: startMs, campaign_id: ids[0]!, reason: "expired", clicks: 5 },
      ]),
      db.insertInto("no_fill_hours").values([
        { account_id: "acct_a", hour: startMs, reason: "paced", requests: 4 },
        { account_id: "acct_b", hour: startMs, reason: "paced", requests: 40 },
      ]),
      db.updateTable("campaigns").set({ spent_micro: 3_000_000 }).where("id", "=", ids[0]!),
    ]);
  });

  const window = { fromMs: startMs, toMs: startMs + 2 * msPerDay, by: "day" as const };

  it("cover a developer's own account only", async () => {
    const { totals, trust_bands, placements, series } = await reportAds(database.store, { accountId: "acct_a" }, window);
    const { ctr, ...rest } = totals;
    assert.deepEqual(rest, {
      requests: 27,
      fills: 23,
      impressions: 20,
      valid_clicks: 3,
      spend_usd: 0.75,
      developer_usd: 0.51,
      ignored_clicks: { duplicate: 4, too_fast: 1 },
      no_fills: { paced: 4 },
    });
    assert.deepEqual(ctr, wilson(3, 20));
    assert.deepEqual(trust_bands.map(({ trust_band, impressions }) => [trust_band, impressions]), [["high", 16], ["medium", 0], ["low", 4], ["unverified", 0]]);
    assert.deepEqual(placements.map(({ placement, fills }) => [placement, fills]), [["feed", 18], ["sidebar", 5], ["fullscreen", 0]]);
    assert.deepEqual(series.map(({ start, fills, ignored_clicks, no_fills }) => [start, fills, ignored_clicks, no_fills]), [
      ["2026-03-01T00:00:00.000Z", 22, 4, 4],
      ["2026-03-02T00:00:00.000Z", 1, 1, 0],
    ]);
  });

  it("cover a campaign over all developers", async () => {
    const { totals, series } = await reportAds(database.store, { campaignId: ids[0]! }, { ...window, by: "hour" });
    assert.equal(totals.requests, null);
    assert.equal(totals.fills, 116);
    assert.equal(totals.spend_usd, 3);
    assert.deepEqual(totals.ignored_clicks, { duplicate: 4, too_fast: 1, expired: 5 });
    assert.equal(series.length, 48);
    assert.equal(series.reduce((sum, { fills }) => sum + fills, 0), 116);
  });

  it("total each campaign for the operator", async () => {
    const unconverted = { waiting_clicks: 0, undescribed_clicks: 0, unlike_clicks: 0, conversions: 0, conversions_by_developer: [] };
    assert.deepEqual(await reportCampaigns(database.store), [
      { name: "One", advertiser: "Acme", budget_usd: 10, spend_usd: 3, developer_usd: 2.38, impressions: 111, valid_clicks: 14, ignored_clicks: { duplicate: 4, expired: 5, too_fast: 1 }, ...unconverted },
      { name: "Two", advertiser: "Acme", budget_usd: 10, spend_usd: 0, developer_usd: 0, impressions: 7, valid_clicks: 0, ignored_clicks: {}, ...unconverted },
    ]);
  });
});
