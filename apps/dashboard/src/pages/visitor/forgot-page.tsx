import { Button, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { requestReset } from "../../api/account.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { FormError } from "../../ui/states.tsx";
import { VisitorCard } from "./visitor-card.tsx";

export function ForgotPage() {
  const navigate = useNavigate();
  const form = useForm({ mode: "uncontrolled", initialValues: { email: "" } });
  const send = useMutation({
    mutationFn: requestReset,
    onSuccess: (_done, email) => navigate({ to: "/check-mail", search: { email, why: "reset" } }),
  });
  return (
    <VisitorCard title="Reset your password" text="Enter your email address to get a link for setting a new password." foot={<TextLink to="/sign-in">Back to sign in</TextLink>}>
      <form onSubmit={form.onSubmit(({ email }) => send.mutate(email))}>
        <Stack gap="md">
          <FormError error={send.error} />
          <TextInput label="Email address" type="email" autoComplete="email" required autoFocus key={form.key("email")} {...form.getInputProps("email")} />
          <Button type="submit" loading={send.isPending} fullWidth>Send link</Button>
        </Stack>
      </form>
    </VisitorCard>
  );
}
