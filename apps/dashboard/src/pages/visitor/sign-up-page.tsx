import { Button, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { signUp } from "../../api/account.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { FormError } from "../../ui/states.tsx";
import { VisitorCard } from "./visitor-card.tsx";

export function SignUpPage() {
  const navigate = useNavigate();
  const form = useForm({ mode: "uncontrolled", initialValues: { email: "" } });
  const send = useMutation({
    mutationFn: signUp,
    onSuccess: (_done, { email }) => navigate({ to: "/check-mail", search: { email, why: "sign-up" } }),
  });
  return (
    <VisitorCard
      title="Create your account"
      text="Creating an account is free. We mail you a link, with which you choose your password."
      foot={<>Already have an account? <TextLink to="/sign-in">Sign in</TextLink></>}
    >
      <form onSubmit={form.onSubmit((values) => send.mutate(values))}>
        <Stack gap="md">
          <FormError error={send.error} />
          <TextInput label="Email address" type="email" autoComplete="email" required autoFocus key={form.key("email")} {...form.getInputProps("email")} />
          <Button type="submit" loading={send.isPending} fullWidth>Create account</Button>
        </Stack>
      </form>
    </VisitorCard>
  );
}
