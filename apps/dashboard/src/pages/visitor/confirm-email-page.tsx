import { Alert, Button, Stack } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { confirmEmail } from "../../api/account.ts";
import { ApiError } from "../../api/request.ts";
import { LinkButton, TextLink } from "../../ui/link-button.tsx";
import { FormError } from "../../ui/states.tsx";
import { useMailedToken } from "./use-mailed-token.ts";
import { VisitorCard } from "./visitor-card.tsx";

/** Opened from the mail to a new address. Opening it changes nothing: another site could open it in a signed-in browser. */
export function ConfirmEmailPage() {
  const token = useMailedToken();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const send = useMutation({
    mutationFn: confirmEmail,
    onSuccess: () => {
      queries.removeQueries();
      return navigate({ to: "/settings", search: { email: "changed" } });
    },
    onError: (error) => (error instanceof ApiError && error.status === 401 ? navigate({ to: "/sign-in", search: { email: "confirm" } }) : undefined),
  });
  const isExpired = token === undefined || (send.error instanceof ApiError && send.error.code === "link_expired");
  if (isExpired) {
    return (
      <VisitorCard title="This link no longer works" foot={<TextLink to="/sign-in">Back to sign in</TextLink>}>
        <Alert color="yellow" variant="light" role="status">Links that confirm a new address work once, for a day, and in the account that asked for the change.</Alert>
        <LinkButton to="/settings" search={{ part: "security" }}>Request the change again</LinkButton>
      </VisitorCard>
    );
  }
  return (
    <VisitorCard title="Confirm your new email address" text="You sign in with it from then on. If you did not ask for this, close this page." foot={<TextLink to="/sign-in">Back to sign in</TextLink>}>
      <Stack gap="md">
        <FormError error={send.error} />
        <Button autoFocus onClick={() => send.mutate({ token })} loading={send.isPending} fullWidth>Confirm this address</Button>
      </Stack>
    </VisitorCard>
  );
}
