import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { fund, operatorKey } from "../../api/operator.ts";
import { formatExactUsd } from "../../ui/format.ts";
import { FormError } from "../../ui/states.tsx";

const usdMax = 1_000_000_000;

/** Asks for confirmation, because a ledger entry is permanent. */
export function FundDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [text, setText] = useState("");
  const [isConfirming, setConfirming] = useState(false);
  const amount = Number(text);
  const send = useMutation({
    mutationFn: fund,
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: operatorKey });
      notifications.show({ message: `${formatExactUsd(amount)} added to funding.`, color: "verdigris" });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isConfirming) send.mutate(amount);
    else setConfirming(true);
  };
  return (
    <Modal opened onClose={onClose} title="Add funding" closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <FormError error={send.error} />
          {isConfirming ? (
            <Text size="sm">
              An entry of <strong>{formatExactUsd(amount)}</strong> will be written to the platform's ledger and can then be used for payouts. Entries are never deleted.
              Record the amount only once you have the money: this does not move any.
            </Text>
          ) : (
            <TextInput
              label="Amount (USD)"
              description="Money you have set aside to pay developers."
              type="number"
              inputMode="decimal"
              min={0.000001}
              max={usdMax}
              step="any"
              required
              data-autofocus
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={isConfirming ? () => setConfirming(false) : onClose}>{isConfirming ? "Back" : "Cancel"}</Button>
            <Button type="submit" loading={send.isPending} disabled={!(amount > 0)}>{isConfirming ? `Add ${formatExactUsd(amount)}` : "Continue"}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
