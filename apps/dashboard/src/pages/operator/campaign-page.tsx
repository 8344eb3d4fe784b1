import type { Campaign, CampaignReply, ServingReply } from "@assay/contract/dashboard/campaigns.ts";
import { Alert, Button, Group, NativeSelect, SimpleGrid, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { campaignQuery, campaignReportQuery, moveCampaign } from "../../api/campaigns.ts";
import { formatCount, formatCountOf, formatExactUsd, formatUtcTime } from "../../ui/format.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { parseRange, timeRanges, rangeStart } from "../../ui/time-range.ts";
import { Stat } from "../../ui/stat.tsx";
import { QueryView } from "../../ui/states.tsx";
import { explainIgnored, placementNames } from "../ads/ad-labels.ts";
import { formatInterval, formatRate, Reasons, ReportChart, ReportTables } from "../ads/report-parts.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { EditCampaignDialog } from "./campaign-dialog.tsx";
import { ConversionsPanel } from "./conversions-panel.tsx";
import { CreativesPanel } from "./creatives-panel.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";

type Move = "active" | "paused" | "ended";

const movesOf: Record<Campaign["status"], readonly Move[]> = { draft: ["active", "ended"], active: ["paused", "ended"], paused: ["active", "ended"], ended: [] };
const moveNames = (status: Campaign["status"]): Record<Move, string> => ({ active: status === "paused" ? "Resume" : "Activate", paused: "Pause", ended: "End" });
const consequences: Record<Move, string> = {
  active: "It enters auctions within two seconds if its dates, budget and creatives allow. Valid clicks are charged to its budget.",
  paused: "It stops entering auctions. Clicks on ads that were already offered are not paid while it is paused. You can resume it at any time.",
  ended: "It stops serving permanently: an ended campaign cannot be resumed. Clicks on ads that were already offered are not paid.",
};

function MoveDialog({ campaign, to, onClose }: { campaign: Campaign; to: Move; onClose: () => void }) {
  const name = moveNames(campaign.status)[to];
  return (
    <ActionDialog title={`${name} ${campaign.name}?`} confirm={name} isDangerous={to === "ended"} act={() => moveCampaign({ campaignId: campaign.id, status: to })} done={`The campaign is now ${to}.`} onClose={onClose}>
      <Text inherit>{consequences[to]}</Text>
    </ActionDialog>
  );
}

function ServingNote({ serving, status }: { serving: ServingReply; status: Campaign["status"] }) {
  if (serving.reasons.length === 0) return <Alert color="verdigris" variant="light" title="Serving">Nothing limits this campaign.</Alert>;
  return (
    <Alert color={serving.serving ? "gray" : "yellow"} variant="light" title={serving.serving ? "Serving is limited" : status === "ended" ? "Ended" : "Not serving"}>
      <ul className="reason-list">{serving.reasons.map(({ code, message }) => <li key={code}>{message}</li>)}</ul>
    </Alert>
  );
}

function Terms({ campaign }: { campaign: Campaign }) {
  const terms = [
    ["Runs", `${formatUtcTime(campaign.starts)} ${campaign.ends === null ? "until the budget is spent" : `to ${formatUtcTime(campaign.ends)}`}`],
    ["Daily limit", campaign.daily_budget_usd === null ? "no limit" : formatExactUsd(campaign.daily_budget_usd)],
    ["Placements", campaign.placements.length === 0 ? "all" : campaign.placements.map((placement) => placementNames[placement]).join(", ")],
    ["Categories", campaign.categories.length === 0 ? "all" : campaign.categories.join(", ")],
    ["Minimum trust", campaign.min_trust === 0 ? "none" : `${campaign.min_trust}, verified sessions only`],
    ["Attestation", campaign.min_attestation === null ? "any session" : "attested sessions only"],
    ["Pacing", campaign.pacing === "even" ? "evenly over the day" : "as fast as possible"],
  ];
  return (
    <Stack gap={6}>
      {terms.map(([name, value]) => <Group key={name} gap="sm" wrap="nowrap" align="baseline"><Text size="sm" c="dimmed" w={110} flex="none">{name}</Text><Text size="sm">{value}</Text></Group>)}
    </Stack>
  );
}

function Figures({ campaign }: { campaign: Campaign }) {
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      <Stat label="Spent" value={formatExactUsd(campaign.spend_usd)} hint={campaign.house ? "house ads pay nothing" : `of ${formatExactUsd(campaign.budget_usd)}`} />
      <Stat label="Bid per click" value={formatExactUsd(campaign.bid_usd)} />
      <Stat label="Impressions" value={formatCount(campaign.impressions)} hint={`${formatCountOf(campaign.fills, "ad", "ads")} offered`} />
      <Stat label="Click rate" value={formatRate(campaign.ctr)} hint={`${formatCountOf(campaign.valid_clicks, "paid click", "paid clicks")}; ${formatInterval(campaign.ctr)}`} />
    </SimpleGrid>
  );
}

