import type { Correction } from "@assay/contract/dashboard/corrections.ts";
import { Table, Text } from "@mantine/core";
import { formatExactUsd } from "./format.ts";
import { ScrollBox } from "./panel.tsx";
import { Time } from "./time.tsx";

/** `booked_by` is shown to operators only. */
export function CorrectionTable({ corrections }: { corrections: readonly (Correction & { booked_by?: string | null })[] }) {
  if (corrections.length === 0) return <Text size="sm" c="dimmed">None.</Text>;
  return (
    <ScrollBox label="Deposits and adjustments">
      <Table verticalSpacing="xs" miw={560}>
        <Table.Thead><Table.Tr><Table.Th>Time</Table.Th><Table.Th>Kind</Table.Th><Table.Th>Reason</Table.Th><Table.Th ta="right">Amount</Table.Th><Table.Th ta="right">Entry</Table.Th></Table.Tr></Table.Thead>
        <Table.Tbody>
          {corrections.map(({ ref, at, kind, on, reason, usd, seq, booked_by }) => (
            <Table.Tr key={ref}>
              <Table.Td><Time at={at} /></Table.Td>
              <Table.Td>{kind}<Text size="xs" c="dimmed">{on === "prepaid" ? "for calls" : "of earnings"}</Text></Table.Td>
              <Table.Td>{reason ?? "–"}{booked_by !== undefined && <Text size="xs" c="dimmed">{booked_by ?? "by a job"}</Text>}</Table.Td>
              <Table.Td ta="right">{formatExactUsd(usd)}</Table.Td>
              <Table.Td ta="right">{seq}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}
