import type { IntegrityReply } from "@assay/contract/dashboard/integrity.ts";
import { List, SimpleGrid, Stack, Table, Text } from "@mantine/core";
import { signalLines } from "../../sessions/session-labels.ts";
import { formatCount, formatPercent } from "../../../ui/format.ts";
import { TextLink } from "../../../ui/link-button.tsx";
import { Panel, ScrollBox } from "../../../ui/panel.tsx";

function Duplicates({ duplicates }: Pick<IntegrityReply, "duplicates">) {
  if (duplicates.length === 0) return <Text size="sm" c="dimmed">No live sessions in the last 7 days. Sessions whose signals are all the same are counted here.</Text>;
  return (
    <ScrollBox label="Most frequent sessions">
      <Table verticalSpacing={6} miw={480}>
        <Table.Thead><Table.Tr><Table.Th>Signals</Table.Th><Table.Th ta="right">Sessions</Table.Th><Table.Th ta="right">Share</Table.Th></Table.Tr></Table.Thead>
        <Table.Tbody>
          {duplicates.map(({ signals, sessions, share }) => (
            <Table.Tr key={JSON.stringify(signals)}>
              <Table.Td><Text size="sm">{signalLines(signals).filter(({ value }) => value !== "not sent").map(({ label, value }) => `${label} ${value}`).join(" · ")}</Text></Table.Td>
              <Table.Td ta="right">{formatCount(sessions)}</Table.Td>
              <Table.Td ta="right">{formatPercent(share)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

const linkTexts = { bank: "the same bank account", tax: "the same tax number" };

function Linked({ linked }: Pick<IntegrityReply, "linked">) {
  if (linked.length === 0) return <Text size="sm" c="dimmed">No other account names its bank account or tax number.</Text>;
  return (
    <List size="sm">
      {linked.map(({ account_id, email, earlier, kind }) => (
        <List.Item key={`${account_id} ${kind}`}>
          <TextLink to="/operator/accounts/$accountId" params={{ accountId: account_id }} search={{ part: "integrity" }} inherit>{email ?? account_id}</TextLink>: {linkTexts[kind]}, {earlier ? "entered earlier" : "entered later"}
        </List.Item>
      ))}
    </List>
  );
}

function AttestedPanel({ integrity: { attested_share: share, networks } }: { integrity: IntegrityReply }) {
  const facts = [
    { name: "Attested calls", value: share === null ? "no calls" : formatPercent(share) },
    ...(networks === null
      ? []
      : [
          { name: "Networks", value: `at least ${formatCount(networks.networks)} on the day with most` },
          { name: "Largest network", value: `up to ${formatPercent(networks.top_share)} of a day's attested calls` },
        ]),
  ];
  return (
    <Panel title="Attested calls" hint="Of the last 30 days. Measured under the service's own clock: evidence that something kept a page open, not that people did. Unattested calls are paid the same.">
      <dl className="facts">
        {facts.map(({ name, value }) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}
      </dl>
    </Panel>
  );
}

export function SessionsPanel({ integrity }: { integrity: IntegrityReply }) {
  return (
    <Stack gap="lg">
      <Panel title="Most frequent sessions" hint="Of the last 7 days: sessions with the same signals. Short visits repeat by chance; long ones hardly do."><Duplicates duplicates={integrity.duplicates} /></Panel>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <AttestedPanel integrity={integrity} />
        <Panel title="Linked accounts"><Linked linked={integrity.linked} /></Panel>
      </SimpleGrid>
    </Stack>
  );
}
