import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, useEffect, useState } from "react";
import { confirmSession } from "../../api/account.ts";
import { answerStepUps } from "../../api/step-up.ts";
import { FormError } from "../../ui/states.tsx";
import { emptyStepUp, StepUpFields, stepUpOf } from "../settings/step-up-fields.tsx";

/** Above the dialog whose action it is for. */
const zIndex = 400;
/** Mantine closes every open dialog on Escape, unless the key was pressed in one of these. */
const keepsEscape = { "data-mantine-stop-propagation": "true" };

/** A form of its own over the page: what was typed below it stays, and is sent again afterwards. */
function StepUpDialog({ onOver }: { onOver: (isConfirmed: boolean) => void }) {
  const [values, setValues] = useState(emptyStepUp);
  const confirm = useMutation({ mutationFn: confirmSession, onSuccess: () => onOver(true) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Dialogs below this one are its parents for React.
    event.stopPropagation();
    confirm.mutate(stepUpOf(values));
  };
  const cancelOnEscape = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onOver(false);
  };
  return (
    <Modal opened onClose={() => onOver(false)} title="Confirm that it is you" zIndex={zIndex} closeOnEscape={false} closeButtonProps={{ "aria-label": "Close", ...keepsEscape }}>
      <form onSubmit={submit} onKeyDown={cancelOnEscape}>
        <Stack gap="md">
          <Text size="sm">This moves money, or decides about somebody's. Once confirmed, this browser is not asked again for 10 minutes after the last such action, and for an hour at most.</Text>
          <FormError error={confirm.error} />
          <StepUpFields values={values} onChange={setValues} isFocused inputProps={keepsEscape} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => onOver(false)} {...keepsEscape}>Cancel</Button>
            <Button type="submit" loading={confirm.isPending} {...keepsEscape}>Confirm</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Asks for the password, and a code where there is a second factor, whenever the server wants the session confirmed. */
export function StepUpPrompt() {
  const [answer, setAnswer] = useState<(isConfirmed: boolean) => void>();
  useEffect(() => answerStepUps(() => new Promise<boolean>((resolve) => setAnswer(() => resolve))), []);
  if (!answer) return null;
  return (
    <StepUpDialog
      onOver={(isConfirmed) => {
        setAnswer(undefined);
        answer(isConfirmed);
      }}
    />
  );
}
