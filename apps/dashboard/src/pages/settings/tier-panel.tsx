import type { TiersReply } from "@assay/contract/dashboard/settings.ts";
import { Badge, Button, Stack, Table, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { meQuery } from "../../api/account.ts";
import { requestTier, settingsQuery, tiersQuery } from "../../api/settings.ts";
import { formatCount, formatExactUsd } from "../../ui/format.ts";
import { Panel, ScrollBox } from "../../ui/panel.tsx";
import { FormError, QueryView } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";

function TierTable({ tiers, onChoose, isBusy }: { tiers: TiersReply; onChoose: (tier: string) => void; isBusy: boolean }) {
  return (
    <ScrollBox label="Tiers">
      <Table verticalSpacing="sm" miw={620}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Tier</Table.Th>
            <Table.Th ta="right">Calls per hour</Table.Th>
            <Table.Th ta="right">Per minute</Table.Th>
            <Table.Th ta="right">Share</Table.Th>
            <Table.Th ta="right">You earn per call</Table.Th>
            <Table.Th><span className="sr-only">Actions</span></Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tiers.tiers.map((tier) => {
            const isCurrent = tier.name === tiers.current;
            return (
              <Table.Tr key={tier.name}>
                <Table.Td fw={isCurrent ? 650 : 400}>{tier.name}</Table.Td>
                <Table.Td ta="right">{formatCount(tier.per_hour)}</Table.Td>
                <Table.Td ta="right">{formatCount(tier.per_minute)}</Table.Td>
                <Table.Td ta="right">{tier.share_percent}%</Table.Td>
                <Table.Td ta="right">{formatExactUsd(tier.earns_usd_per_call)}</Table.Td>
                <Table.Td ta="right">
                  {isCurrent && <Badge variant="light" className="badge-text">current</Badge>}
                  {!isCurrent && tiers.pending?.tier === tier.name && <Badge variant="light" color="yellow" className="badge-text">requested</Badge>}
                  {!isCurrent && tiers.pending?.tier !== tier.name && <Button size="xs" variant="default" disabled={isBusy} onClick={() => onChoose(tier.name)} aria-label={`Change to ${tier.name}`}>Change</Button>}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

export function TierPanel({ payerExplained }: { payerExplained: string }) {
  const queries = useQueryClient();
  const tiers = useQuery(tiersQuery);
  const change = useMutation({
    mutationFn: requestTier,
    onSuccess: async (reply) => {
      await Promise.all([tiersQuery, settingsQuery, meQuery].map(({ queryKey }) => queries.invalidateQueries({ queryKey })));
      notifications.show({ message: reply.outcome === "applied" ? `You are now on the ${reply.tier} tier.` : `${reply.tier} tier requested.`, color: "verdigris" });
    },
  });
  return (
    <Panel title="Tier" hint={payerExplained}>
      <FormError error={change.error} />
      <QueryView query={tiers} height={160}>
        {(answer) => (
          <Stack gap="sm">
            <TierTable tiers={answer} isBusy={change.isPending} onChoose={(tier) => change.mutate(tier)} />
            {answer.pending && <Text size="sm" c="dimmed">{answer.pending.tier} requested <RelativeTime at={answer.pending.requested_at} />. Waiting for the operator's approval.</Text>}
            <Text size="xs" c="dimmed">{answer.upgrades === "instant" ? "Changes take effect within a second, for new calls." : "Higher tiers need the operator's approval. Lower tiers take effect immediately."}</Text>
          </Stack>
        )}
      </QueryView>
    </Panel>
  );
}
