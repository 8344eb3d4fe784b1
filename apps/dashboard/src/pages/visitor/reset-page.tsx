import { Alert, Button, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { resetPassword } from "../../api/account.ts";
import { ApiError } from "../../api/request.ts";
import { LinkButton, TextLink } from "../../ui/link-button.tsx";
import { FormError } from "../../ui/states.tsx";
import { NewPasswordInput } from "./new-password-input.tsx";
import { useMailedToken } from "./use-mailed-token.ts";
import { VisitorCard } from "./visitor-card.tsx";

export function ResetPage() {
  const token = useMailedToken();
  const navigate = useNavigate();
  const form = useForm({ mode: "uncontrolled", initialValues: { newPassword: "" } });
  const send = useMutation({
    mutationFn: resetPassword,
    onSuccess: () => navigate({ to: "/sign-in", search: { reset: "1" } }),
  });
  const isExpired = token === undefined || (send.error instanceof ApiError && send.error.code === "link_expired");
  if (isExpired) {
    return (
      <VisitorCard title="This link no longer works">
        <Alert color="yellow" variant="light" role="status">Password reset links work once and for a short time.</Alert>
        <LinkButton to="/forgot-password">Request a new link</LinkButton>
      </VisitorCard>
    );
  }
  return (
    <VisitorCard title="Set a new password" text="All other browsers will be signed out." foot={<TextLink to="/sign-in">Back to sign in</TextLink>}>
      <form onSubmit={form.onSubmit(({ newPassword }) => send.mutate({ token, newPassword }))}>
        <Stack gap="md">
          <FormError error={send.error} />
          <NewPasswordInput label="New password" autoFocus key={form.key("newPassword")} {...form.getInputProps("newPassword")} />
          <Button type="submit" loading={send.isPending} fullWidth>Set password</Button>
        </Stack>
      </form>
    </VisitorCard>
  );
}
