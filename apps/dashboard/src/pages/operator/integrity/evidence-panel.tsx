import type { IntegrityReply } from "@assay/contract/dashboard/integrity.ts";
import { Stack, Table, Text, Title } from "@mantine/core";
import { formatDays } from "../../../ui/days.ts";
import { formatStatistic } from "../../../ui/format.ts";
import { Panel, ScrollBox } from "../../../ui/panel.tsx";
import { EvidenceChart } from "./evidence-chart.tsx";
import { wordsOf } from "./words-of.ts";

/** The newest notice of each kind, with the days that had one. */
function Notices({ notices }: Pick<IntegrityReply, "notices">) {
  if (notices.length === 0) return <Text size="sm" c="dimmed">None. Patterns that are odd and may be honest appear here: sudden change, regular timing, round numbers. They hold no money.</Text>;
  return (
    <ScrollBox label="Notices">
      <Table verticalSpacing={6} miw={480}>
        <Table.Thead><Table.Tr><Table.Th>Notice</Table.Th><Table.Th>Days (UTC)</Table.Th></Table.Tr></Table.Thead>
        <Table.Tbody>
          {[...Map.groupBy(notices, ({ code }) => code)].map(([code, some]) => (
            <Table.Tr key={code}>
              <Table.Td>{wordsOf(code)}<Text size="xs" c="dimmed">{some[0]!.message}</Text></Table.Td>
              <Table.Td>{formatDays(some.map(({ day }) => day).toReversed())}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

export function EvidencePanel({ integrity }: { integrity: IntegrityReply }) {
  return (
    <Panel title="Evidence" hint={`How strongly its sessions speak against visits, day by day. Honest traffic stays near 1 or below; at ${formatStatistic(integrity.threshold)} a finding opens by itself.`}>
      <EvidenceChart evidence={integrity.evidence} threshold={integrity.threshold} />
      <Stack gap="xs">
        <Title order={3}>Notices</Title>
        <Notices notices={integrity.notices} />
      </Stack>
    </Panel>
  );
}
