import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../../api/account.ts";
import { Shown } from "../../ui/states.tsx";
import { EmailPanel } from "./email-panel.tsx";
import { PasswordPanel } from "./password-panel.tsx";
import { SignInsPanel } from "./sign-ins-panel.tsx";
import { TwoFactorPanel } from "./two-factor-panel.tsx";

export function SecurityPart() {
  const me = useQuery(meQuery);
  return (
    <Shown of={me} height={320}>
      {(answer) => (
        <Stack gap="md">
          <TwoFactorPanel isOn={answer.two_factor_enabled} />
          <PasswordPanel />
          <EmailPanel email={answer.account.email} />
          <SignInsPanel />
        </Stack>
      )}
    </Shown>
  );
}
