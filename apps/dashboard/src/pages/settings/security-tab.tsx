import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../../api/account.ts";
import { QueryView } from "../../ui/states.tsx";
import { EmailPanel } from "./email-panel.tsx";
import { PasswordPanel } from "./password-panel.tsx";
import { SignInsPanel } from "./sign-ins-panel.tsx";
import { TwoFactorPanel } from "./two-factor-panel.tsx";

export function SecurityTab() {
  const me = useQuery(meQuery);
  return (
    <QueryView query={me} height={320}>
      {(answer) => (
        <Stack gap="md">
          <TwoFactorPanel isOn={answer.two_factor_enabled} />
          <PasswordPanel />
          <EmailPanel email={answer.account.email} />
          <SignInsPanel />
        </Stack>
      )}
    </QueryView>
  );
}
