import type { KeyItem } from "@assay/contract/dashboard/keys.ts";
import { Button, Code, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { keysQuery, revokeKey } from "../../api/keys.ts";
import { FormError } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";

export function RevokeKeyDialog({ item, onClose }: { item: KeyItem; onClose: () => void }) {
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: revokeKey,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keysQuery.queryKey });
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={`Revoke ${item.name}?`} closeButtonProps={{ "aria-label": "Close" }}>
      <Stack gap="md">
        <Text size="sm">
          Calls with <Code>{item.prefix}…{item.last_four}</Code> are rejected within a second. This cannot be undone.
          {item.last_used_at !== null && <> It was last used <RelativeTime at={item.last_used_at} />.</>}
        </Text>
        <FormError error={revoke.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>Cancel</Button>
          <Button color="red" loading={revoke.isPending} onClick={() => revoke.mutate(item.key_id)}>Revoke</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
