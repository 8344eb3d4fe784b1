import { Button, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { requestReset, sendVerification } from "../../api/account.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { FormError } from "../../ui/states.tsx";
import { MailboxHint } from "./mailbox-hint.tsx";
import { VisitorCard } from "./visitor-card.tsx";

/** Shown after sign-up and after a password reset request. */
export function CheckMailPage() {
  const { email, why } = useSearch({ from: "/visitor/check-mail" });
  const isReset = why === "reset";
  const again = useMutation({ mutationFn: isReset ? requestReset : sendVerification });
  return (
    <VisitorCard
      title="Check your email"
      text={isReset ? "If this address has an account, a link to set a new password is on its way." : "A verification link is on its way. Open it to choose your password and sign in."}
      foot={<TextLink to="/sign-in">Back to sign in</TextLink>}
    >
      <Stack gap="md">
        {email !== undefined && <Text size="sm" style={{ overflowWrap: "anywhere" }}>Sent to <strong>{email}</strong>. No email after a few minutes? Check your spam folder or send it again.</Text>}
        <MailboxHint />
        <FormError error={again.error} />
        {email !== undefined && (
          <Button variant="default" loading={again.isPending} onClick={() => again.mutate(email)}>{again.isSuccess ? "Sent" : "Send again"}</Button>
        )}
      </Stack>
    </VisitorCard>
  );
}
