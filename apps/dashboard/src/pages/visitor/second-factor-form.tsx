import { Anchor, Button, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { verifyCode, verifyRecoveryCode } from "../../api/account.ts";
import { FormError } from "../../ui/states.tsx";

export function SecondFactorForm({ onDone }: { onDone: () => Promise<void> }) {
  const [isRecovery, setIsRecovery] = useState(false);
  const [code, setCode] = useState("");
  const send = useMutation({ mutationFn: isRecovery ? verifyRecoveryCode : verifyCode, onSuccess: onDone });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate(code.trim());
  };
  const change = () => {
    setIsRecovery(!isRecovery);
    setCode("");
    send.reset();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <FormError error={send.error} />
        <TextInput
          key={String(isRecovery)}
          label={isRecovery ? "Recovery code" : "Code from your authenticator app"}
          description={isRecovery ? "Each code works once." : "Six digits. Changes every 30 seconds."}
          autoComplete="one-time-code"
          {...(!isRecovery && { inputMode: "numeric" as const })}
          required
          autoFocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" loading={send.isPending} fullWidth>Continue</Button>
        <Anchor component="button" type="button" size="sm" onClick={change}>
          {isRecovery ? "Use your authenticator app instead" : "Lost your device? Use a recovery code"}
        </Anchor>
      </Stack>
    </form>
  );
}
