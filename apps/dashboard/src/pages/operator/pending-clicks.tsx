import { Button, Checkbox, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type PendingClick, pendingClicksQuery, reverseClicks } from "../../api/operator.ts";
import { formatCountOf, formatExactUsd } from "../../ui/format.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { Panel, ScrollBox } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/states.tsx";
import { sumUsd } from "../../ui/sum-usd.ts";
import { Time } from "../../ui/time.tsx";
import { placementNames, trustBandNames } from "../ads/ad-labels.ts";
import { ActionDialog } from "./action-dialog.tsx";

function ReverseDialog({ clicks, onClose }: { clicks: readonly PendingClick[]; onClose: () => void }) {
  return (
    <ActionDialog
      title={`Reverse ${formatCountOf(clicks.length, "click", "clicks")}?`}
      confirm="Reverse"
      isDangerous
      reason={{ label: "Reason" }}
      act={(reason) => reverseClicks({ offer_ids: clicks.map(({ offer_id }) => offer_id), reason })}
      done={({ outcomes }) => {
        const reversed = outcomes.filter(({ outcome }) => outcome === "reversed").length;
        return reversed === outcomes.length ? `${formatCountOf(reversed, "click", "clicks")} reversed.` : `${reversed} of ${outcomes.length} clicks reversed. The others were settled in the meantime, or are not yours to decide about.`;
      }}
      onClose={onClose}
    >
      <Text inherit>
        The developer loses <strong>{formatExactUsd(sumUsd(clicks.map(({ developer_usd }) => developer_usd)))}</strong>, and advertisers get{" "}
        <strong>{formatExactUsd(sumUsd(clicks.map(({ price_usd }) => price_usd)))}</strong> of their budgets back. Each reversal is a permanent ledger entry.
      </Text>
    </ActionDialog>
  );
}

type Choice = { chosen: ReadonlySet<string>; onChange: (chosen: ReadonlySet<string>) => void };

function ClickTable({ clicks, chosen, onChange }: { clicks: readonly PendingClick[] } & Choice) {
  const isAll = chosen.size === clicks.length;
  const toggle = (offerId: string) => onChange(chosen.has(offerId) ? new Set([...chosen].filter((each) => each !== offerId)) : new Set([...chosen, offerId]));
  return (
    <ScrollBox label="Pending clicks">
      <Table verticalSpacing="xs" miw={760}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th><Checkbox aria-label="Select all" checked={isAll} indeterminate={chosen.size > 0 && !isAll} onChange={() => onChange(isAll ? new Set() : new Set(clicks.map(({ offer_id }) => offer_id)))} /></Table.Th>
            <Table.Th>Time</Table.Th>
            <Table.Th>Campaign</Table.Th>
            <Table.Th>Placement</Table.Th>
            <Table.Th>Trust</Table.Th>
            <Table.Th ta="right">Price</Table.Th>
            <Table.Th ta="right">Developer</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {clicks.map((click) => (
            <Table.Tr key={click.offer_id}>
              <Table.Td><Checkbox aria-label={`Select ${click.offer_id}`} checked={chosen.has(click.offer_id)} onChange={() => toggle(click.offer_id)} /></Table.Td>
              <Table.Td><Time at={click.at} /></Table.Td>
              <Table.Td><TextLink to="/operator/campaigns/$campaignId" params={{ campaignId: click.campaign_id }} inherit>{click.campaign ?? click.campaign_id}</TextLink></Table.Td>
              <Table.Td>{placementNames[click.placement as keyof typeof placementNames] ?? click.placement}</Table.Td>
              <Table.Td>{trustBandNames[click.trust_band as keyof typeof trustBandNames] ?? click.trust_band}</Table.Td>
              <Table.Td ta="right">{formatExactUsd(click.price_usd)}</Table.Td>
              <Table.Td ta="right">{formatExactUsd(click.developer_usd)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

export function PendingClicks({ accountId }: { accountId: string }) {
  const clicks = useQuery(pendingClicksQuery(accountId));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isReversing, setReversing] = useState(false);
  const selected = (clicks.data?.clicks ?? []).filter(({ offer_id }) => chosen.has(offer_id));
  const close = () => {
    setReversing(false);
    setChosen(new Set());
  };
  return (
    <Panel
      title="Pending clicks"
      hint="Paid clicks that can be reversed until they are confirmed. The latest 500 are shown."
      aside={<Button variant="default" disabled={selected.length === 0} onClick={() => setReversing(true)}>Reverse {selected.length > 0 ? selected.length : ""}</Button>}
    >
      <QueryView query={clicks} height={120}>
        {(answer) =>
          answer.clicks.length === 0 ? (
            <Text size="sm" c="dimmed">No pending clicks. A paid click appears here immediately and leaves when its hold period ends.</Text>
          ) : (
            <Stack><ClickTable clicks={answer.clicks} chosen={chosen} onChange={setChosen} /></Stack>
          )
        }
      </QueryView>
      {isReversing && <ReverseDialog clicks={selected} onClose={close} />}
    </Panel>
  );
}
