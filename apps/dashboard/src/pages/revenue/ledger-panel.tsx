import type { LedgerEntry } from "@assay/contract/dashboard/ledger.ts";
import { balanceChangeOf } from "@assay/contract/ledger-chain.ts";
import { Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { newestEntriesQuery } from "../../api/ledger.ts";
import { Copyable } from "../../ui/copy.tsx";
import { formatMicroUsd } from "../../ui/format.ts";
import { Panel, ScrollBox } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { VerifyChain } from "./verify-chain.tsx";

function EntryTable({ entries }: { entries: readonly LedgerEntry[] }) {
  return (
    <ScrollBox label="Latest ledger entries">
      <Table verticalSpacing={6} miw={720}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th ta="right">No.</Table.Th>
            <Table.Th>Time</Table.Th>
            <Table.Th>Kind</Table.Th>
            <Table.Th ta="right">Balance change</Table.Th>
            <Table.Th>Receipt</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Table.Tr key={entry.seq}>
              <Table.Td ta="right">{entry.seq}</Table.Td>
              <Table.Td><Time at={new Date(entry.at).toISOString()} /></Table.Td>
              <Table.Td>{entry.kind === "call" ? entry.endpoint : entry.kind.replace("_", " ")}</Table.Td>
              <Table.Td ta="right">{formatMicroUsd(balanceChangeOf(entry))}</Table.Td>
              <Table.Td><Copyable text={`${entry.seq}.${entry.hash}`} shown={`${entry.seq}.${entry.hash.slice(0, 16)}…`} label={`Copy receipt of entry ${entry.seq}`} /></Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

export function LedgerPanel() {
  const newest = useQuery(newestEntriesQuery);
  return (
    <Panel
      title="Ledger"
      hint="Every movement is an entry, and each entry's hash covers the previous one. Compare a receipt with the Assay-Receipt header of its answer."
    >
      <QueryView query={newest} height={200}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Text size="sm" c="dimmed">No entries yet. Your first billed call writes the first one.</Text>
          ) : (
            <Stack gap="md">
              <VerifyChain />
              <EntryTable entries={entries} />
            </Stack>
          )
        }
      </QueryView>
    </Panel>
  );
}
