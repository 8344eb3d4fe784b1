import type { EndpointItem, EventChoice } from "@assay/contract/dashboard/webhooks.ts";
import { ActionIcon, Code, Menu, Paper, Table, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconDots } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Webhooks } from "../../api/webhooks.ts";
import { formatCountOf } from "../../ui/format.ts";
import { ScrollBox } from "../../ui/panel.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { RelativeTime, Time } from "../../ui/time.tsx";
import { DeleteEndpointDialog, ReplayDialog, RotateSecretDialog } from "./endpoint-dialogs.tsx";
import { EditEndpointDialog } from "./endpoint-form.tsx";
import { shortUrl } from "./webhook-texts.ts";

const dialogs = { rotate: RotateSecretDialog, replay: ReplayDialog, delete: DeleteEndpointDialog };
type Action = keyof typeof dialogs | "edit";

const reasonTexts = { gone: "It answered 410: gone.", failing: "Every attempt failed for a week." };

function State({ item }: { item: EndpointItem }) {
  const isFailing = item.state === "active" && item.failing_since !== null;
  return (
    <>
      <StatusBadge status={isFailing ? "failing" : item.state} />
      {item.disabled_reason !== null && <Text size="xs" c="dimmed" mt={2}>{reasonTexts[item.disabled_reason]}</Text>}
      {item.failing_since !== null && item.state !== "disabled" && <Text size="xs" c="dimmed" mt={2}>since <RelativeTime at={item.failing_since} /></Text>}
    </>
  );
}

const Events = ({ types }: { types: readonly string[] | null }) =>
  types === null ? <>All events</> : <span title={types.join("\n")}>{formatCountOf(types.length, "event", "events")}</span>;

const LastSuccess = ({ item }: { item: EndpointItem }) => (item.last_success_at === null ? <>never</> : <RelativeTime at={item.last_success_at} />);

/** Changes that need no dialog say in a notification what came of them. */
function useQuickChanges(webhooks: Webhooks) {
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: webhooks.key });
  const onError = (error: Error) => notifications.show({ message: error.message, color: "red" });
  const tell = (message: string) => notifications.show({ message, color: "verdigris" });
  const test = useMutation({ mutationFn: webhooks.test, onSuccess: () => tell("A test event is on its way."), onError, onSettled });
  const change = useMutation({
    mutationFn: webhooks.change,
    onSuccess: ({ state }) => tell(state === "paused" ? "Paused. Events of the meantime can be replayed later." : "The endpoint gets events again."),
    onError,
    onSettled,
  });
  return { test, change };
}

function Actions({ item, webhooks, onChoose }: { item: EndpointItem; webhooks: Webhooks; onChoose: (action: Action) => void }) {
  const { test, change } = useQuickChanges(webhooks);
  const endpointId = item.endpoint_id;
  const isActive = item.state === "active";
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${shortUrl(item.url)}`}><IconDots size={18} /></ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {isActive && <Menu.Item onClick={() => test.mutate(endpointId)}>Send test event</Menu.Item>}
        {isActive && <Menu.Item onClick={() => onChoose("replay")}>Replay events…</Menu.Item>}
        <Menu.Item onClick={() => onChoose("edit")}>Edit URL and events…</Menu.Item>
        <Menu.Item onClick={() => onChoose("rotate")}>Rotate secret…</Menu.Item>
        {isActive && <Menu.Item onClick={() => change.mutate({ endpointId, state: "paused" })}>Pause</Menu.Item>}
        {!isActive && <Menu.Item onClick={() => change.mutate({ endpointId, state: "active" })}>{item.state === "paused" ? "Resume" : "Switch on again"}</Menu.Item>}
        <Menu.Item color="red" onClick={() => onChoose("delete")}>Delete…</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

export function EndpointTable({ endpoints, events, webhooks }: { endpoints: readonly EndpointItem[]; events: readonly EventChoice[]; webhooks: Webhooks }) {
  const [chosen, setChosen] = useState<{ item: EndpointItem; action: Action }>();
  const close = () => setChosen(undefined);
  const Dialog = chosen && chosen.action !== "edit" ? dialogs[chosen.action] : undefined;
  return (
    <Paper withBorder>
      <ScrollBox label="Endpoints">
        <Table verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>URL</Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th visibleFrom="sm">Events</Table.Th>
              <Table.Th visibleFrom="sm">Last success</Table.Th>
              <Table.Th visibleFrom="md">Created</Table.Th>
              <Table.Th><span className="sr-only">Actions</span></Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {endpoints.map((item) => (
              <Table.Tr key={item.endpoint_id}>
                <Table.Td>
                  <Code className="code-text whole">{item.url}</Code>
                  {item.previous_secret_until !== null && <Text size="xs" c="dimmed" mt={2}>the old secret signs too until <Time at={item.previous_secret_until} /></Text>}
                  <div className="phone-only"><Text size="xs" c="dimmed"><Events types={item.types} />, last success: <LastSuccess item={item} /></Text></div>
                </Table.Td>
                <Table.Td><State item={item} /></Table.Td>
                <Table.Td visibleFrom="sm" className="one-line"><Events types={item.types} /></Table.Td>
                <Table.Td visibleFrom="sm"><LastSuccess item={item} /></Table.Td>
                <Table.Td visibleFrom="md"><Time at={item.created_at} /></Table.Td>
                <Table.Td ta="right"><Actions item={item} webhooks={webhooks} onChoose={(action) => setChosen({ item, action })} /></Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
      {chosen && Dialog && <Dialog webhooks={webhooks} item={chosen.item} onClose={close} />}
      {chosen?.action === "edit" && <EditEndpointDialog webhooks={webhooks} events={events} item={chosen.item} onClose={close} />}
    </Paper>
  );
}
