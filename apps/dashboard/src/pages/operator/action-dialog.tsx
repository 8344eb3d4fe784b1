import { Button, Group, Modal, Stack, Textarea } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { operatorKey } from "../../api/operator.ts";
import { FormError } from "../../ui/states.tsx";

/** The API's limit. */
const reasonLengthMax = 300;

/** The reason for the action, for the audit log. */
type Reason = { label: string; description?: string; isOptional?: boolean };

type Props<Result> = {
  title: string;
  /** Explains what will happen. */
  children: ReactNode;
  /** The label of the confirm button. */
  confirm: string;
  isDangerous?: boolean;
  reason?: Reason;
  act: (reason: string) => Promise<Result>;
  /** The notification after success. */
  done: string | ((result: Result) => string);
  onClose: () => void;
};

/** Confirms an operator's action. After success all operator queries are refetched. */
export function ActionDialog<Result>({ title, children, confirm, isDangerous = false, reason, act, done, onClose }: Props<Result>) {
  const queries = useQueryClient();
  const [text, setText] = useState("");
  const action = useMutation({
    mutationFn: act,
    async onSuccess(result) {
      await queries.invalidateQueries({ queryKey: operatorKey });
      notifications.show({ message: typeof done === "string" ? done : done(result), color: "verdigris" });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    action.mutate(text.trim());
  };
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Stack gap="xs" fz="sm">{children}</Stack>
          {reason && (
            <Textarea
              label={reason.label}
              description={reason.description ?? "Recorded in the audit log."}
              autosize
              minRows={2}
              maxLength={reasonLengthMax}
              required={!reason.isOptional}
              data-autofocus
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          )}
          <FormError error={action.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} data-autofocus={reason ? undefined : true}>Cancel</Button>
            <Button type="submit" loading={action.isPending} {...(isDangerous && { color: "red" })}>{confirm}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
