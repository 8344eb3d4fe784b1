import type { KeyItem } from "@assay/contract/dashboard/keys.ts";
import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { keysQuery, renameKey } from "../../api/keys.ts";
import { FormError } from "../../ui/states.tsx";

export function RenameKeyDialog({ item, onClose }: { item: KeyItem; onClose: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState(item.name);
  const rename = useMutation({
    mutationFn: renameKey,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keysQuery.queryKey });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate({ keyId: item.key_id, name: name.trim() });
  };
  return (
    <Modal opened onClose={onClose} title="Rename key" closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <FormError error={rename.error} />
          <TextInput label="Name" required maxLength={80} data-autofocus value={name} onChange={(event) => setName(event.currentTarget.value)} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>Cancel</Button>
            <Button type="submit" loading={rename.isPending}>Rename</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
