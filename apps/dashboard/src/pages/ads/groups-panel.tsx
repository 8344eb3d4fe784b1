import type { GroupedReportReply } from "@assay/contract/ads-report.ts";
import { SegmentedControl, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { adsGroupsQuery } from "../../api/ads.ts";
import { formatCount, formatExactUsd, formatUtcDay } from "../../ui/format.ts";
import { Panel, ScrollBox } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/states.tsx";
import { explainIgnored, explainNoFill, formatNames, placementNames } from "./ad-labels.ts";
import styles from "./ads.module.css";

type GroupBy = GroupedReportReply["group_by"];
type Figures = GroupedReportReply["totals"];

const groupLabels: Record<GroupBy, string> = { placement: "Placement", format: "Format", category: "Category", day: "Day" };
const specialNames: Readonly<Record<string, string>> = { "(none)": "No category", "(other)": "Other categories", "(unknown)": "Counted before groups" };
const ownNames: Partial<Record<GroupBy, Readonly<Record<string, string>>>> = { placement: placementNames, format: formatNames };

function nameOf(group: string, by: GroupBy): string {
  if (by === "day") return formatUtcDay(`${group}T00:00:00.000Z`);
  return ownNames[by]?.[group] ?? specialNames[group] ?? group;
}

/** The sum, with its reasons below it, most frequent first. */
function Counted({ counts, explain }: { counts: Readonly<Record<string, number>>; explain: (code: string) => string }) {
  const sorted = Object.entries(counts).toSorted(([, left], [, right]) => right - left);
  const sum = sorted.reduce((total, [, count]) => total + count, 0);
  return (
    <>
      {formatCount(sum)}
      {sorted.map(([code, count]) => (
        <Text key={code} size="xs" c="dimmed" className={styles.reason} title={explain(code)}>{formatCount(count)} <code>{code}</code></Text>
      ))}
    </>
  );
}

function Cells({ figures }: { figures: Figures }) {
  return (
    <>
      <Table.Td ta="right">{formatCount(figures.requests)}</Table.Td>
      <Table.Td ta="right"><Counted counts={figures.unfilled} explain={explainNoFill} /></Table.Td>
      <Table.Td ta="right">{formatCount(figures.impressions)}</Table.Td>
      <Table.Td ta="right">{formatCount(figures.clicks)}</Table.Td>
      <Table.Td ta="right"><Counted counts={figures.ignored_clicks} explain={explainIgnored} /></Table.Td>
      <Table.Td ta="right">{formatCount(figures.conversions)}</Table.Td>
      <Table.Td ta="right">{formatExactUsd(figures.revenue_usd)}</Table.Td>
    </>
  );
}

function GroupTable({ report }: { report: GroupedReportReply }) {
  const { group_by: by, rows, totals } = report;
  if (rows.length === 0) return <Text size="sm" c="dimmed">Nothing to show in this period.</Text>;
  return (
    <ScrollBox label={`Ads by ${by}`}>
      <Table verticalSpacing="xs" miw={760} className={styles.groups}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{groupLabels[by]}</Table.Th>
            <Table.Th ta="right">Requests</Table.Th>
            <Table.Th ta="right">Unfilled</Table.Th>
            <Table.Th ta="right">Impressions</Table.Th>
            <Table.Th ta="right">Paid clicks</Table.Th>
            <Table.Th ta="right">Ignored clicks</Table.Th>
            <Table.Th ta="right">Conversions</Table.Th>
            <Table.Th ta="right">Earned</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ group, ...figures }) => <Table.Tr key={group}><Table.Th scope="row">{nameOf(group, by)}</Table.Th><Cells figures={figures} /></Table.Tr>)}
        </Table.Tbody>
        <Table.Tfoot><Table.Tr><Table.Th scope="row">Total</Table.Th><Cells figures={totals} /></Table.Tr></Table.Tfoot>
      </Table>
    </ScrollBox>
  );
}

/** What each placement, format, category or day earned, and what was not filled and why. */
export function GroupsPanel({ from }: { from: string }) {
  const [by, setBy] = useState<GroupBy>("placement");
  const report = useQuery(adsGroupsQuery({ group_by: by, from }));
  return (
    <Panel
      title="Earnings and unfilled requests"
      hint="In whole UTC days. Conversions are the advertisers' word: nothing is paid or held because of them."
      aside={
        <SegmentedControl
          size="xs"
          aria-label="Group by"
          data={Object.entries(groupLabels).map(([value, label]) => ({ value: value as GroupBy, label }))}
          value={by}
          onChange={setBy}
        />
      }
    >
      <QueryView query={report} height={200}>{(answer) => <GroupTable report={answer} />}</QueryView>
    </Panel>
  );
}
