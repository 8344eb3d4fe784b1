import { Alert, Button, Checkbox, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { closeAccount, meQuery } from "../../api/account.ts";
import { liveQuery } from "../../api/overview.ts";
import { formatExactUsd } from "../../ui/format.ts";
import { Panel } from "../../ui/panel.tsx";
import { FormError, QueryView } from "../../ui/states.tsx";

function CloseForm({ email, balanceUsd }: { email: string; balanceUsd: number }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({ initialValues: { confirmEmail: "", password: "", forfeit: false } });
  const close = useMutation({
    mutationFn: closeAccount,
    onSuccess: async (reply) => {
      if (reply.status === "closing") return queries.invalidateQueries();
      await navigate({ to: "/sign-in", search: { closed: "1" } });
      queries.removeQueries();
    },
  });
  const hasBalance = balanceUsd > 0;
  const isConfirmed = form.values.confirmEmail.trim().toLowerCase() === email.toLowerCase();
  return (
    <form onSubmit={form.onSubmit(({ confirmEmail, password, forfeit }) => close.mutate({ confirmEmail: confirmEmail.trim(), password, ...(forfeit && { forfeit }) }))}>
      <Stack gap="md" maw={460}>
        <FormError error={close.error} />
        {close.data?.status === "closing" && <Alert color="yellow" variant="light" role="status">Your account is being closed. Its keys no longer work, and the rest is erased once nothing is left to settle: a balance, a payout on its way, calls and clicks that may still be reversed, a hold or a finding.</Alert>}
        {hasBalance && <Checkbox label={`Forfeit my balance of ${formatExactUsd(balanceUsd)}, so that it need not be paid out before everything is erased`} {...form.getInputProps("forfeit", { type: "checkbox" })} />}
        <TextInput label={`Type ${email} to confirm`} autoComplete="off" required {...form.getInputProps("confirmEmail")} />
        <PasswordInput label="Password" autoComplete="current-password" required {...form.getInputProps("password")} />
        <Button type="submit" color="red" loading={close.isPending} disabled={!isConfirmed} w="fit-content">Close account</Button>
      </Stack>
    </form>
  );
}

export function CloseAccountTab() {
  const me = useQuery(meQuery);
  const live = useQuery({ ...liveQuery, refetchInterval: false });
  return (
    <QueryView query={me} height={280}>
      {({ account }) => (
        <Panel title="Close account">
          <Alert color="red" variant="light" icon={<IconAlertTriangle />} title="This cannot be undone">
            <Text size="sm">
              Your keys stop working immediately. Your email address, password, profile and emails are erased. The ledger is kept under an ID that does not identify you.
              If you were paid, a keyed hash of your bank account and tax number is kept for twelve months, so that they are known if they are named again.
              Any balance is settled first, unless you forfeit it. Holds, findings and calls and clicks that may still be reversed are waited for in either case.
            </Text>
          </Alert>
          <QueryView query={live} height={160}>{({ balance_usd }) => <CloseForm email={account.email} balanceUsd={balance_usd} />}</QueryView>
        </Panel>
      )}
    </QueryView>
  );
}
