import type { SettingsReply } from "@assay/contract/dashboard/settings.ts";
import { Alert, Button, Group, Stack, Switch, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { changeSettings, settingsQuery } from "../../api/settings.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { FormError, QueryView } from "../../ui/states.tsx";
import { RelativeTime, Time } from "../../ui/time.tsx";
import { TierPanel } from "./tier-panel.tsx";

function useChangeSettings() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: changeSettings,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: settingsQuery.queryKey });
      notifications.show({ message: "Settings saved.", color: "verdigris" });
    },
  });
}

function HouseAds({ settings }: { settings: SettingsReply }) {
  const change = useChangeSettings();
  return (
    <Panel title="House ads" hint="When no paid campaign matches, one of the operator's own ads is shown. House ads earn nothing. When this is off, such requests return no ad.">
      <FormError error={change.error} />
      <Switch label="Show house ads" checked={settings.house_ads} disabled={change.isPending} onChange={(event) => change.mutate({ house_ads: event.currentTarget.checked })} />
    </Panel>
  );
}

function Retention({ settings }: { settings: SettingsReply }) {
  const [days, setDays] = useState(String(settings.session_retention_days));
  const change = useChangeSettings();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ session_retention_days: Number(days) });
  };
  return (
    <Panel title="Data retention" hint="Session records are deleted after this time. The ledger is kept; it holds no personal data.">
      <form onSubmit={submit}>
        <Stack gap="sm" align="flex-start">
          <FormError error={change.error} />
          <TextInput
            label="Days"
            description={`At most ${settings.session_retention_days_max}, set by the operator.`}
            type="number"
            min={1}
            max={settings.session_retention_days_max}
            step={1}
            required
            value={days}
            onChange={(event) => setDays(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={change.isPending} disabled={Number(days) === settings.session_retention_days}>Save</Button>
        </Stack>
      </form>
    </Panel>
  );
}

function BrowserWarning({ keys }: { keys: SettingsReply["keys_seen_in_browser"] }) {
  if (keys.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle />} title="Live keys were used in a browser">
      {keys.map(({ key_id, name, seen_at }) => <Text key={key_id} size="sm">{name}, <RelativeTime at={seen_at} /></Text>)}
      <Text size="sm">Anyone who opens that page can read the key. <TextLink to="/keys" inherit>Rotate it</TextLink> and call the API from your server.</Text>
    </Alert>
  );
}

export function AccountTab() {
  const settings = useQuery(settingsQuery);
  return (
    <QueryView query={settings} height={320}>
      {(answer) => (
        <Stack gap="md">
          <BrowserWarning keys={answer.keys_seen_in_browser} />
          <Group gap="lg">
            <Text size="sm">{answer.email}</Text>
            <Text size="sm" c="dimmed">Account since <Time at={answer.created_at} /></Text>
          </Group>
          <TierPanel payerExplained={answer.payer_explained} />
          <HouseAds settings={answer} />
          <Retention settings={answer} />
        </Stack>
      )}
    </QueryView>
  );
}
