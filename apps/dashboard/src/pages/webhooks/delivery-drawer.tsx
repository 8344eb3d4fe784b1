import type { DeliveryAttempt, DeliveryDetailReply } from "@assay/contract/dashboard/webhooks.ts";
import { Button, Drawer, Group, Stack, Table, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Webhooks } from "../../api/webhooks.ts";
import { CodeBlock } from "../../playground/code-block.tsx";
import { Copyable } from "../../ui/copy.tsx";
import { FormError, QueryView } from "../../ui/states.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { RelativeTime, Time } from "../../ui/time.tsx";
import { answerOf, describeAnswer, layOut } from "./webhook-texts.ts";

export type OpenedDelivery = { endpointId: string; eventId: string };

function Facts({ delivery }: { delivery: DeliveryDetailReply }) {
  const rows = [
    { label: "Event", value: <>{delivery.type}</> },
    { label: "Happened", value: <Time at={delivery.at} /> },
    { label: "Sequence", value: <>{delivery.sequence}</> },
    { label: "Attempts", value: <>{delivery.attempts}</> },
    ...(delivery.next_at === null ? [] : [{ label: "Next attempt", value: <Time at={delivery.next_at} /> }]),
    ...(delivery.state === "pending" && !delivery.is_sending && delivery.next_at === null ? [{ label: "Next attempt", value: <>when the endpoint is active again</> }] : []),
  ];
  return (
    <Table verticalSpacing={5} layout="fixed">
      <Table.Tbody>
        {rows.map(({ label, value }) => (
          <Table.Tr key={label}>
            <Table.Th fw={400} c="dimmed" scope="row">{label}</Table.Th>
            <Table.Td>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** What was sent in an attempt, as HTTP writes it. */
const headLines = ({ url, headers }: DeliveryAttempt): string =>
  [`POST ${url}`, "content-type: application/json", ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join("\n");

function Attempt({ attempt, isLast }: { attempt: DeliveryAttempt; isLast: boolean }) {
  const number = attempt.attempt;
  return (
    <details className="details" open={isLast}>
      <summary>Attempt {number}: {describeAnswer(attempt)}, <RelativeTime at={attempt.at} />, {attempt.duration_ms} ms</summary>
      <Stack gap="xs">
        <Text size="sm" fw={550}>Request</Text>
        <CodeBlock code={headLines(attempt)} label={`Request of attempt ${number}`} />
        <Text size="sm" fw={550}>Answer</Text>
        {attempt.status === null ? <Text size="sm">{describeAnswer(attempt)}</Text> : attempt.response === null || attempt.response === "" ? (
          <Text size="sm" c="dimmed">Status {attempt.status}, {attempt.response === null ? "its body is not kept" : "no body"}.</Text>
        ) : (
          <CodeBlock code={`${attempt.status}\n\n${attempt.response}`} label={`Answer of attempt ${number}`} />
        )}
      </Stack>
    </details>
  );
}

function Detail({ webhooks, delivery }: { webhooks: Webhooks; delivery: DeliveryDetailReply }) {
  const queries = useQueryClient();
  const redeliver = useMutation({ mutationFn: webhooks.redeliver, onSuccess: () => queries.invalidateQueries({ queryKey: webhooks.key }) });
  const isDone = delivery.state !== "pending";
  const named = { endpointId: delivery.endpoint_id, eventId: delivery.event_id };
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Group gap="sm"><StatusBadge status={delivery.state} /><Text size="sm" role="status">{answerOf(delivery)}</Text></Group>
        <Button size="xs" variant="default" loading={redeliver.isPending} disabled={delivery.is_sending} onClick={() => redeliver.mutate(named)}>{isDone ? "Redeliver" : "Send now"}</Button>
      </Group>
      <FormError error={redeliver.error} />
      <Copyable text={delivery.event_id} label="Copy event ID" />
      <section aria-label="Details"><Facts delivery={delivery} /></section>
      <section aria-label="Body">
        <Title order={3} mb="xs">Body</Title>
        <CodeBlock code={layOut(delivery.body)} label="Body of the request" />
        <Text size="xs" c="dimmed" mt={4}>Laid out for reading. It is sent, and signed, without line breaks.</Text>
      </section>
      <section aria-label="Attempts">
        <Title order={3} mb="xs">Attempts</Title>
        {delivery.log.length === 0 ? (
          <Text size="sm" c="dimmed">Nothing was sent yet.</Text>
        ) : (
          <Stack gap="sm">{delivery.log.map((attempt, index) => <Attempt key={attempt.attempt} attempt={attempt} isLast={index === 0} />)}</Stack>
        )}
      </section>
    </Stack>
  );
}

function OpenDelivery({ webhooks, opened }: { webhooks: Webhooks; opened: OpenedDelivery }) {
  const delivery = useQuery(webhooks.delivery(opened));
  return <QueryView query={delivery} height={320}>{(answer) => <Detail webhooks={webhooks} delivery={answer} />}</QueryView>;
}

export function DeliveryDrawer({ webhooks, opened, onClose }: { webhooks: Webhooks; opened: OpenedDelivery | undefined; onClose: () => void }) {
  return (
    <Drawer opened={opened !== undefined} onClose={onClose} position="right" size="lg" title="Delivery" closeButtonProps={{ "aria-label": "Close" }}>
      {opened && <OpenDelivery webhooks={webhooks} opened={opened} />}
    </Drawer>
  );
}
