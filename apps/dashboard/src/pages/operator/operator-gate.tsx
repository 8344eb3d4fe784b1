import { Code, Stack, Text } from "@mantine/core";
import { useSuspenseQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { meQuery } from "../../api/account.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { StepUpPrompt } from "./step-up-prompt.tsx";

/** The operator's pages; before them, where one is needed and missing, the way to a second factor. */
export function OperatorGate() {
  const { data: me } = useSuspenseQuery(meQuery);
  if (!me.second_factor_required) return <><Outlet /><StepUpPrompt /></>;
  return (
    <Page title="Operator" description="These pages move money, so this installation asks operators for a second factor. The pages of your own account work without it.">
      <Panel title="Set up a second factor first">
        <Stack gap="md" align="flex-start">
          <Text size="sm">You need an authenticator app. Once it is set up, the operator's pages open at once.</Text>
          <LinkButton to="/settings" search={{ part: "security" }}>Set it up in Settings</LinkButton>
          <Text size="sm" c="dimmed">
            If you had one and lost it, whoever runs the server removes it with <Code>npm run -s assay -- account reset-second-factor --email {me.account.email}</Code>, and you set up a
            new one. The setting <Code>OPERATOR_SECOND_FACTOR=off</Code> waives the rule for all operators.
          </Text>
        </Stack>
      </Panel>
    </Page>
  );
}