function Report({ campaignId, hasTokens }: { campaignId: string; hasTokens: boolean }) {
  const [days, setDays] = useState(parseRange(undefined, "30"));
  const from = rangeStart(days, Date.now());
  const report = useQuery(campaignReportQuery(campaignId, { from, by: days === "1" ? "hour" : "day" }));
  return (
    <Stack gap="md">
      <Group justify="flex-end"><NativeSelect aria-label="Time range" data={[...timeRanges]} value={days} onChange={(event) => setDays(parseRange(event.currentTarget.value, "30"))} /></Group>
      <QueryView query={report} height={320}>
        {(answer) => (
          <Stack gap="md">
            <ReportChart report={answer} side="advertiser" />
            <Panel title="Ignored clicks"><Reasons counts={answer.totals.ignored_clicks} explain={explainIgnored} none="None in this period." /></Panel>
            <ReportTables report={answer} side="advertiser" />
          </Stack>
        )}
      </QueryView>
      {hasTokens && <ConversionsPanel campaignId={campaignId} from={from} />}
    </Stack>
  );
}

function CampaignView({ detail: { campaign, creatives, serving } }: { detail: CampaignReply }) {
  const [move, setMove] = useState<Move>();
  const [isEditing, editing] = useDisclosure(false);
  const names = moveNames(campaign.status);
  const isOver = campaign.status === "ended";
  return (
    <Page
      title={campaign.name}
      description={<>{campaign.advertiser.name} · <TextLink to="/operator/campaigns" inherit>All campaigns</TextLink></>}
      actions={
        <Group gap="xs">
          <StatusBadge status={campaign.status} />
          {!isOver && !campaign.house && <Button variant="default" onClick={editing.open}>Edit</Button>}
          {movesOf[campaign.status].map((to) => <Button key={to} {...(to === "ended" ? { color: "red" } : to === "paused" ? { variant: "default" } : {})} onClick={() => setMove(to)}>{names[to]}</Button>)}
        </Group>
      }
    >
      <ServingNote serving={serving} status={campaign.status} />
      <Figures campaign={campaign} />
      <Panel title="Terms"><Terms campaign={campaign} /></Panel>
      <CreativesPanel campaignId={campaign.id} creatives={creatives} canAdd={!isOver} />
      <Report campaignId={campaign.id} hasTokens={!campaign.house} />
      {move && <MoveDialog campaign={campaign} to={move} onClose={() => setMove(undefined)} />}
      {isEditing && <EditCampaignDialog campaign={campaign} onClose={editing.close} />}
    </Page>
  );
}

export function CampaignPage() {
  const { campaignId } = useParams({ from: "/account/operator/campaigns/$campaignId" });
  const campaign = useQuery(campaignQuery(campaignId));
  return <QueryView query={campaign} height={420}>{(answer) => <CampaignView detail={answer} />}</QueryView>;
}
