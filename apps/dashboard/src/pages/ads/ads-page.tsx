import type { AdsReportReply } from "@assay/contract/dashboard/campaigns.ts";
import type { RevenueReply } from "@assay/contract/dashboard/revenue.ts";
import { NativeSelect, SimpleGrid, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { adsReportQuery } from "../../api/ads.ts";
import { revenueQuery } from "../../api/revenue.ts";
import { settingsQuery } from "../../api/settings.ts";
import { formatCount, formatCountOf, formatExactUsd, formatPercent } from "../../ui/format.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { parseRange, timeRanges, rangeStart } from "../../ui/time-range.ts";
import { Stat } from "../../ui/stat.tsx";
import { EmptyState, QueryView } from "../../ui/states.tsx";
import { explainIgnored, explainNoFill } from "./ad-labels.ts";
import { GroupsPanel } from "./groups-panel.tsx";
import { formatInterval, formatRate, Reasons, ReportChart, ReportTables } from "./report-parts.tsx";
import { PreviewPanel } from "./preview-panel.tsx";

function Figures({ totals }: { totals: AdsReportReply["totals"] }) {
  const requests = totals.requests ?? totals.fills;
  const ignored = Object.values(totals.ignored_clicks).reduce((sum, count) => sum + count, 0);
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      <Stat label="Fill rate" value={requests === 0 ? "–" : formatPercent(totals.fills / requests)} hint={`${formatCountOf(totals.fills, "ad", "ads")} for ${formatCountOf(requests, "request", "requests")}`} />
      <Stat label="Impressions" value={formatCount(totals.impressions)} hint="ads reported as seen" />
      <Stat label="Paid clicks" value={formatCount(totals.valid_clicks)} hint={`${formatCount(ignored)} ignored`} />
      <Stat label="Click rate" value={formatRate(totals.ctr)} hint={formatInterval(totals.ctr)} />
    </SimpleGrid>
  );
}

function Earnings({ revenue }: { revenue: RevenueReply }) {
  const { ads } = revenue;
  return (
    <Panel title="Earnings from clicks" hint="A click is pending while it can still be reversed. Confirmed clicks stay in the month's statement.">
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
        <Stat label="Pending" value={formatExactUsd(ads.pending_usd)} hint="can still be reversed" />
        <Stat label="Confirmed" value={formatExactUsd(ads.confirmed_usd)} hint="hold period over" />
        <Stat label="Reversed" value={formatExactUsd(ads.reversed_usd)} hint="by the operator" />
      </SimpleGrid>
      <Text size="sm" c="dimmed">{formatCountOf(ads.clicks, "paid click", "paid clicks")} in this period, including reversed ones. For statements, receipts and payouts, see <TextLink to="/revenue" inherit>Revenue</TextLink>.</Text>
    </Panel>
  );
}

function Report({ report, from }: { report: AdsReportReply; from: string }) {
  const { totals } = report;
  if ((totals.requests ?? 0) === 0 && totals.impressions === 0) {
    return (
      <EmptyState title="No ad requests in this period" action={<TextLink to="/keys">Go to API Keys</TextLink>}>
        Send the request above from your server with a live key, show the ad, and fetch its impression URL when it is seen. Requests are free; valid clicks pay. Test requests are not counted here.
      </EmptyState>
    );
  }
  return (
    <Stack gap="md">
      <Figures totals={totals} />
      <ReportChart report={report} side="developer" />
      <GroupsPanel from={from} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Panel title="Ignored clicks"><Reasons counts={totals.ignored_clicks} explain={explainIgnored} none="None. Every click in this period was paid, or there were no clicks." /></Panel>
        <Panel title="Unfilled requests"><Reasons counts={totals.no_fills} explain={explainNoFill} none="None. Every request in this period got an ad." /></Panel>
      </SimpleGrid>
      <ReportTables report={report} side="developer" />
    </Stack>
  );
}

function HouseAdsNote() {
  const settings = useQuery(settingsQuery);
  if (!settings.data) return null;
  return (
    <Text size="sm" c="dimmed">
      House ads are {settings.data.house_ads ? "on: when no paid campaign matches, one of the operator's own ads is shown and earns nothing" : "off: when no paid campaign matches, the request returns 204 and no ad is shown"}. Change this in <TextLink to="/settings" inherit>Settings</TextLink>.
    </Text>
  );
}

export function AdsPage() {
  const search = useSearch({ from: "/account/ads" });
  const navigate = useNavigate();
  const days = parseRange(search.days, "30");
  const from = rangeStart(days, Date.now());
  const report = useQuery(adsReportQuery({ from, by: days === "1" ? "hour" : "day" }));
  const revenue = useQuery(revenueQuery({ from }));
  return (
    <Page
      title="Ads"
      description="Optional: request ads, show them, and earn from every valid click. Requests are free."
      actions={<NativeSelect aria-label="Time range" data={[...timeRanges]} value={days} onChange={(event) => void navigate({ to: "/ads", search: { days: event.currentTarget.value }, replace: true })} />}
    >
      <PreviewPanel />
      <HouseAdsNote />
      <QueryView query={report} height={420}>{(answer) => <Report report={answer} from={from} />}</QueryView>
      <QueryView query={revenue} height={160}>{(answer) => <Earnings revenue={answer} />}</QueryView>
    </Page>
  );
}
