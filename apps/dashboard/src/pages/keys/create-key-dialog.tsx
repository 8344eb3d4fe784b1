import { Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createKey, keysQuery } from "../../api/keys.ts";
import { FormError } from "../../ui/states.tsx";
import { KeyShownOnce } from "./key-shown-once.tsx";

const modeTexts = { live: "Billed. Earns with every call.", test: "Real scores. Never billed, earns nothing." };

type Values = { name: string; mode: "live" | "test"; expires: string };

function CreateKeyForm({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const form = useForm<Values>({ initialValues: { name: "", mode: "live", expires: "" } });
  const create = useMutation({
    mutationFn: ({ name, mode, expires }: Values) =>
      createKey({ name: name.trim(), mode, ...(expires !== "" && { expires_at: new Date(`${expires}T23:59:59`).toISOString() }) }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  if (create.data) return <KeyShownOnce apiKey={create.data.api_key} onDone={onClose} />;
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <Stack gap="md">
        <FormError error={create.error} />
        <TextInput label="Name" description="Where you use the key." placeholder="Production server" maxLength={80} required data-autofocus {...form.getInputProps("name")} />
        <div>
          <Text size="sm" fw={600} mb={4} id="key-mode">Mode</Text>
          <SegmentedControl
            fullWidth
            aria-labelledby="key-mode"
            data={[{ value: "live", label: "Live" }, { value: "test", label: "Test" }]}
            {...form.getInputProps("mode")}
          />
          <Text size="xs" c="dimmed" mt={4}>{modeTexts[form.values.mode]}</Text>
        </div>
        <TextInput label="Expires" description="Optional. The last day the key works." type="date" {...form.getInputProps("expires")} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>Cancel</Button>
          <Button type="submit" loading={create.isPending}>Generate key</Button>
        </Group>
      </Stack>
    </form>
  );
}

export function CreateKeyDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Generate new key" size="lg" closeButtonProps={{ "aria-label": "Close" }} closeOnClickOutside={false}>
      <CreateKeyForm onClose={onClose} />
    </Modal>
  );
}
