import type { LogItem } from "@assay/contract/dashboard/logs.ts";
import { Badge, Button, Group, NativeSelect, Paper, Stack, Table, Text, TextInput } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { keysQuery } from "../../api/keys.ts";
import { type LogFilter, logsQuery } from "../../api/logs.ts";
import { Copyable } from "../../ui/copy.tsx";
import { formatCount } from "../../ui/format.ts";
import { MoreButton } from "../../ui/more-button.tsx";
import { Page } from "../../ui/page.tsx";
import { ScrollBox } from "../../ui/panel.tsx";
import { EmptyState, QueryView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";

const statuses = [
  { value: "", label: "Any status" },
  { value: "2xx", label: "2xx: success" },
  { value: "4xx", label: "4xx: rejected" },
  { value: "400", label: "400: invalid request" },
  { value: "401", label: "401: invalid key" },
  { value: "429", label: "429: rate limited" },
  { value: "5xx", label: "5xx: server error" },
];

const colorOf = (status: number): string => (status < 400 ? "verdigris" : status < 500 ? "yellow" : "red");

function LogRow({ item }: { item: LogItem }) {
  const isSummary = item.kind === "summary";
  return (
    <Table.Tr>
      <Table.Td><Time at={item.at} /></Table.Td>
      <Table.Td><Badge variant="light" color={colorOf(item.status)} className="badge-text">{item.status}</Badge></Table.Td>
      <Table.Td>
        <Text size="sm" ff="monospace">{item.method} {item.endpoint}</Text>
        {item.error !== null && <Text size="xs" c="dimmed"><strong>{item.error}</strong> {item.message}</Text>}
        {isSummary && <Text size="xs" c="dimmed">{formatCount(item.count)} more in that minute, counted but not listed</Text>}
      </Table.Td>
      <Table.Td>{item.key ? <span title={`…${item.key.last_four}`}>{item.key.name}</span> : <Text size="sm" c="dimmed">playground</Text>}</Table.Td>
      <Table.Td ta="right" className="one-line">{item.duration_ms === null ? "–" : `${item.duration_ms.toFixed(1)} ms`}</Table.Td>
      <Table.Td>{item.request_id === null ? "–" : <Copyable text={item.request_id} label="Copy request ID" />}</Table.Td>
    </Table.Tr>
  );
}

function LogTable({ logs }: { logs: readonly LogItem[] }) {
  return (
    <Paper withBorder>
      <ScrollBox label="Requests">
        <Table verticalSpacing={6} horizontalSpacing="md" miw={980}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Time</Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th>Request</Table.Th>
              <Table.Th>Key</Table.Th>
              <Table.Th ta="right">Duration</Table.Th>
              <Table.Th>Request ID</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>{logs.map((item) => <LogRow key={item.id} item={item} />)}</Table.Tbody>
        </Table>
      </ScrollBox>
    </Paper>
  );
}

function RequestIdForm({ value, onSearch }: { value: string; onSearch: (requestId: string) => void }) {
  const [text, setText] = useState(value);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(text.trim());
  };
  return (
    <form onSubmit={submit} role="search">
      <Group gap={6} wrap="nowrap">
        <TextInput aria-label="Request ID" placeholder="X-Request-Id" value={text} onChange={(event) => setText(event.currentTarget.value)} />
        <Button type="submit" variant="default">Search</Button>
      </Group>
    </form>
  );
}

export function LogsPage() {
  const search = useSearch({ from: "/account/logs" });
  const navigate = useNavigate();
  const filter: LogFilter = Object.fromEntries(Object.entries(search).filter(([, value]) => value !== ""));
  const logs = useInfiniteQuery(logsQuery(filter));
  const keys = useQuery(keysQuery);
  const keyChoices = [{ value: "", label: "Any key" }, ...(keys.data?.keys ?? []).map(({ key_id, name, last_four }) => ({ value: key_id, label: `${name} …${last_four}` }))];
  const show = (next: Record<string, string>) => void navigate({ to: "/logs", search: { ...search, ...next }, replace: true });
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Page
      title="Logs"
      description="Your requests of the last 7 days. Bodies are never stored. Bursts of rejected requests are counted instead of listed."
      actions={<Button variant="default" leftSection={<IconRefresh size={16} />} loading={logs.isRefetching} onClick={() => void logs.refetch()}>Refresh</Button>}
    >
      <Paper withBorder p="sm">
        <Group gap="sm">
          <NativeSelect aria-label="Status" data={statuses} value={search.status ?? ""} onChange={(event) => show({ status: event.currentTarget.value })} />
          <NativeSelect aria-label="Key" data={keyChoices} value={search.key_id ?? ""} onChange={(event) => show({ key_id: event.currentTarget.value })} />
          <RequestIdForm key={search.request_id} value={search.request_id ?? ""} onSearch={(request_id) => show({ request_id })} />
        </Group>
      </Paper>
      <QueryView query={logs} height={360}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.logs);
          return (
            <Stack gap="md">
              {all.length > 0 && <LogTable logs={all} />}
              {all.length === 0 && !logs.hasNextPage && (
                <EmptyState title={isFiltered ? "No matching requests" : "No requests yet"}>
                  {isFiltered ? "Try another status or key, or check the request ID." : "Requests with your keys appear here about a second after they are answered, with their X-Request-Id."}
                </EmptyState>
              )}
              <MoreButton query={logs} isEmpty={all.length === 0} />
            </Stack>
          );
        }}
      </QueryView>
    </Page>
  );
}
