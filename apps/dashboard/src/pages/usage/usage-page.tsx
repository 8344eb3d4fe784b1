import type { DashboardUsageReply } from "@assay/contract/dashboard/usage.ts";
import { Button, Group, NativeSelect, Paper, SegmentedControl, SimpleGrid, Stack, Table, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { usageCsvUrl, usageQuery } from "../../api/usage.ts";
import { formatCount, formatExactUsd, formatUsd, formatUtcDay, formatUtcHour } from "../../ui/format.ts";
import { LazyBars } from "../../ui/lazy-bars.tsx";
import { TextLink } from "../../ui/link-button.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel, ScrollBox } from "../../ui/panel.tsx";
import { parseRange, timeRanges, rangeStart } from "../../ui/time-range.ts";
import { Stat } from "../../ui/stat.tsx";
import { EmptyState, QueryView } from "../../ui/states.tsx";
import { barsOf } from "./usage-bars.ts";

const groups = [
  { value: "endpoint", label: "Endpoint" },
  { value: "key", label: "Key" },
  { value: "status", label: "Status" },
] as const;

function GroupTable({ usage }: { usage: DashboardUsageReply }) {
  const hasMoney = usage.group === "endpoint";
  return (
    <ScrollBox label="Requests by group">
      <Table verticalSpacing="xs" miw={hasMoney ? 560 : 300}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{groups.find(({ value }) => value === usage.group)?.label}</Table.Th>
            <Table.Th ta="right">Requests</Table.Th>
            {hasMoney && <><Table.Th ta="right">Billed</Table.Th><Table.Th ta="right">Gross</Table.Th><Table.Th ta="right">Your share</Table.Th></>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {usage.groups.map(({ name, label, requests, billed }) => (
            <Table.Tr key={name}>
              <Table.Td>{label}</Table.Td>
              <Table.Td ta="right">{formatCount(requests)}</Table.Td>
              {hasMoney && (
                <>
                  <Table.Td ta="right">{billed ? formatCount(billed.calls) : "–"}</Table.Td>
                  <Table.Td ta="right">{billed ? formatExactUsd(billed.gross_usd) : "–"}</Table.Td>
                  <Table.Td ta="right">{billed ? formatExactUsd(billed.developer_usd) : "–"}</Table.Td>
                </>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

function Usage({ usage }: { usage: DashboardUsageReply }) {
  const { bars, series } = useMemo(() => barsOf(usage, usage.by === "hour" ? formatUtcHour : formatUtcDay), [usage]);
  if (usage.requests === 0 && usage.billed.calls === 0) {
    return (
      <EmptyState title="No requests in this period" action={<TextLink to="/keys">Go to API Keys</TextLink>}>
        Requests with your keys appear here a few seconds after they are answered, including test and rejected ones.
      </EmptyState>
    );
  }
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
        <Stat label="Requests" value={formatCount(usage.requests)} hint="including test and rejected" />
        <Stat label="Billed calls" value={formatCount(usage.billed.calls)} hint="from the ledger" />
        <Stat label="Gross" value={formatUsd(usage.billed.gross_usd)} />
        <Stat label="Your share" value={formatUsd(usage.billed.developer_usd)} />
      </SimpleGrid>
      <Panel title={usage.by === "hour" ? "Requests by hour (UTC)" : "Requests by day (UTC)"}>
        <LazyBars bars={bars} series={series} label="Requests over time" format={formatCount} />
      </Panel>
      <Panel title={`By ${usage.group}`}>
        <GroupTable usage={usage} />
        {usage.group !== "endpoint" && <Text size="xs" c="dimmed">Money is shown by endpoint only: the ledger does not record keys.</Text>}
      </Panel>
    </Stack>
  );
}

export function UsagePage() {
  const search = useSearch({ from: "/account/usage" });
  const navigate = useNavigate();
  const days = parseRange(search.days, "30");
  const group = groups.find(({ value }) => value === search.group)?.value ?? "endpoint";
  const from = rangeStart(days, Date.now());
  const query = { from, group, by: days === "1" ? "hour" : "day" } as const;
  const usage = useQuery(usageQuery(query));
  const show = (next: { days?: string; group?: string }) => void navigate({ to: "/usage", search: { days, group, ...next }, replace: true });
  return (
    <Page
      title="Usage"
      description="Requests with your keys, and how many of them were billed."
      actions={<Button component="a" href={usageCsvUrl(query)} download variant="default" leftSection={<IconDownload size={16} />}>Export CSV</Button>}
    >
      <Paper withBorder p="sm">
        <Group gap="md">
          <NativeSelect aria-label="Time range" data={[...timeRanges]} value={days} onChange={(event) => show({ days: event.currentTarget.value })} />
          <SegmentedControl aria-label="Group by" data={[...groups]} value={group} onChange={(value) => show({ group: value })} />
        </Group>
      </Paper>
      <QueryView query={usage} height={420}>{(answer) => <Usage usage={answer} />}</QueryView>
    </Page>
  );
}
