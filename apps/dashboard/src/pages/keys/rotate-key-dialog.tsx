import type { KeyItem } from "@assay/contract/dashboard/keys.ts";
import { Button, Group, Modal, NativeSelect, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keysQuery, rotateKey } from "../../api/keys.ts";
import { FormError } from "../../ui/states.tsx";
import { KeyShownOnce } from "./key-shown-once.tsx";

const graces = [
  { value: "0", label: "Immediately" },
  { value: "1", label: "In 1 hour" },
  { value: "24", label: "In 24 hours" },
  { value: "72", label: "In 3 days" },
  { value: "168", label: "In 7 days" },
];
const graceHoursDefault = "24";

export function RotateKeyDialog({ item, onClose }: { item: KeyItem; onClose: () => void }) {
  const queries = useQueryClient();
  const [grace, setGrace] = useState(graceHoursDefault);
  const rotate = useMutation({ mutationFn: rotateKey, onSuccess: () => queries.invalidateQueries({ queryKey: keysQuery.queryKey }) });
  return (
    <Modal opened onClose={onClose} title={`Rotate ${item.name}`} size="lg" closeButtonProps={{ "aria-label": "Close" }} closeOnClickOutside={false}>
      {rotate.data ? (
        <KeyShownOnce apiKey={rotate.data.api_key} onDone={onClose} />
      ) : (
        <Stack gap="md">
          <Text size="sm">A new key replaces this one. The old key can keep working for a while, so that you can switch without interruption.</Text>
          <FormError error={rotate.error} />
          <NativeSelect label="The old key stops working" data={graces} value={grace} onChange={(event) => setGrace(event.currentTarget.value)} data-autofocus />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>Cancel</Button>
            <Button loading={rotate.isPending} onClick={() => rotate.mutate({ keyId: item.key_id, graceHours: Number(grace) })}>Rotate</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
