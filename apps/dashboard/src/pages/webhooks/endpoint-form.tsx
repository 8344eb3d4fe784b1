import type { EndpointItem, EventChoice } from "@assay/contract/dashboard/webhooks.ts";
import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Webhooks } from "../../api/webhooks.ts";
import { FormError } from "../../ui/states.tsx";
import { EventChoiceInput } from "./event-choice.tsx";
import { SecretShownOnce } from "./secret-shown-once.tsx";

type Values = { url: string; types: string[] | null };
type FormProps = { events: readonly EventChoice[]; initial: Values; confirm: string; hint?: string; error: Error | null; isPending: boolean; onSubmit: (values: Values) => void; onClose: () => void };

function EndpointForm({ events, initial, confirm, hint, error, isPending, onSubmit, onClose }: FormProps) {
  const [url, setUrl] = useState(initial.url);
  const [types, setTypes] = useState(initial.types);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit({ url: url.trim(), types });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <FormError error={error} />
        <TextInput label="URL" description="Where events are sent, with POST." placeholder="https://hooks.example.com/assay" required maxLength={2_048} data-autofocus value={url} onChange={(event) => setUrl(event.currentTarget.value)} />
        <EventChoiceInput events={events} value={types} onChange={setTypes} />
        {hint !== undefined && <Text size="sm" c="dimmed">{hint}</Text>}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>Cancel</Button>
          <Button type="submit" loading={isPending} disabled={types?.length === 0}>{confirm}</Button>
        </Group>
      </Stack>
    </form>
  );
}

function CreateForm({ webhooks, events, onClose }: { webhooks: Webhooks; events: readonly EventChoice[]; onClose: () => void }) {
  const queries = useQueryClient();
  const create = useMutation({ mutationFn: webhooks.create, onSuccess: () => queries.invalidateQueries({ queryKey: webhooks.key }) });
  if (create.data) return <SecretShownOnce secret={create.data.secret} onDone={onClose}>A test event is on its way: the log below shows what your server answers.</SecretShownOnce>;
  return (
    <EndpointForm
      events={events}
      initial={{ url: "", types: null }}
      confirm="Create endpoint"
      hint="A test event is sent at once."
      error={create.error}
      isPending={create.isPending}
      onSubmit={(values) => create.mutate(values)}
      onClose={onClose}
    />
  );
}

export function CreateEndpointDialog({ opened, onClose, ...rest }: { webhooks: Webhooks; events: readonly EventChoice[]; opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Create endpoint" size="lg" closeButtonProps={{ "aria-label": "Close" }} closeOnClickOutside={false}>
      <CreateForm {...rest} onClose={onClose} />
    </Modal>
  );
}

export function EditEndpointDialog({ webhooks, events, item, onClose }: { webhooks: Webhooks; events: readonly EventChoice[]; item: EndpointItem; onClose: () => void }) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: webhooks.change,
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: webhooks.key });
      onClose();
    },
  });
  const submit = ({ url, types }: Values) => change.mutate({ endpointId: item.endpoint_id, types, ...(url !== item.url && { url }) });
  return (
    <Modal opened onClose={onClose} title="Edit endpoint" size="lg" closeButtonProps={{ "aria-label": "Close" }} closeOnClickOutside={false}>
      <EndpointForm events={events} initial={{ url: item.url, types: item.types }} confirm="Save" error={change.error} isPending={change.isPending} onSubmit={submit} onClose={onClose} />
    </Modal>
  );
}
