import { Alert, Button, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { changeEmail } from "../../api/account.ts";
import { Panel } from "../../ui/panel.tsx";
import { FormError } from "../../ui/states.tsx";
import { MailboxHint } from "../visitor/mailbox-hint.tsx";
import { emptyStepUp, StepUpFields, stepUpOf } from "./step-up-fields.tsx";

export function EmailPanel({ email }: { email: string }) {
  const form = useForm({ initialValues: { newEmail: "", stepUp: emptyStepUp } });
  const change = useMutation({ mutationFn: changeEmail, onSuccess: () => form.reset() });
  return (
    <Panel title="Email address" hint={<>Currently <strong>{email}</strong>. A new address takes effect once you confirm it. The old address is told at once.</>}>
      <form onSubmit={form.onSubmit(({ newEmail, stepUp }) => change.mutate({ newEmail, ...stepUpOf(stepUp) }))}>
        <Stack gap="md" maw={420}>
          <FormError error={change.error} />
          {change.isSuccess && <Alert color="verdigris" variant="light" role="status">A confirmation email is on its way to the new address. Open its link while you are signed in here.</Alert>}
          {change.isSuccess && <MailboxHint />}
          <TextInput label="New email address" type="email" autoComplete="email" required {...form.getInputProps("newEmail")} />
          <StepUpFields values={form.values.stepUp} onChange={(stepUp) => form.setFieldValue("stepUp", stepUp)} />
          <Button type="submit" variant="default" loading={change.isPending} w="fit-content">Change email address</Button>
        </Stack>
      </form>
    </Panel>
  );
}
