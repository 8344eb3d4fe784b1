import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { click, day, isOver, payday } from "../../../test/money/unexamined-days.ts";
import { reportCampaigns } from "../campaigns/report-campaigns.ts";
import { addToAdHours } from "../reports/ad-hours.table.ts";
import { noticeOrigins, noticeRate } from "./notice-clicks.ts";
import { watchClicks } from "./watch-clicks.ts";

const elsewhere = { others_impressions: 10_000, others_clicks: 200 };
const codesOf = (notices: readonly { code: string }[]) => notices.map(({ code }) => code);

describe("notices about clicks", () => {
  it("compare with the same ads in the same places elsewhere", () => {
    assert.deepEqual(codesOf(noticeRate([{ impressions: 500, clicks: 60, ...elsewhere }])), ["click_rate_unlike_elsewhere"]);
    assert.deepEqual(noticeRate([{ impressions: 500, clicks: 25, ...elsewhere }]), [], "people differ");
    assert.deepEqual(noticeRate([{ impressions: 20, clicks: 8, ...elsewhere }]), [], "few clicks tell nothing");
    assert.deepEqual(noticeRate([{ impressions: 500, clicks: 60, others_impressions: 900, others_clicks: 0 }]), [], "nor does an ad that is new everywhere");
  });

  it("say where most requests did not tell what they were for, and never of few", () => {
    assert.deepEqual(codesOf(noticeOrigins({ described: 9, known: 20 })), ["clicks_undescribed"]);
    assert.deepEqual(noticeOrigins({ described: 10, known: 20 }), []);
    assert.deepEqual(noticeOrigins({ described: 0, known: 9 }), []);
  });
});

describeBothStores("a click rate unlike the same ads elsewhere", (open) => {
  it("is shown to operators as a notice of the day, and to advertisers as a number of clicks; it holds nothing", async () => {
    const { store } = await open();
    const [loud, others] = [await makeAccount(store, { nowMs: day }), await makeAccount(store, { nowMs: day })];
    const { campaignId, creativeId } = await click(store, loud.accountId, Array.from({ length: 40 }, (_, index) => `visitor-${index}`));
    const unlikeClicks = async () => (await reportCampaigns(store)).map((report) => report.unlike_clicks);
    const noticed = () => store.db.selectFrom("integrity_notices").select(["account_id", "day"]).where("code", "=", "click_rate_unlike_elsewhere").execute();
    const place = { hour: day, campaign_id: campaignId, creative_id: creativeId, placement: "feed" as const, trust_band: "unverified" as const, spend_micro: 0, developer_micro: 0 };
    const usual = { ...place, account_id: others.accountId, offers: 10_000, impressions: 10_000, valid_clicks: 200 };
    const own = { ...place, account_id: loud.accountId, offers: 400, impressions: 400, valid_clicks: 0 };
    await store.write([addToAdHours(store.db, [own, usual].toSorted((one, other) => (one.account_id < other.account_id ? -1 : 1)))]);
    assert.deepEqual(await unlikeClicks(), [0]);
    await watchClicks(store, { nowMs: payday, isOver });
    assert.deepEqual(await noticed(), [{ account_id: loud.accountId, day }]);
    assert.deepEqual(await unlikeClicks(), [40]);
    assert.deepEqual(await store.db.selectFrom("findings").select("id").execute(), []);
    assert.deepEqual(await store.db.selectFrom("waiting_earnings").select("id").execute(), []);
  });
});
