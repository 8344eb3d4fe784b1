import { Alert, Anchor, Button, Checkbox, Group, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { sendVerification, signIn } from "../../api/account.ts";
import { ApiError } from "../../api/request.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { FormError } from "../../ui/states.tsx";
import { MailboxHint } from "./mailbox-hint.tsx";
import { SecondFactorForm } from "./second-factor-form.tsx";
import { VisitorCard } from "./visitor-card.tsx";

type Notice = { color: string; text: string };

/** Explains why the visitor was sent to this page. */
function noticeOf(search: { email?: string; reset?: string; closed?: string }): Notice | undefined {
  if (search.email === "confirm") return { color: "yellow", text: "Sign in, then open the link in the email again." };
  if (search.reset !== undefined) return { color: "verdigris", text: "Your new password is set, and all other browsers were signed out." };
  if (search.closed !== undefined) return { color: "gray", text: "Your account is closed." };
  return undefined;
}

/** Only paths within the dashboard, to prevent open redirects. */
const safePath = (next: string | undefined): string => (next?.startsWith("/") && !next.startsWith("//") ? next : "/");

function ResendButton({ email }: { email: string }) {
  const send = useMutation({ mutationFn: sendVerification });
  return (
    <Stack gap="xs">
      <FormError error={send.error} />
      <Anchor component="button" type="button" size="sm" onClick={() => send.mutate(email)} disabled={send.isPending}>
        {send.isSuccess ? "Sent. Check your email." : "Not verified yet? Resend the verification email"}
      </Anchor>
      {send.isSuccess && <MailboxHint />}
    </Stack>
  );
}

export function SignInPage() {
  const search = useSearch({ from: "/visitor/sign-in" });
  const router = useRouter();
  const queries = useQueryClient();
  const [needsCode, setNeedsCode] = useState(false);
  const form = useForm({ mode: "uncontrolled", initialValues: { email: "", password: "", rememberMe: true } });
  const enter = async () => {
    queries.removeQueries();
    await router.navigate({ to: safePath(search.next) });
  };
  const send = useMutation({
    mutationFn: signIn,
    onSuccess: (reply) => (reply.status === "signed_in" ? enter() : setNeedsCode(true)),
  });
  const notice = noticeOf(search);
  if (needsCode) {
    return (
      <VisitorCard title="Two-factor authentication" text="Enter a code to finish signing in.">
        <SecondFactorForm onDone={enter} />
      </VisitorCard>
    );
  }
  const isRejected = send.error instanceof ApiError && send.error.code === "sign_in_failed";
  return (
    <VisitorCard title="Sign in" foot={<>New here? <TextLink to="/sign-up">Create an account</TextLink></>}>
      {notice && <Alert variant="light" color={notice.color} role="status">{notice.text}</Alert>}
      <form onSubmit={form.onSubmit((values) => send.mutate(values))}>
        <Stack gap="md">
          <FormError error={send.error} />
          <TextInput label="Email address" type="text" inputMode="email" autoComplete="username" required autoFocus key={form.key("email")} {...form.getInputProps("email")} />
          <PasswordInput label="Password" autoComplete="current-password" required key={form.key("password")} {...form.getInputProps("password")} />
          <Group justify="space-between">
            <Checkbox label="Keep me signed in" size="sm" key={form.key("rememberMe")} {...form.getInputProps("rememberMe", { type: "checkbox" })} />
            <TextLink to="/forgot-password" size="sm">Forgot password?</TextLink>
          </Group>
          <Button type="submit" loading={send.isPending} fullWidth>Sign in</Button>
        </Stack>
      </form>
      {isRejected && form.getValues().email !== "" && <ResendButton email={form.getValues().email} />}
    </VisitorCard>
  );
}
