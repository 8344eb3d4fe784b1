import type { OverviewReply } from "@assay/contract/dashboard/overview.ts";
import { Group, Progress, SimpleGrid, Text } from "@mantine/core";
import { formatCount } from "../../ui/format.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { Panel } from "../../ui/panel.tsx";

type Window = OverviewReply["limits"]["live"]["hour"];

function WindowBar({ name, window }: { name: string; window: Window }) {
  const share = window.limit === 0 ? 0 : window.remaining / window.limit;
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{name}</Text>
        <Text size="sm" c="dimmed"><strong>{formatCount(window.remaining)}</strong> of {formatCount(window.limit)} left</Text>
      </Group>
      <Progress value={share * 100} color={share < 0.1 ? "red" : "verdigris"} size="sm" mt={6} aria-label={`${name}: calls left`} />
    </div>
  );
}

export function LimitsLeft({ tier, limits }: { tier: string; limits: OverviewReply["limits"] }) {
  return (
    <Panel title="Limits" hint={<>Calls you can still make now on the {tier} tier. <TextLink to="/settings" inherit>Compare tiers</TextLink>.</>}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <WindowBar name="Live, this hour" window={limits.live.hour} />
        <WindowBar name="Live, this minute" window={limits.live.burst} />
        <WindowBar name="Test, this hour" window={limits.test.hour} />
        <WindowBar name="Test, this minute" window={limits.test.burst} />
      </SimpleGrid>
    </Panel>
  );
}
