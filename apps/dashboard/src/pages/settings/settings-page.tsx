import { Alert, Tabs } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Page } from "../../ui/page.tsx";
import { AccountTab } from "./account-tab.tsx";
import { CloseAccountTab } from "./close-account-tab.tsx";
import { ModelTab } from "./model-tab.tsx";
import { NoticesTab } from "./notices-tab.tsx";
import { PayoutTab } from "./payout-tab.tsx";
import { SecurityTab } from "./security-tab.tsx";

const tabs = [
  { name: "account", label: "Account", Tab: AccountTab },
  { name: "model", label: "Model", Tab: ModelTab },
  { name: "payout", label: "Payout", Tab: PayoutTab },
  { name: "security", label: "Security", Tab: SecurityTab },
  { name: "notices", label: "Notices by mail", Tab: NoticesTab },
  { name: "closing", label: "Close account", Tab: CloseAccountTab },
] as const;

function EmailChangeNotice({ email }: { email: string | undefined }) {
  if (email === "changed") return <Alert color="verdigris" variant="light" role="status">Email address changed. Use it to sign in from now on.</Alert>;
  return null;
}

export function SettingsPage() {
  const { part, email } = useSearch({ from: "/account/settings" });
  const navigate = useNavigate();
  const chosen = tabs.find(({ name }) => name === part) ?? (email === undefined ? tabs[0] : tabs[3]);
  return (
    <Page title="Settings">
      <EmailChangeNotice email={email} />
      <Tabs value={chosen.name} onChange={(name) => void navigate({ to: "/settings", search: { part: name ?? "account" }, replace: true })} keepMounted={false}>
        <Tabs.List mb="lg">
          {tabs.map(({ name, label }) => <Tabs.Tab key={name} value={name}>{label}</Tabs.Tab>)}
        </Tabs.List>
        {tabs.map(({ name, Tab }) => <Tabs.Panel key={name} value={name}><Tab /></Tabs.Panel>)}
      </Tabs>
    </Page>
  );
}
