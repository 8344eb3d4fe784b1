import type { OwnFinding } from "@assay/contract/dashboard/integrity.ts";
import { Button, Group, List, Modal, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { acceptFinding } from "../../api/findings.ts";
import { formatCountOf, formatExactUsd } from "../../ui/format.ts";
import { FormError } from "../../ui/states.tsx";

type Props = { finding: OwnFinding; cost: NonNullable<OwnFinding["accept"]>; onClose: () => void };

export function AcceptDialog({ finding, cost, onClose }: Props) {
  const queries = useQueryClient();
  const accept = useMutation({
    mutationFn: () => acceptFinding(finding.id),
    async onSuccess() {
      onClose();
      notifications.show({ message: "Finding accepted and closed.", color: "verdigris" });
      // Balance, days, sessions and statements change with it.
      await queries.invalidateQueries();
    },
  });
  return (
    <Modal opened onClose={onClose} title="Accept this finding?" closeButtonProps={{ "aria-label": "Close" }}>
      <Stack gap="md">
        <List size="sm" spacing={6}>
          <List.Item>You give up <strong>{formatExactUsd(cost.developer_usd)}</strong> for {formatCountOf(cost.calls, "call", "calls")}. The reversal is a permanent ledger entry.</List.Item>
          <List.Item>The finding closes at once, without an operator, and your other earnings move on.</List.Item>
          <List.Item>You can do this once in 12 months. It cannot be undone.</List.Item>
        </List>
        <FormError error={accept.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>Cancel</Button>
          <Button color="red" loading={accept.isPending} onClick={() => accept.mutate()}>Accept and give up {formatExactUsd(cost.developer_usd)}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
