import type { AdsReportReply } from "@assay/contract/dashboard/campaigns.ts";
import type { RevenueReply } from "@assay/contract/dashboard/revenue.ts";
import { NativeSelect, SimpleGrid, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { adsReportQuery } from "../../api/ads.ts";
import { revenueQuery } from "../../api/revenue.ts";
import { settingsQuery } from "../../api/settings.ts";
import { formatCount, formatCountOf, formatExactUsd, formatPercent } from "../../ui/figures.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { spanOf, spans, startOfSpan } from "../../ui/span.ts";
import { Stat } from "../../ui/stat.tsx";
import { Empty, Shown } from "../../ui/states.tsx";
import { explainIgnored, explainNoFill } from "./ad-words.ts";
import { formatInterval, formatRate, Reasons, ReportChart, ReportTables } from "./report-parts.tsx";
import { TryPanel } from "./try-panel.tsx";

function Figures({ totals }: { totals: AdsReportReply["totals"] }) {
  const requests = totals.requests ?? totals.fills;
  const ignored = Object.values(totals.ignored_clicks).reduce((sum, count) => sum + count, 0);
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      <Stat label="Fill" value={requests === 0 ? "–" : formatPercent(totals.fills / requests)} hint={`${formatCountOf(totals.fills, "ad", "ads")} for ${formatCountOf(requests, "request", "requests")}`} />
      <Stat label="Impressions" value={formatCount(totals.impressions)} hint="ads reported as seen" />
      <Stat label="Paid clicks" value={formatCount(totals.valid_clicks)} hint={`${formatCount(ignored)} ignored`} />
      <Stat label="Click rate" value={formatRate(totals.ctr)} hint={formatInterval(totals.ctr)} />
    </SimpleGrid>
  );
}

function Earnings({ revenue }: { revenue: RevenueReply }) {
  const { ads } = revenue;
  return (
    <Panel title="Earnings from clicks" hint="A click stays pending while it may still be reversed; confirmed ones are part of the month's statement for good.">
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
        <Stat label="Pending" value={formatExactUsd(ads.pending_usd)} hint="may still be reversed" />
        <Stat label="Confirmed" value={formatExactUsd(ads.confirmed_usd)} hint="the hold is over" />
        <Stat label="Reversed" value={formatExactUsd(ads.reversed_usd)} hint="taken back by the operator" />
      </SimpleGrid>
      <Text size="sm" c="dimmed">{formatCountOf(ads.clicks, "paid click", "paid clicks")} in the span, reversed ones too. Statements, receipts and payouts are on <TextLink to="/revenue" inherit>Revenue</TextLink>.</Text>
    </Panel>
  );
}

function Report({ report }: { report: AdsReportReply }) {
  const { totals } = report;
  if ((totals.requests ?? 0) === 0 && totals.impressions === 0) {
    return (
      <Empty title="No ad requests in this span" action={<TextLink to="/keys">Create a key</TextLink>}>
        Send the request above with a live key from your server, show the ad, and fetch its impression address when it is seen. Asking is free; valid clicks pay. Test-mode requests are not counted here.
      </Empty>
    );
  }
  return (
    <Stack gap="md">
      <Figures totals={totals} />
      <ReportChart report={report} side="developer" />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Panel title="Clicks that paid nobody"><Reasons counts={totals.ignored_clicks} explain={explainIgnored} none="None: every click in this span was paid, or there was none." /></Panel>
        <Panel title="Requests without an ad"><Reasons counts={totals.no_fills} explain={explainNoFill} none="None: every request in this span got an ad." /></Panel>
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
      House ads are {settings.data.house_ads ? "on: where nobody pays for a place, the operator's own ads fill it and earn nothing" : "off: where nobody pays for a place, the answer is 204 and nothing is shown"}. Change it in <TextLink to="/settings" inherit>Settings</TextLink>.
    </Text>
  );
}

export function AdsPage() {
  const search = useSearch({ from: "/account/ads" });
  const navigate = useNavigate();
  const days = spanOf(search.days, "30");
  const from = startOfSpan(days, Date.now());
  const report = useQuery(adsReportQuery({ from, by: days === "1" ? "hour" : "day" }));
  const revenue = useQuery(revenueQuery({ from }));
  return (
    <Page
      title="Ads"
      description="Optional: ask for an ad, show it, and earn with every valid click. Asking costs nothing."
      actions={<NativeSelect aria-label="Span of time" data={[...spans]} value={days} onChange={(event) => void navigate({ to: "/ads", search: { days: event.currentTarget.value }, replace: true })} />}
    >
      <TryPanel />
      <HouseAdsNote />
      <Shown of={report} height={420}>{(answer) => <Report report={answer} />}</Shown>
      <Shown of={revenue} height={160}>{(answer) => <Earnings revenue={answer} />}</Shown>
    </Page>
  );
}
