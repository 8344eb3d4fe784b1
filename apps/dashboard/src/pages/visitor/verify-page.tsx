import { Alert, Button, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { verifyEmail } from "../../api/account.ts";
import { ApiError } from "../../api/request.ts";
import { LinkButton, TextLink } from "../../ui/link-button.tsx";
import { FormError } from "../../ui/states.tsx";
import { NewPasswordInput } from "./new-password-input.tsx";
import { useMailedToken } from "./use-mailed-token.ts";
import { VisitorCard } from "./visitor-card.tsx";

/** Opened from the mail of a sign-up. Opening it changes nothing: mail scanners open links too. */
export function VerifyPage() {
  const token = useMailedToken();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const form = useForm({ mode: "uncontrolled", initialValues: { newPassword: "" } });
  const send = useMutation({
    mutationFn: verifyEmail,
    onSuccess: ({ status }) => {
      queries.removeQueries();
      return status === "signed_in" ? navigate({ to: "/", search: { verified: "1" } }) : navigate({ to: "/sign-in" });
    },
  });
  const isExpired = token === undefined || (send.error instanceof ApiError && send.error.code === "link_expired");
  if (isExpired) {
    return (
      <VisitorCard title="This link no longer works" foot={<>Not confirmed yet? <TextLink to="/sign-up">Sign up again</TextLink> to get a new link.</>}>
        <Alert color="yellow" variant="light" role="status">Verification links work once, and for a day. If your email address is confirmed already, sign in.</Alert>
        <LinkButton to="/sign-in">Sign in</LinkButton>
      </VisitorCard>
    );
  }
  return (
    <VisitorCard title="Confirm your email address" text="Choose the password of your account. If you did not sign up, close this page." foot={<TextLink to="/sign-in">Back to sign in</TextLink>}>
      <form onSubmit={form.onSubmit(({ newPassword }) => send.mutate({ token, newPassword }))}>
        <Stack gap="md">
          <FormError error={send.error} />
          <NewPasswordInput autoFocus key={form.key("newPassword")} {...form.getInputProps("newPassword")} />
          <Button type="submit" loading={send.isPending} fullWidth>Confirm and sign in</Button>
        </Stack>
      </form>
    </VisitorCard>
  );
}
