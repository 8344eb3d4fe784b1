import { Alert, Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { changeEmail } from "../../api/account.ts";
import { Panel } from "../../ui/panel.tsx";
import { FormError } from "../../ui/states.tsx";
import { MailboxHint } from "../visitor/mailbox-hint.tsx";

export function EmailPanel({ email }: { email: string }) {
  const form = useForm({ mode: "uncontrolled", initialValues: { newEmail: "", password: "" } });
  const change = useMutation({ mutationFn: changeEmail, onSuccess: () => form.reset() });
  return (
    <Panel title="Email address" hint={<>Currently <strong>{email}</strong>. A new address takes effect once you confirm it. The old address is notified.</>}>
      <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
        <Stack gap="md" maw={420}>
          <FormError error={change.error} />
          {change.isSuccess && <Alert color="verdigris" variant="light" role="status">A confirmation email is on its way to the new address. Open its link while you are signed in here.</Alert>}
          {change.isSuccess && <MailboxHint />}
          <TextInput label="New email address" type="email" autoComplete="email" required key={form.key("newEmail")} {...form.getInputProps("newEmail")} />
          <PasswordInput label="Password" autoComplete="current-password" required key={form.key("password")} {...form.getInputProps("password")} />
          <Button type="submit" variant="default" loading={change.isPending} w="fit-content">Change email address</Button>
        </Stack>
      </form>
    </Panel>
  );
}
