import type { OperatedAccount } from "@assay/contract/dashboard/operator.ts";
import { Alert, Badge, Button, Group, Paper, Stack, Table, Text, TextInput } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { accountsQuery } from "../../api/operator.ts";
import { formatCountOf, formatExactUsd } from "../../ui/format.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { MoreButton } from "../../ui/more-button.tsx";
import { Page } from "../../ui/page.tsx";
import { ScrollBox } from "../../ui/panel.tsx";
import { EmptyState, QueryView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";

function Search({ value, onSearch }: { value: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(value);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(text.trim());
  };
  return (
    <form onSubmit={submit} role="search">
      <Group gap={6} wrap="nowrap">
        <TextInput aria-label="Search by email or ID" placeholder="Email or ID" maxLength={254} value={text} onChange={(event) => setText(event.currentTarget.value)} />
        <Button type="submit" variant="default">Search</Button>
      </Group>
    </form>
  );
}

function AccountBadges({ account }: { account: OperatedAccount }) {
  return (
    <Group gap={6}>
      {account.operator && <Badge variant="light" color="gray" className="badge-text">operator</Badge>}
      {account.demo && <Badge variant="light" color="gray" className="badge-text">demo</Badge>}
      {!account.verified && <Badge variant="light" color="gray" className="badge-text">unverified</Badge>}
      {account.open_findings > 0 && <Badge variant="light" color="yellow" className="badge-text">{formatCountOf(account.open_findings, "finding", "findings")}</Badge>}
      {account.tier_request !== null && <Badge variant="light" color="yellow" className="badge-text">requested {account.tier_request}</Badge>}
    </Group>
  );
}

function AccountTable({ accounts }: { accounts: readonly OperatedAccount[] }) {
  return (
    <Paper withBorder>
      <ScrollBox label="Accounts">
        <Table verticalSpacing="xs" horizontalSpacing="md" miw={820}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Email</Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th>Tier</Table.Th>
              <Table.Th ta="right">Balance</Table.Th>
              <Table.Th>Created</Table.Th>
              <Table.Th>Notes</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {accounts.map((account) => (
              <Table.Tr key={account.id}>
                <Table.Td><TextLink to="/operator/accounts/$accountId" params={{ accountId: account.id }} inherit>{account.email}</TextLink></Table.Td>
                <Table.Td><StatusBadge status={account.status} /></Table.Td>
                <Table.Td>{account.tier}</Table.Td>
                <Table.Td ta="right">{formatExactUsd(account.balance_usd)}</Table.Td>
                <Table.Td><Time at={account.created_at} /></Table.Td>
                <Table.Td><AccountBadges account={account} /></Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </Paper>
  );
}

/** Links to the accounts with a pending tier request, which is decided on the account's page. */
function TierRequests() {
  const requests = useInfiniteQuery(accountsQuery({ only: "tier_requests" }));
  const accounts = requests.data?.pages.flatMap((page) => page.accounts) ?? [];
  if (accounts.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" title={requests.hasNextPage ? "Many tier requests" : formatCountOf(accounts.length, "tier request", "tier requests")}>
      {accounts.map(({ id, email, tier, tier_request }) => (
        <Text key={id} size="sm"><TextLink to="/operator/accounts/$accountId" params={{ accountId: id }} inherit>{email}</TextLink>: {tier} to {tier_request}</Text>
      ))}
    </Alert>
  );
}

export function AccountsPage() {
  const { search = "" } = useSearch({ from: "/account/operator/accounts" });
  const navigate = useNavigate();
  const accounts = useInfiniteQuery(accountsQuery({ search }));
  return (
    <Page
      title="Accounts"
      description="All accounts. Open one to suspend or resume it, change its tier, or review its pending clicks and findings."
      actions={<Search key={search} value={search} onSearch={(text) => void navigate({ to: "/operator/accounts", search: text === "" ? {} : { search: text }, replace: true })} />}
    >
      <TierRequests />
      <QueryView query={accounts} height={360}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.accounts);
          return (
            <Stack gap="md">
              {all.length > 0 ? <AccountTable accounts={all} /> : <EmptyState title="No matching accounts">Search for any part of the email address, or for the full ID.</EmptyState>}
              <MoreButton query={accounts} isEmpty={all.length === 0} />
            </Stack>
          );
        }}
      </QueryView>
    </Page>
  );
}
