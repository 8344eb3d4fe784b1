import { Alert, Tabs } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Page } from "../../ui/page.tsx";
import { AccountPart } from "./account-part.tsx";
import { ClosingPart } from "./closing-part.tsx";
import { PayoutPart } from "./payout-part.tsx";
import { SecurityPart } from "./security-part.tsx";

const parts = [
  { name: "account", label: "Account", Part: AccountPart },
  { name: "payout", label: "Payout", Part: PayoutPart },
  { name: "security", label: "Security", Part: SecurityPart },
  { name: "closing", label: "Close account", Part: ClosingPart },
] as const;

function EmailNews({ email }: { email: string | undefined }) {
  if (email === "changed") return <Alert color="verdigris" variant="light" role="status">Email address changed. Use it to sign in from now on.</Alert>;
  if (email === "expired") return <Alert color="yellow" variant="light" role="status">This link has expired or was already used. Request the change again.</Alert>;
  return null;
}

export function SettingsPage() {
  const { part, email } = useSearch({ from: "/account/settings" });
  const navigate = useNavigate();
  const chosen = parts.find(({ name }) => name === part) ?? (email === undefined ? parts[0] : parts[2]);
  return (
    <Page title="Settings">
      <EmailNews email={email} />
      <Tabs value={chosen.name} onChange={(name) => void navigate({ to: "/settings", search: { part: name ?? "account" }, replace: true })} keepMounted={false}>
        <Tabs.List mb="lg">
          {parts.map(({ name, label }) => <Tabs.Tab key={name} value={name}>{label}</Tabs.Tab>)}
        </Tabs.List>
        {parts.map(({ name, Part }) => <Tabs.Panel key={name} value={name}><Part /></Tabs.Panel>)}
      </Tabs>
    </Page>
  );
}
