import { adPlacements } from "@assay/contract/ads.ts";
import { type AdsReportReply, trustBands } from "@assay/contract/dashboard/campaigns.ts";
import { Failure } from "../../failure/failure.ts";
import { usdOf } from "../../formats/money.ts";
import { msPerDay, msPerHour, parseSpan, widenSpan } from "../../formats/time.ts";
import type { ReportSource } from "../../store/reports/report-source.ts";
import { type ReportSpan, sumAdsByPlacement, sumAdsByTime, sumAdsByTrust, sumIgnoredClicks, sumNoFills } from "./report.table.ts";

const hourlyDaysDefault = 2;
const hourlyDaysMax = 14;

export type ReportWindow = { fromMs: number; toMs: number; by: "hour" | "day" };

/** The requested span widened to whole hours, or to whole UTC days. */
export function parseReportWindow(query: { from?: string; to?: string; by?: "hour" | "day" }, nowMs: number): ReportWindow {
  const span = parseSpan(query, { nowMs, daysDefault: 7, daysMax: 92 });
  const days = (span.toMs - span.fromMs) / msPerDay;
  const by = query.by ?? (days <= hourlyDaysDefault ? "hour" : "day");
  if (by === "hour" && days > hourlyDaysMax) throw new Failure("invalid_request", `by hour, from and to must be at most ${hourlyDaysMax} days apart`);
  return { ...widenSpan(span, by === "hour" ? msPerHour : msPerDay), by };
}

export type CampaignFigures = { offers: number; impressions: number; valid_clicks: number; spend_micro: number; developer_micro: number };

export const noFigures: CampaignFigures = { offers: 0, impressions: 0, valid_clicks: 0, spend_micro: 0, developer_micro: 0 };

/** The 97.5% point of the standard normal: two-sided 95% confidence. */
const z = 1.959963984540054;

/** A proportion with its 95% Wilson score interval, which stays within 0 and 1 and holds for small samples. Undefined without trials. */
export function wilson(successes: number, trials: number): { value: number; low: number; high: number } | undefined {
  if (trials <= 0) return undefined;
  // An hour can have more clicks than impressions: its clicks may belong to impressions of the hour before.
  const value = Math.min(1, Math.max(0, successes / trials));
  const spread = 1 + (z * z) / trials;
  const centre = (value + (z * z) / (2 * trials)) / spread;
  const half = (z / spread) * Math.sqrt((value * (1 - value)) / trials + (z * z) / (4 * trials * trials));
  return { value, low: value === 0 ? 0 : Math.max(0, centre - half), high: value === 1 ? 1 : Math.min(1, centre + half) };
}

function describe(figures: CampaignFigures) {
  return {
    fills: figures.offers,
    impressions: figures.impressions,
    valid_clicks: figures.valid_clicks,
    ctr: wilson(figures.valid_clicks, figures.impressions) ?? null,
    spend_usd: usdOf(figures.spend_micro),
    developer_usd: usdOf(figures.developer_micro),
  };
}

const add = (left: CampaignFigures, right: CampaignFigures): CampaignFigures => ({
  offers: left.offers + right.offers,
  impressions: left.impressions + right.impressions,
  valid_clicks: left.valid_clicks + right.valid_clicks,
  spend_micro: left.spend_micro + right.spend_micro,
  developer_micro: left.developer_micro + right.developer_micro,
});

/** Sums a value over the rows of each name. */
function sumBy<Row>(rows: readonly Row[], nameOf: (row: Row) => string | number, valueOf: (row: Row) => number): Map<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(String(nameOf(row)), (sums.get(String(nameOf(row))) ?? 0) + valueOf(row));
  return sums;
}

const total = (sums: Map<string, number>): number => [...sums.values()].reduce((sum, value) => sum + value, 0);

/** Ad figures in a span: for a campaign over all developers, or for an account over all campaigns. */
export async function reportAds(source: ReportSource, of: ReportSpan["of"], window: ReportWindow): Promise<AdsReportReply> {
  const { fromMs, toMs, by } = window;
  const bucketMs = by === "hour" ? msPerHour : msPerDay;
  const span = { of, fromMs, toMs };
  const [byTime, byTrust, byPlacement, ignored, noFills] = await Promise.all([
    sumAdsByTime(source.db, { ...span, bucketMs }).execute(),
    sumAdsByTrust(source.db, span).execute(),
    sumAdsByPlacement(source.db, span).execute(),
    sumIgnoredClicks(source.db, { ...span, bucketMs }).execute(),
    "accountId" in of ? sumNoFills(source.db, { accountId: of.accountId, fromMs, toMs, bucketMs }).execute() : [],
  ]);
  const figures = byTime.reduce<CampaignFigures>(add, noFigures);
  const ignoredByReason = sumBy(ignored, (row) => row.reason, (row) => row.clicks);
  const noFillsByReason = sumBy(noFills, (row) => row.reason, (row) => row.requests);
  const ignoredByStart = sumBy(ignored, (row) => row.start, (row) => row.clicks);
  const noFillsByStart = sumBy(noFills, (row) => row.start, (row) => row.requests);
  const timeOf = new Map(byTime.map((row) => [row.start, row]));
  const starts = Array.from({ length: (toMs - fromMs) / bucketMs }, (_, index) => fromMs + index * bucketMs);
  const iso = (atMs: number) => new Date(atMs).toISOString();
  return {
    from: iso(fromMs),
    to: iso(toMs),
    by,
    totals: {
      requests: "accountId" in of ? figures.offers + total(noFillsByReason) : null,
      ...describe(figures),
      ignored_clicks: Object.fromEntries(ignoredByReason),
      no_fills: Object.fromEntries(noFillsByReason),
    },
    trust_bands: trustBands.map((band) => ({ trust_band: band, ...describe(byTrust.find((row) => row.trust_band === band) ?? noFigures) })),
    placements: adPlacements.map((placement) => ({ placement, ...describe(byPlacement.find((row) => row.placement === placement) ?? noFigures) })),
    series: starts.map((start) => ({
      start: iso(start),
      ...describe(timeOf.get(start) ?? noFigures),
      ignored_clicks: ignoredByStart.get(String(start)) ?? 0,
      no_fills: noFillsByStart.get(String(start)) ?? 0,
    })),
  };
}
