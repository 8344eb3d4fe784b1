import { webhookLogDays } from "@assay/contract/dashboard/webhook-limits.ts";
import type { DeliveryItem, EndpointItem } from "@assay/contract/dashboard/webhooks.ts";
import { Button, Group, NativeSelect, Stack, Table, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { DeliveryFilter, Webhooks } from "../../api/webhooks.ts";
import { MoreButton } from "../../ui/more-button.tsx";
import { Panel, ScrollBox } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/states.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { RelativeTime, Time } from "../../ui/time.tsx";
import type { OpenedDelivery } from "./delivery-drawer.tsx";
import { answerOf, shortUrl } from "./webhook-texts.ts";

const states = [
  { value: "", label: "Any state" },
  { value: "pending", label: "Pending" },
  { value: "delivered", label: "Delivered" },
  { value: "failed", label: "Failed" },
];

export type LogSearch = { endpoint?: string; state?: string };

const filterOf = ({ endpoint, state }: LogSearch): DeliveryFilter => ({
  ...(endpoint !== undefined && endpoint !== "" && { endpoint_id: endpoint }),
  ...((state === "pending" || state === "delivered" || state === "failed") && { state }),
});

function DeliveryTable({ deliveries, endpoints, onOpen }: { deliveries: readonly DeliveryItem[]; endpoints: readonly EndpointItem[]; onOpen: (opened: OpenedDelivery) => void }) {
  const urls = new Map(endpoints.map(({ endpoint_id: id, url }) => [id, shortUrl(url)]));
  return (
    <ScrollBox label="Deliveries">
      <Table verticalSpacing={8} horizontalSpacing="sm" highlightOnHover miw={720}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Event</Table.Th>
            <Table.Th>Happened</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Last answer</Table.Th>
            <Table.Th ta="right">Attempts</Table.Th>
            <Table.Th>Endpoint</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {deliveries.map((each) => (
            <Table.Tr key={`${each.event_id} ${each.endpoint_id}`}>
              <Table.Td><button type="button" className="row-button" onClick={() => onOpen({ endpointId: each.endpoint_id, eventId: each.event_id })}>{each.type}</button></Table.Td>
              <Table.Td><Time at={each.at} /></Table.Td>
              <Table.Td><StatusBadge status={each.state} /></Table.Td>
              <Table.Td>
                {answerOf(each)}
                {each.next_at !== null && each.attempts > 0 && <Text size="xs" c="dimmed">next attempt <Time at={each.next_at} /></Text>}
                {each.done_at !== null && each.state === "failed" && <Text size="xs" c="dimmed">given up <RelativeTime at={each.done_at} /></Text>}
              </Table.Td>
              <Table.Td ta="right">{each.attempts}</Table.Td>
              <Table.Td><Text size="sm" className="short-url" title={urls.get(each.endpoint_id) ?? each.endpoint_id}>{urls.get(each.endpoint_id) ?? each.endpoint_id}</Text></Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

type Props = { webhooks: Webhooks; endpoints: readonly EndpointItem[]; search: LogSearch; onSearch: (next: LogSearch) => void; onOpen: (opened: OpenedDelivery) => void };

export function DeliveryLog({ webhooks, endpoints, search, onSearch, onOpen }: Props) {
  const filter = filterOf(search);
  const deliveries = useInfiniteQuery(webhooks.deliveries(filter));
  const isFiltered = Object.keys(filter).length > 0;
  const endpointChoices = [{ value: "", label: "Any endpoint" }, ...endpoints.map(({ endpoint_id: value, url }) => ({ value, label: shortUrl(url) }))];
  return (
    <Panel
      title="Delivery log"
      hint={`What was sent in the last ${webhookLogDays} days, with each answer. An event that is not answered with a 2xx is sent again, ten times over three days.`}
      aside={<Button size="xs" variant="default" leftSection={<IconRefresh size={14} />} loading={deliveries.isRefetching && !deliveries.isFetchingNextPage} onClick={() => void deliveries.refetch()}>Refresh</Button>}
    >
      <Group gap="sm">
        <NativeSelect aria-label="Endpoint" data={endpointChoices} value={search.endpoint ?? ""} onChange={(event) => onSearch({ endpoint: event.currentTarget.value })} maw="100%" />
        <NativeSelect aria-label="State" data={states} value={filter.state ?? ""} onChange={(event) => onSearch({ state: event.currentTarget.value })} />
      </Group>
      <QueryView query={deliveries} height={200}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.deliveries);
          return (
            <Stack gap="md">
              {all.length > 0 && <DeliveryTable deliveries={all} endpoints={endpoints} onOpen={onOpen} />}
              {all.length === 0 && <Text size="sm" c="dimmed">{isFiltered ? "Nothing matches. Try another endpoint or state." : "Nothing was sent yet. Events appear here as soon as they happen."}</Text>}
              <MoreButton query={deliveries} isEmpty={all.length === 0} />
            </Stack>
          );
        }}
      </QueryView>
    </Panel>
  );
}
