import { Button, Group, Modal, Stack, Textarea } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { operatorKey } from "../../api/operator.ts";
import { FormFailure } from "../../ui/states.tsx";

/** As long as the API takes them. */
const reasonLengthMax = 300;

/** Why something is done: kept in the audit log. Optional ones may stay empty. */
type Reason = { label: string; isOptional?: boolean };

type Props<Result> = {
  title: string;
  /** What will happen, in words. */
  children: ReactNode;
  /** The button that does it. */
  confirm: string;
  isDangerous?: boolean;
  reason?: Reason;
  act: (reason: string) => Promise<Result>;
  /** What is said when it is done. */
  done: string | ((result: Result) => string);
  onClose: () => void;
};

/** One question before an operator's action, and the answer to it. Everything that the console shows is read anew after it. */
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
              description="Recorded in the audit log."
              autosize
              minRows={2}
              maxLength={reasonLengthMax}
              required={!reason.isOptional}
              data-autofocus
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          )}
          <FormFailure error={action.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} data-autofocus={reason ? undefined : true}>Cancel</Button>
            <Button type="submit" loading={action.isPending} {...(isDangerous && { color: "red" })}>{confirm}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
