import type { PayeeProfile, PayeeReply } from "@assay/contract/dashboard/settings.ts";
import { Alert, Button, Group, NativeSelect, SimpleGrid, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { payeeQuery, savePayee } from "../../api/settings.ts";
import { Panel } from "../../ui/panel.tsx";
import { FormError, QueryView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { countryChoices } from "./countries.ts";
import { emptyStepUp, StepUpFields, stepUpOf } from "./step-up-fields.tsx";

type Values = { [Name in keyof Required<PayeeProfile>]: Name extends "method" ? PayeeProfile["method"] : string };

const methods = [
  { value: "bank_transfer", label: "Bank transfer" },
  { value: "paypal", label: "PayPal" },
];

const valuesOf = (profile: PayeeProfile | null): Values => ({
  legal_name: profile?.legal_name ?? "",
  address: profile?.address ?? "",
  country: profile?.country ?? "",
  tax_id: profile?.tax_id ?? "",
  method: profile?.method ?? "bank_transfer",
  account: profile?.account ?? "",
  bank_code: profile?.bank_code ?? "",
  bank_country: profile?.bank_country ?? "",
});

const textOrNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());

/** What a bank's country asks for; docs/payouts.md has the same table. */
const numberHints: Readonly<Record<string, { account?: string; code: string }>> = {
  US: { code: "The routing number, 9 digits." },
  AU: { account: "At most 10 digits, without the BSB.", code: "The BSB, 6 digits." },
  CA: { account: "At most 12 digits, without the transit number.", code: "Institution and transit number: 0IIITTTTT or TTTTTIII." },
  NZ: { account: "The full number, from the bank to the suffix: 15 or 16 digits.", code: "Not needed." },
  MX: { account: "The CLABE, 18 digits.", code: "Not needed." },
  AR: { account: "The CBU or CVU, 22 digits.", code: "Not needed." },
};
const anyBankHint = { account: "An IBAN, where the bank's country has them.", code: "Not needed with an IBAN." };

/** An IBAN says itself where the bank is. */
const beginsAnIban = (account: string): boolean => /^\s*[A-Za-z]{2}\d{2}/.test(account);

const profileOf = (values: Values): PayeeProfile => ({
  ...values,
  legal_name: values.legal_name.trim(),
  address: values.address.trim(),
  account: values.account.trim(),
  tax_id: textOrNull(values.tax_id),
  bank_code: values.method === "bank_transfer" ? textOrNull(values.bank_code) : null,
  bank_country: values.method === "bank_transfer" && !beginsAnIban(values.account) ? textOrNull(values.bank_country) : null,
});

const restingFields = ["method", "account", "bank_code", "tax_id"] as const;

/** Whether saving would start a rest: the first entry counts at once, and so does a change of anything else. */
function isResting(before: PayeeProfile | null, values: Values): boolean {
  if (before === null) return false;
  const after = profileOf(values);
  return restingFields.some((field) => before[field] !== after[field]) || (after.bank_country !== null && before.bank_country !== after.bank_country);
}

function RestNotice({ days, willRest }: { days: number; willRest: boolean }) {
  return (
    <Alert color={willRest ? "yellow" : "gray"} variant="light">
      A change of bank account, payout method or tax number rests for {days} {days === 1 ? "day" : "days"}: until then nothing is paid out. Payouts that are not yet exported to the bank are cancelled; their amount stays in your balance.
    </Alert>
  );
}

function PayeeForm({ payee }: { payee: PayeeReply }) {
  const queries = useQueryClient();
  const [stepUp, setStepUp] = useState(emptyStepUp);
  const form = useForm<Values>({ initialValues: valuesOf(payee.profile) });
  const save = useMutation({
    mutationFn: savePayee,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: payeeQuery.queryKey });
      form.resetDirty();
      notifications.show({ message: "Payee profile saved.", color: "verdigris" });
    },
  });
  const isBank = form.values.method === "bank_transfer";
  const hints = { ...anyBankHint, ...(beginsAnIban(form.values.account) ? {} : numberHints[form.values.bank_country]) };
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate({ ...profileOf(values), ...stepUpOf(stepUp) }))}>
      <Stack gap="md">
        <FormError error={save.error} />
        <TextInput label="Legal name" description="The person or company that is paid." autoComplete="organization" maxLength={200} required {...form.getInputProps("legal_name")} />
        <Textarea label="Postal address" autosize minRows={3} maxLength={500} required autoComplete="street-address" {...form.getInputProps("address")} />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NativeSelect label="Country" required data={countryChoices} {...form.getInputProps("country")} />
          <TextInput label="VAT or tax number" description="If you have one." inputWrapperOrder={["label", "input", "description", "error"]} maxLength={50} {...form.getInputProps("tax_id")} />
        </SimpleGrid>
        <NativeSelect label="Payout method" data={methods} {...form.getInputProps("method")} />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label={isBank ? "IBAN or account number" : "PayPal email address"} description={isBank ? hints.account : undefined} inputWrapperOrder={["label", "input", "description", "error"]} maxLength={100} required autoComplete="off" {...form.getInputProps("account")} />
          {isBank && <TextInput label="BIC or routing number" description={hints.code} inputWrapperOrder={["label", "input", "description", "error"]} maxLength={20} autoComplete="off" {...form.getInputProps("bank_code")} />}
          {isBank && <NativeSelect label="Where the bank is" description="Not needed with an IBAN." inputWrapperOrder={["label", "input", "description", "error"]} data={countryChoices} {...form.getInputProps("bank_country")} />}
        </SimpleGrid>
        {payee.profile !== null && <RestNotice days={payee.change_hold_days} willRest={isResting(payee.profile, form.values)} />}
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <StepUpFields values={stepUp} onChange={setStepUp} />
        </SimpleGrid>
        <Group justify="space-between">
          <Text size="xs" c="dimmed">{payee.updated_at !== null && <>Last updated <Time at={payee.updated_at} /></>}</Text>
          <Button type="submit" loading={save.isPending}>Save</Button>
        </Group>
      </Stack>
    </form>
  );
}

export function PayoutTab() {
  const payee = useQuery(payeeQuery);
  return (
    <QueryView query={payee} height={420}>
      {(answer) => (
        <Panel title="Payee profile" hint="Who is paid, and where. Only the operator can see it. It is erased with the account; if you were paid, a keyed hash of your bank account and tax number is kept for twelve months more.">
          {answer.usable_from !== null && <Alert color="yellow" variant="light">Your change rests: payouts to these details are possible from <Time at={answer.usable_from} />.</Alert>}
          {answer.profile === null && <Alert color="yellow" variant="light">Nothing is paid out until you complete this profile.</Alert>}
          <PayeeForm key={answer.updated_at} payee={answer} />
        </Panel>
      )}
    </QueryView>
  );
}
