import type { Mutant } from "./mutant.ts";

const groupsTest = "apps/api/src/ads/reports/report-groups.test.ts";
const conversionsTest = "apps/api/src/ads/conversions/conversions.test.ts";
const route = "apps/api/src/ads/conversions/conversions.route.ts";
const report = "apps/api/src/ads/conversions/report-conversion.ts";

export const adsReportMutants: readonly Mutant[] = [
  {
    name: "a reversed click stays in the revenue of its category",
    file: "apps/api/src/ads/reports/ad-days.table.ts",
    from: 'eb("developer_micro", "-", click.developer_micro)',
    to: 'eb("developer_micro", "-", 0)',
    killedBy: [groupsTest, "by category has every request, impression, click and micro-dollar once"],
  },
  {
    name: "offers of test keys are counted by category on SQLite",
    file: "apps/api/src/ads/serving/make-offers.sqlite.ts",
    from: 'if (texts[text + place.mode] !== "live") continue;',
    to: "",
    killedBy: [groupsTest, "by category has every request, impression, click and micro-dollar once"],
  },
  {
    name: "unfilled requests of two hours overwrite each other",
    file: "apps/api/src/ads/serving/no-fill-counts.ts",
    from: "if (known) known.requests += row.requests;",
    to: "if (known) known.requests = row.requests;",
    killedBy: [groupsTest, "by placement has every request, impression, click and micro-dollar once"],
  },
  {
    name: "what an older version counted is left out",
    file: "apps/api/src/ads/reports/report-groups.ts",
    from: "if (name === allGroups) addFigures(unknown.figures, row);",
    to: "if (name === allGroups) continue;",
    killedBy: [groupsTest, "shows what an older version counted as unknown, and never twice"],
  },
  {
    name: "unfilled requests that have a group are counted as unknown too",
    file: "apps/api/src/ads/reports/report-groups.ts",
    from: 'if (by !== "day") addCount(countsOf(unknown), reason, -count);',
    to: "",
    killedBy: [groupsTest, "has the same totals by every group, over the whole span and over a single day"],
  },
  {
    name: "an account's names of a day have no bound",
    file: "apps/api/src/ads/serving/category-names.ts",
    from: "(own && own.size >= namesPerAccountMax)",
    to: "false",
    killedBy: ["apps/api/src/ads/serving/category-names.test.ts", "are an account's first 50 of a day; the rest is other, and the auction learns nothing of its name"],
  },
  {
    name: "a conversion that is reported twice at once is counted twice",
    file: report,
    from: "{ firstIsGuard: true },",
    to: "{ firstIsGuard: false },",
    killedBy: [conversionsTest, "is counted once, however often and wherever it is reported at the same time, and every answer is the same"],
  },
  {
    name: "a reversed click can be converted",
    file: report,
    from: 'if (click.status === "reversed") return { kind: "no_click" };',
    to: "",
    killedBy: [conversionsTest, "is of a paid click of this campaign: not of one that was never clicked, did not pay, was reversed, or is another's"],
  },
  {
    name: "a campaign may report another campaign's click",
    file: "apps/api/src/ads/conversions/conversions.table.ts",
    from: '.where("k.campaign_id", "=", wanted.campaignId)',
    to: "",
    killedBy: [conversionsTest, "is of a paid click of this campaign: not of one that was never clicked, did not pay, was reversed, or is another's"],
  },
  {
    name: "a conversion is refused in the last millisecond of its 30 days",
    file: report,
    from: "nowMs - click.at > conversionDaysMax * msPerDay",
    to: "nowMs - click.at >= conversionDaysMax * msPerDay",
    killedBy: [conversionsTest, "counts until 30 days after the click, to the millisecond"],
  },
  {
    name: "any campaign's token opens every campaign",
    file: "apps/api/src/ads/conversions/campaign-token.ts",
    from: "return isSame && row !== undefined;",
    to: "return isSame || row !== undefined;",
    killedBy: ["apps/api/test/authorization.test.ts", "takes conversions with the campaign's own token only, and tells nobody else whether there is such a campaign [threat: advertiser-token]"],
  },
  {
    name: "a campaign's reports have no limit",
    file: route,
    from: "if (!outcome.allowed) throw refusalOf({ quota: conversionQuota }, outcome);",
    to: "",
    killedBy: [conversionsTest, "has a window per campaign, which costs no call of an account anything"],
  },
  {
    name: "the landing page does not get the ad's id",
    file: "apps/api/src/ads/clicks/track.route.ts",
    from: "landingUrl.replaceAll(adIdPlace, offerId)",
    to: "landingUrl",
    killedBy: [conversionsTest, "is reported with the id that the landing page got, wherever its address asks for it"],
  },
];
