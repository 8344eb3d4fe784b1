import type { Campaign } from "@assay/contract/dashboard/campaigns.ts";
import { Badge, Button, Code, Group, Paper, Stack, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { campaignsQuery, servingQuery } from "../../api/campaigns.ts";
import { formatCount, formatExactUsd } from "../../ui/format.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { MoreButton } from "../../ui/more-button.tsx";
import { Page } from "../../ui/page.tsx";
import { ScrollBox } from "../../ui/panel.tsx";
import { EmptyState, QueryView } from "../../ui/states.tsx";
import { formatInterval, formatRate } from "../ads/report-parts.tsx";
import { CampaignDialog } from "./campaign-dialog.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";

/** Why an active campaign does not serve. */
function Serving({ campaignId }: { campaignId: string }) {
  const serving = useQuery(servingQuery(campaignId));
  const [first] = serving.data?.reasons ?? [];
  if (!first) return null;
  return <Text size="xs" c={serving.data?.serving ? "dimmed" : "var(--medium)"} maw={360}>{first.message}</Text>;
}

function CampaignRow({ campaign }: { campaign: Campaign }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap={6} wrap="nowrap">
          <TextLink to="/operator/campaigns/$campaignId" params={{ campaignId: campaign.id }} inherit>{campaign.name}</TextLink>
          {campaign.house && <Badge variant="light" color="gray" className="badge-text">house</Badge>}
        </Group>
        <Text size="xs" c="dimmed">{campaign.advertiser.name}</Text>
      </Table.Td>
      <Table.Td>
        <StatusBadge status={campaign.status} />
        {campaign.status === "active" && <Serving campaignId={campaign.id} />}
      </Table.Td>
      <Table.Td ta="right">{campaign.house ? "–" : formatExactUsd(campaign.bid_usd)}</Table.Td>
      <Table.Td ta="right">
        {campaign.house ? "–" : formatExactUsd(campaign.spend_usd)}
        {!campaign.house && <Text size="xs" c="dimmed">of {formatExactUsd(campaign.budget_usd)}</Text>}
      </Table.Td>
      <Table.Td ta="right">{formatCount(campaign.impressions)}</Table.Td>
      <Table.Td ta="right">{formatCount(campaign.valid_clicks)}<Text size="xs" c="dimmed" title={formatInterval(campaign.ctr)}>{formatRate(campaign.ctr)}</Text></Table.Td>
    </Table.Tr>
  );
}

function CampaignTable({ campaigns }: { campaigns: readonly Campaign[] }) {
  return (
    <Paper withBorder>
      <ScrollBox label="Campaigns">
        <Table verticalSpacing="xs" horizontalSpacing="md" miw={820}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Campaign</Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th ta="right">Bid</Table.Th>
              <Table.Th ta="right">Spent</Table.Th>
              <Table.Th ta="right">Impressions</Table.Th>
              <Table.Th ta="right">Clicks</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>{campaigns.map((campaign) => <CampaignRow key={campaign.id} campaign={campaign} />)}</Table.Tbody>
        </Table>
      </ScrollBox>
    </Paper>
  );
}

export function CampaignsPage() {
  const campaigns = useInfiniteQuery(campaignsQuery);
  const [isCreating, creating] = useDisclosure(false);
  const create = <Button leftSection={<IconPlus size={16} />} onClick={creating.open}>Create campaign</Button>;
  return (
    <Page title="Campaigns" description={<>Paid campaigns, and the house ads that fill the remaining requests. To import campaigns from a file, use <Code>assay campaign import</Code>.</>} actions={create}>
      <QueryView query={campaigns} height={360}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.campaigns);
          const paying = all.filter(({ house }) => !house);
          return (
            <Stack gap="md">
              {paying.length === 0 && <EmptyState title="No paid campaigns yet" action={create}>Until you create one, house ads fill every request and nobody earns anything. A campaign needs a budget, a bid per click and an approved creative.</EmptyState>}
              {all.length > 0 && <CampaignTable campaigns={[...paying, ...all.filter(({ house }) => house)]} />}
              <MoreButton query={campaigns} isEmpty={all.length === 0} />
            </Stack>
          );
        }}
      </QueryView>
      {isCreating && <CampaignDialog onClose={creating.close} />}
    </Page>
  );
}
