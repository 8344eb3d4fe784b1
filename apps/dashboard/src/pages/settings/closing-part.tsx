import { Alert, Button, Checkbox, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { closeAccount, meQuery } from "../../api/account.ts";
import { liveQuery } from "../../api/overview.ts";
import { formatExactUsd } from "../../ui/figures.ts";
import { Panel } from "../../ui/panel.tsx";
import { FormFailure, Shown } from "../../ui/states.tsx";

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
        <FormFailure error={close.error} />
        {close.data?.status === "closing" && <Alert color="yellow" variant="light" role="status">The account is closing: its keys have stopped, and the rest is erased when {formatExactUsd(close.data.balance_usd)} are settled.</Alert>}
        {hasBalance && <Checkbox label={`Give up the balance of ${formatExactUsd(balanceUsd)} and erase everything now`} {...form.getInputProps("forfeit", { type: "checkbox" })} />}
        <TextInput label={`Type ${email} to confirm`} autoComplete="off" required {...form.getInputProps("confirmEmail")} />
        <PasswordInput label="Password" autoComplete="current-password" required {...form.getInputProps("password")} />
        <Button type="submit" color="red" loading={close.isPending} disabled={!isConfirmed} w="fit-content">Close the account</Button>
      </Stack>
    </form>
  );
}

export function ClosingPart() {
  const me = useQuery(meQuery);
  const live = useQuery({ ...liveQuery, refetchInterval: false });
  return (
    <Shown of={me} height={280}>
      {({ account }) => (
        <Panel title="Close the account">
          <Alert color="red" variant="light" icon={<IconAlertTriangle />} title="This cannot be undone">
            <Text size="sm">
              Keys stop at once. Your address, password, profile and mails are erased; the ledger stays, under a number that says nothing about you.
              A balance is settled first, unless you give it up.
            </Text>
          </Alert>
          <Shown of={live} height={160}>{({ balance_usd }) => <CloseForm email={account.email} balanceUsd={balance_usd} />}</Shown>
        </Panel>
      )}
    </Shown>
  );
}
