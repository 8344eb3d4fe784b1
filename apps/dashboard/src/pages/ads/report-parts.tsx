import type { AdsReportReply } from "@assay/contract/dashboard/campaigns.ts";
import { SegmentedControl, Stack, Table, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import { formatCount, formatExactUsd, formatPercent, formatUsd, formatUtcDay, formatUtcHour } from "../../ui/format.ts";
import { LazyBars } from "../../ui/lazy-bars.tsx";
import { Panel, ScrollBox } from "../../ui/panel.tsx";
import { placementNames, trustBandNames } from "./ad-labels.ts";
import styles from "./ads.module.css";

type Rate = AdsReportReply["totals"]["ctr"];
type Row = Pick<AdsReportReply["totals"], "fills" | "impressions" | "valid_clicks" | "ctr" | "spend_usd" | "developer_usd">;
/** Decides whether a report shows earnings or spend. */
export type ReportSide = "developer" | "advertiser";

const moneyOf = (row: Row, side: ReportSide): number => (side === "developer" ? row.developer_usd : row.spend_usd);

export const formatRate = (rate: Rate): string => (rate === null ? "–" : formatPercent(rate.value));
export const formatInterval = (rate: Rate): string => (rate === null ? "no impressions yet" : `between ${formatPercent(rate.low)} and ${formatPercent(rate.high)} (95% interval)`);

const measures = {
  money: { label: "Money", series: [{ name: "money", label: "Earned", color: "verdigris.6" }], format: formatUsd },
  impressions: { label: "Impressions", series: [{ name: "impressions", label: "Impressions", color: "verdigris.6" }], format: formatCount },
  clicks: {
    label: "Clicks",
    series: [{ name: "valid_clicks", label: "Paid", color: "verdigris.6" }, { name: "ignored_clicks", label: "Ignored", color: "yellow.6" }],
    format: formatCount,
  },
} as const;
type Measure = keyof typeof measures;

export function ReportChart({ report, side }: { report: AdsReportReply; side: ReportSide }) {
  const [measure, setMeasure] = useState<Measure>("impressions");
  const { series, format } = measures[measure];
  const bars = useMemo(() => {
    const formatStart = report.by === "hour" ? formatUtcHour : formatUtcDay;
    return report.series.map((item) => ({
      start: formatStart(item.start),
      money: moneyOf(item, side),
      impressions: item.impressions,
      valid_clicks: item.valid_clicks,
      ignored_clicks: item.ignored_clicks,
    }));
  }, [report, side]);
  return (
    <Panel
      title={report.by === "hour" ? "By hour (UTC)" : "By day (UTC)"}
      aside={
        <SegmentedControl
          size="xs"
          aria-label="Chart metric"
          data={Object.entries(measures).map(([value, { label }]) => ({ value: value as Measure, label: value === "money" ? (side === "developer" ? "Earnings" : "Spend") : label }))}
          value={measure}
          onChange={setMeasure}
        />
      }
    >
      <LazyBars bars={bars} series={series} label={`${measures[measure].label} over time`} format={format} />
    </Panel>
  );
}

function FigureTable({ label, first, rows, side }: { label: string; first: string; rows: readonly (Row & { name: string })[]; side: ReportSide }) {
  return (
    <ScrollBox label={label}>
      <Table verticalSpacing="xs" miw={560}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{first}</Table.Th>
            <Table.Th ta="right">Ads</Table.Th>
            <Table.Th ta="right">Impressions</Table.Th>
            <Table.Th ta="right">Clicks</Table.Th>
            <Table.Th ta="right">Click rate</Table.Th>
            <Table.Th ta="right">{side === "developer" ? "Earned" : "Spent"}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.name}>
              <Table.Td>{row.name}</Table.Td>
              <Table.Td ta="right">{formatCount(row.fills)}</Table.Td>
              <Table.Td ta="right">{formatCount(row.impressions)}</Table.Td>
              <Table.Td ta="right">{formatCount(row.valid_clicks)}</Table.Td>
              <Table.Td ta="right" title={formatInterval(row.ctr)}>{formatRate(row.ctr)}</Table.Td>
              <Table.Td ta="right">{formatExactUsd(moneyOf(row, side))}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

export function ReportTables({ report, side }: { report: AdsReportReply; side: ReportSide }) {
  return (
    <>
      {side === "advertiser" && (
        <Panel title="By placement">
          <FigureTable label="Ads by placement" first="Placement" side={side} rows={report.placements.map((row) => ({ ...row, name: placementNames[row.placement] }))} />
        </Panel>
      )}
      <Panel title="By trust" hint="The trust level of the session named in the ad request. Verified sessions qualify for campaigns with a minimum trust.">
        <FigureTable label="Ads by trust" first="Trust" side={side} rows={report.trust_bands.map((row) => ({ ...row, name: trustBandNames[row.trust_band] }))} />
      </Panel>
    </>
  );
}

/** Sorted by count. Each reason is followed by its code. */
export function Reasons({ counts, explain, none }: { counts: Readonly<Record<string, number>>; explain: (code: string) => string; none: string }) {
  const sorted = Object.entries(counts).filter(([, count]) => count > 0).toSorted(([, left], [, right]) => right - left);
  if (sorted.length === 0) return <Text size="sm" c="dimmed">{none}</Text>;
  return (
    <Stack gap={0} component="dl" className={styles.reasons}>
      {sorted.map(([code, count]) => (
        <div key={code}>
          <dt>{formatCount(count)}</dt>
          <dd>{explain(code)} <code>{code}</code></dd>
        </div>
      ))}
    </Stack>
  );
}
