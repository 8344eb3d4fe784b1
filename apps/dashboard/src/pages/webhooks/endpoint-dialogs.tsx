import { webhookLogDays } from "@assay/contract/dashboard/webhook-limits.ts";
import type { EndpointItem } from "@assay/contract/dashboard/webhooks.ts";
import { Button, Code, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import type { Webhooks } from "../../api/webhooks.ts";
import { formatCountOf } from "../../ui/format.ts";
import { FormError } from "../../ui/states.tsx";
import { SecretShownOnce } from "./secret-shown-once.tsx";

type DialogProps = { webhooks: Webhooks; item: EndpointItem; onClose: () => void };

const Frame = ({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) => (
  <Modal opened onClose={onClose} title={title} closeButtonProps={{ "aria-label": "Close" }}>{children}</Modal>
);

export function RotateSecretDialog({ webhooks, item, onClose }: DialogProps) {
  const queries = useQueryClient();
  const rotate = useMutation({ mutationFn: webhooks.rotate, onSuccess: () => queries.invalidateQueries({ queryKey: webhooks.key }) });
  return (
    <Frame title="Rotate secret" onClose={onClose}>
      {rotate.data ? (
        <SecretShownOnce secret={rotate.data.secret} onDone={onClose}>Until tomorrow events carry the old secret's signature too.</SecretShownOnce>
      ) : (
        <Stack gap="md">
          <Text size="sm">
            A new secret replaces the current one. For 24 hours every event is signed with both, so that your server can be switched over without losing one.
            {item.previous_secret_until !== null && " The secret before the current one stops signing at once."}
          </Text>
          <FormError error={rotate.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>Cancel</Button>
            <Button loading={rotate.isPending} onClick={() => rotate.mutate(item.endpoint_id)} data-autofocus>Rotate</Button>
          </Group>
        </Stack>
      )}
    </Frame>
  );
}

export function DeleteEndpointDialog({ webhooks, item, onClose }: DialogProps) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: webhooks.remove,
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: webhooks.key });
      onClose();
    },
  });
  return (
    <Frame title="Delete endpoint?" onClose={onClose}>
      <Stack gap="md">
        <Text size="sm"><Code className="code-text whole">{item.url}</Code> gets no more events, and its delivery log is deleted. This cannot be undone.</Text>
        <FormError error={remove.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>Cancel</Button>
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate(item.endpoint_id)}>Delete</Button>
        </Group>
      </Stack>
    </Frame>
  );
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** As a field of type datetime-local has it, in the person's own time zone. */
const toLocalInput = (atMs: number): string => new Date(atMs - new Date(atMs).getTimezoneOffset() * minuteMs).toISOString().slice(0, "YYYY-MM-DDTHH:MM".length);

export function ReplayDialog({ webhooks, item, onClose }: DialogProps) {
  const queries = useQueryClient();
  const [openedMs] = useState(() => Date.now());
  const [from, setFrom] = useState(() => toLocalInput(openedMs - dayMs));
  const replay = useMutation({
    mutationFn: webhooks.replay,
    async onSuccess({ queued, events, next_from: nextFrom }) {
      await queries.invalidateQueries({ queryKey: webhooks.key });
      const rest = events > queued ? ` ${formatCountOf(events - queued, "other one was", "others were")} on the way already.` : "";
      const message = events === 0 ? "No event since then is for this endpoint." : `${formatCountOf(queued, "event is", "events are")} being sent again.${rest}`;
      notifications.show({ message, color: "verdigris" });
      if (nextFrom === null) onClose();
      else setFrom(toLocalInput(Date.parse(nextFrom)));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    replay.mutate({ endpointId: item.endpoint_id, from: new Date(from).toISOString() });
  };
  return (
    <Frame title="Replay events" onClose={onClose}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm">Every event since this time that the endpoint has chosen is sent again, also those that it missed while it was paused. Its id stays the same, so your server can tell which ones it has seen.</Text>
          <TextInput
            label="From"
            description={`Your local time, at most ${webhookLogDays} days ago.`}
            type="datetime-local"
            required
            min={toLocalInput(openedMs - webhookLogDays * dayMs + minuteMs)}
            max={toLocalInput(openedMs)}
            value={from}
            onChange={(event) => setFrom(event.currentTarget.value)}
            data-autofocus
          />
          {replay.data && replay.data.next_from !== null && <Text size="sm" role="status">There are more events than one replay sends. The time above is where to go on.</Text>}
          <FormError error={replay.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>Cancel</Button>
            <Button type="submit" loading={replay.isPending} disabled={from === ""}>Replay</Button>
          </Group>
        </Stack>
      </form>
    </Frame>
  );
}
