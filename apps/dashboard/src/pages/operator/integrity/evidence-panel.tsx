import type { IntegrityReply } from "@assay/contract/dashboard/integrity.ts";
import { Stack, Table, Text, Title } from "@mantine/core";
import { formatDays } from "../../../ui/days.ts";
import { formatStatistic } from "../../../ui/format.ts";
import { Panel, ScrollBox } from "../../../ui/panel.tsx";
import { EvidenceChart } from "./evidence-chart.tsx";
import { wordsOf } from "./words-of.ts";

function Notices({ notices }: Pick<IntegrityReply, "notices">) {
  if (notices.length === 0) return <Text size="sm" c="dimmed">None. Patterns that are odd and may be honest appear here: sudden change, regular timing, round numbers. They hold no money.</Text>;
  return (
    <ScrollBox label="Notices">
      <Table verticalSpacing={6} miw={480}>
        <Table.Thead><Table.Tr><Table.Th>Day (UTC)</Table.Th><Table.Th>Notice</Table.Th><Table.Th ta="right">Statistic</Table.Th></Table.Tr></Table.Thead>
        <Table.Tbody>
          {notices.map(({ day, code, message, statistic }) => (
            <Table.Tr key={`${day} ${code}`}>
              <Table.Td className="one-line">{formatDays([day])}</Table.Td>
              <Table.Td>{wordsOf(code)}<Text size="xs" c="dimmed">{message}</Text></Table.Td>
              <Table.Td ta="right">{formatStatistic(statistic)}</Table.Td>
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
