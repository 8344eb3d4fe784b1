import type { ModelComparison } from "@assay/contract/dashboard/models.ts";
import { SimpleGrid, Stack, Table, Text } from "@mantine/core";
import { formatCount } from "./format.ts";
import { ScrollBox } from "./panel.tsx";
import { Stat } from "./stat.tsx";

const levels = ["high", "medium", "low"] as const;

export const formatShare = (share: number | null): string => (share === null ? "–" : `${(share * 100).toFixed(1)}%`);
export const formatPoints = (points: number | null): string => (points === null ? "–" : `${points > 0 ? "+" : points < 0 ? "−" : ""}${Math.abs(points).toFixed(1)}`);

function Levels({ comparison }: { comparison: ModelComparison }) {
  return (
    <ScrollBox label="Changes of level">
      <Table verticalSpacing="xs" miw={420}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Level now</Table.Th>
            {levels.map((to) => <Table.Th key={to} ta="right">{to} with {comparison.other}</Table.Th>)}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {levels.map((from) => (
            <Table.Tr key={from}>
              <Table.Th scope="row">{from}</Table.Th>
              {levels.map((to) => <Table.Td key={to} ta="right" fw={from === to ? 400 : 650}>{formatCount(comparison.levels[from][to])}</Table.Td>)}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

function Days({ comparison }: { comparison: ModelComparison }) {
  return (
    <ScrollBox label="Mean scores by day">
      <Table verticalSpacing="xs" miw={420}>
        <Table.Thead>
          <Table.Tr><Table.Th>Day</Table.Th><Table.Th ta="right">Sessions</Table.Th><Table.Th ta="right">Mean now</Table.Th><Table.Th ta="right">With {comparison.other}</Table.Th><Table.Th ta="right">Difference</Table.Th></Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {comparison.days.map(({ day, sessions, mean_before: before, mean_other: other }) => (
            <Table.Tr key={day}>
              <Table.Td>{day}</Table.Td>
              <Table.Td ta="right">{formatCount(sessions)}</Table.Td>
              <Table.Td ta="right">{before.toFixed(1)}</Table.Td>
              <Table.Td ta="right">{other.toFixed(1)}</Table.Td>
              <Table.Td ta="right">{formatPoints(other - before)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

/** What another model says of the same sessions. */
export function ModelComparisonView({ comparison }: { comparison: ModelComparison }) {
  const { sessions, difference } = comparison;
  if (sessions === 0 || difference === null) return <Text size="sm" c="dimmed">No live sessions in the last 7 days.</Text>;
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
        <Stat label="Same level" value={formatShare(comparison.same_level)} hint={`of ${formatCount(sessions)} live sessions${comparison.is_sample ? ", a sample" : ""}`} />
        <Stat label="Mean difference" value={formatPoints(difference.mean)} hint="points" />
        <Stat label="Nine in ten sessions" value={`${formatPoints(difference.p5)} to ${formatPoints(difference.p95)}`} hint={`points; half lie below ${formatPoints(difference.p50)}`} />
      </SimpleGrid>
      <Levels comparison={comparison} />
      <Days comparison={comparison} />
    </Stack>
  );
}
