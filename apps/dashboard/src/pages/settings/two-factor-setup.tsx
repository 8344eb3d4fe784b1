import type { EnableTwoFactorReply } from "@assay/contract/dashboard/account.ts";
import { Button, Checkbox, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { verifyCode } from "../../api/account.ts";
import { Copyable } from "../../ui/copy.tsx";
import { FormError } from "../../ui/states.tsx";
import { QrCode } from "./qr-code.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

const secretOf = (uri: string): string => new URL(uri).searchParams.get("secret") ?? "";

/** Two-factor authentication is on only after a first code was verified. */
export function TwoFactorSetup({ setup, onDone }: { setup: EnableTwoFactorReply; onDone: () => Promise<void> }) {
  const [code, setCode] = useState("");
  const [hasSaved, setHasSaved] = useState(false);
  const verify = useMutation({ mutationFn: verifyCode, onSuccess: onDone });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    verify.mutate(code.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm"><strong>1.</strong> Scan this code with your authenticator app, or enter the secret.</Text>
        <QrCode text={setup.totp_uri} label="QR code for the secret" />
        <Copyable text={secretOf(setup.totp_uri)} label="Copy secret" />
        <Text size="sm"><strong>2.</strong> Save these recovery codes. Each works once if you do not have your device.</Text>
        <RecoveryCodes codes={setup.recovery_codes} />
        <Checkbox label="I have saved them" required checked={hasSaved} onChange={(event) => setHasSaved(event.currentTarget.checked)} />
        <FormError error={verify.error} />
        <TextInput label="3. Enter the code shown in the app" inputMode="numeric" autoComplete="one-time-code" required value={code} onChange={(event) => setCode(event.currentTarget.value)} />
        <Button type="submit" loading={verify.isPending} disabled={!hasSaved}>Turn on</Button>
      </Stack>
    </form>
  );
}
