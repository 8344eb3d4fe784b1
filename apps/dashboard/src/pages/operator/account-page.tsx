import type { OperatedAccount } from "@assay/contract/dashboard/operator.ts";
import { Button, Group, NativeSelect, SimpleGrid, Stack, Tabs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { meQuery } from "../../api/account.ts";
import { accountQuery, changeTier, decideTierRequest, resumeAccount, suspendAccount } from "../../api/operator.ts";
import { tiersQuery } from "../../api/settings.ts";
import { Copyable } from "../../ui/copy.tsx";
import { formatCount, formatExactUsd } from "../../ui/format.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Stat } from "../../ui/stat.tsx";
import { Loading, QueryView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { CorrectionsPanel } from "./corrections-panel.tsx";
import { HoldsPanel } from "./holds-panel.tsx";
import { PayeePanel } from "./payee-panels.tsx";
import { PendingClicks } from "./pending-clicks.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";

type Close = { onClose: () => void };

function SuspendDialog({ account, onClose }: { account: OperatedAccount } & Close) {
  return (
    <ActionDialog
      title={`Suspend ${account.email}?`}
      confirm="Suspend"
      isDangerous
      reason={{ label: "Reason" }}
      act={(reason) => suspendAccount({ accountId: account.id, reason })}
      done="Account suspended."
      onClose={onClose}
    >
      <Text inherit>All its keys are rejected within a second, its clicks are no longer paid, and its dashboard becomes read-only.</Text>
      <Text inherit>It keeps its balance of {formatExactUsd(account.balance_usd)}, which is not paid out while the account is suspended. You can resume the account at any time.</Text>
    </ActionDialog>
  );
}

function ResumeDialog({ account, onClose }: { account: OperatedAccount } & Close) {
  return (
    <ActionDialog
      title={`Resume ${account.email}?`}
      confirm="Resume"
      reason={{ label: "Reason" }}
      act={(reason) => resumeAccount({ accountId: account.id, reason })}
      done="Account resumed."
      onClose={onClose}
    >
      <Text inherit>Its keys work again within a second, and its earnings can be paid out again.</Text>
    </ActionDialog>
  );
}

function TierDialog({ account, onClose }: { account: OperatedAccount } & Close) {
  const tiers = useQuery(tiersQuery);
  const [tier, setTier] = useState(account.tier);
  const chosen = tiers.data?.tiers.find(({ name }) => name === tier);
  return (
    <ActionDialog title="Change tier" confirm="Change" act={() => changeTier({ accountId: account.id, tier })} done={`Tier changed to ${tier}.`} onClose={onClose}>
      <NativeSelect label="Tier" data={(tiers.data?.tiers ?? []).map(({ name }) => name)} value={tier} onChange={(event) => setTier(event.currentTarget.value)} data-autofocus />
      {chosen && (
        <Text inherit>
          From now on: {formatCount(chosen.per_hour)} calls per hour, {formatCount(chosen.per_minute)} per minute, a share of {chosen.share_percent}%. Past earnings do not change.
        </Text>
      )}
    </ActionDialog>
  );
}

function TierRequestDialog({ account, approve, onClose }: { account: OperatedAccount; approve: boolean } & Close) {
  const requestId = account.tier_request_id ?? "";
  return (
    <ActionDialog
      title={approve ? `Approve ${account.tier_request}?` : `Decline ${account.tier_request}?`}
      confirm={approve ? "Approve" : "Decline"}
      isDangerous={!approve}
      act={() => decideTierRequest({ requestId, approve })}
      done={approve ? `Tier changed to ${account.tier_request}.` : "Request declined."}
      onClose={onClose}
    >
      <Text inherit>{approve ? `${account.email} moves from ${account.tier} to ${account.tier_request}. The new limits and share apply to calls made from now on.` : `${account.email} stays on ${account.tier} and can request a tier again.`}</Text>
    </ActionDialog>
  );
}

type DialogName = "suspend" | "resume" | "tier" | "approve" | "decline";

const dialogOf = (name: DialogName, account: OperatedAccount, onClose: () => void): ReactNode =>
  ({
    suspend: <SuspendDialog account={account} onClose={onClose} />,
    resume: <ResumeDialog account={account} onClose={onClose} />,
    tier: <TierDialog account={account} onClose={onClose} />,
    approve: <TierRequestDialog account={account} approve onClose={onClose} />,
    decline: <TierRequestDialog account={account} approve={false} onClose={onClose} />,
  })[name];

function TierRequest({ account, onOpen }: { account: OperatedAccount; onOpen: (name: DialogName) => void }) {
  if (account.tier_request === null) return null;
  return (
    <Panel title={`Requested tier: ${account.tier_request}`}>
      <Group gap="xs">
        <Button onClick={() => onOpen("approve")}>Approve</Button>
        <Button variant="default" onClick={() => onOpen("decline")}>Decline</Button>
      </Group>
    </Panel>
  );
}

const IntegrityTab = lazy(async () => ({ default: (await import("./integrity/integrity-tab.tsx")).IntegrityTab }));

function Parts({ account, isOwn }: { account: OperatedAccount; isOwn: boolean }) {
  const { part } = useSearch({ from: "/account/operator/accounts/$accountId" });
  const navigate = useNavigate();
  const choose = (chosen: string | null) =>
    void navigate({ to: "/operator/accounts/$accountId", params: { accountId: account.id }, search: chosen === "integrity" ? { part: chosen } : {}, replace: true, resetScroll: false });
  return (
    <Tabs value={part === "integrity" ? "integrity" : "money"} onChange={choose} keepMounted={false}>
      <Tabs.List mb="lg"><Tabs.Tab value="money">Money</Tabs.Tab><Tabs.Tab value="integrity">Integrity</Tabs.Tab></Tabs.List>
      <Tabs.Panel value="money">
        <Stack gap="lg">
          <PayeePanel accountId={account.id} />
          <CorrectionsPanel accountId={account.id} />
          <PendingClicks accountId={account.id} />
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="integrity"><Suspense fallback={<Loading height={320} />}><IntegrityTab accountId={account.id} email={account.email} isOwn={isOwn} /></Suspense></Tabs.Panel>
    </Tabs>
  );
}

function Account({ account }: { account: OperatedAccount }) {
  const me = useQuery(meQuery);
  const [dialog, setDialog] = useState<DialogName>();
  const isOwn = me.data?.account.id === account.id;
  return (
    <Page
      title={account.email}
      description={<TextLink to="/operator/accounts" inherit>All accounts</TextLink>}
      actions={
        <Group gap="xs">
          <Button variant="default" onClick={() => setDialog("tier")} disabled={account.status === "closed"}>Change tier</Button>
          {account.status === "active" && <Button color="red" onClick={() => setDialog("suspend")} disabled={isOwn} title={isOwn ? "You cannot suspend your own account" : undefined}>Suspend</Button>}
          {account.status === "suspended" && <Button onClick={() => setDialog("resume")}>Resume</Button>}
        </Group>
      }
    >
      <TierRequest account={account} onOpen={setDialog} />
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
        <Stat label="Status" value={<StatusBadge status={account.status} />} hint={account.verified ? "email verified" : "email not verified"} />
        <Stat label="Balance" value={formatExactUsd(account.balance_usd)} hint="earned and not paid out, and deposits" />
        <Stat label="Tier" value={account.tier} hint={<>account since <Time at={account.created_at} /></>} />
      </SimpleGrid>
      <Copyable text={account.id} label="Copy account ID" />
      <HoldsPanel accountId={account.id} isOwn={isOwn} />
      <Parts account={account} isOwn={isOwn} />
      {dialog && dialogOf(dialog, account, () => setDialog(undefined))}
    </Page>
  );
}

export function AccountPage() {
  const { accountId } = useParams({ from: "/account/operator/accounts/$accountId" });
  const account = useQuery(accountQuery(accountId));
  return <Stack><QueryView query={account} height={420}>{(answer) => <Account account={answer} />}</QueryView></Stack>;
}
