import type { AuditReply } from "@assay/contract/dashboard/operator.ts";
import { Button, Group, Paper, Stack, Table, Text, TextInput } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { type AuditAction, auditCsvUrl, auditQuery } from "../../api/operator.ts";
import { Copyable } from "../../ui/copy.tsx";
import { formatCountOf } from "../../ui/format.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { MoreButton } from "../../ui/more-button.tsx";
import { Page } from "../../ui/page.tsx";
import { ScrollBox } from "../../ui/panel.tsx";
import { EmptyState, QueryView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { describeDetail } from "./describe-detail.ts";

const subjectLengthShown = 18;
const hashLengthShown = 12;
const shorten = (text: string, length = subjectLengthShown): string => (text.length > length ? `${text.slice(0, length)}…` : text);

type Filters = { actor?: string; action?: string; account?: string };

const fields = [
  { name: "actor", label: "Actor", placeholder: "Email, ID or command line", maxLength: 254 },
  { name: "action", label: "Action", placeholder: "payout. or account.tier", maxLength: 60 },
  { name: "account", label: "Account", placeholder: "Email or ID", maxLength: 254 },
] as const;

function FilterForm({ filters, onFilter }: { filters: Filters; onFilter: (filters: Filters) => void }) {
  const [texts, setTexts] = useState(filters);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = fields.map(({ name }) => [name, texts[name]?.trim() ?? ""] as const).filter(([, text]) => text !== "");
    onFilter(Object.fromEntries(given));
  };
  return (
    <Paper withBorder p="sm">
      <form onSubmit={submit} role="search" aria-label="Filter the audit log">
        <Group gap="sm" align="flex-end">
          {fields.map(({ name, ...field }) => (
            <TextInput key={name} {...field} value={texts[name] ?? ""} onChange={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })} />
          ))}
          <Button type="submit" variant="default">Filter</Button>
          {Object.keys(filters).length > 0 && <Button variant="subtle" color="gray" onClick={() => onFilter({})}>Clear</Button>}
        </Group>
      </form>
    </Paper>
  );
}

/** What an operator writes down to prove later that nothing up to here was rewritten. */
function ChainState({ chain }: { chain: AuditReply["chain"] }) {
  return (
    <Paper withBorder p="sm" component="section" aria-label="Chain">
      <Group gap="sm">
        <Text size="sm">{formatCountOf(chain.seq, "chained entry", "chained entries")}. Hash of the last one:</Text>
        <Copyable text={`${chain.seq}.${chain.hash}`} shown={`${chain.seq}.${shorten(chain.hash, hashLengthShown)}`} label="Copy the last hash" />
        {chain.unchained > 0 && <Text size="sm">{formatCountOf(chain.unchained, "entry is", "entries are")} not chained yet: the next start does it.</Text>}
      </Group>
      <Text size="sm" c="dimmed">Keep a copy elsewhere. The command ledger verify recomputes the chain and prints this hash again.</Text>
    </Paper>
  );
}

function AuditTable({ actions }: { actions: readonly AuditAction[] }) {
  return (
    <Paper withBorder>
      <ScrollBox label="Actions">
        <Table verticalSpacing={6} horizontalSpacing="md" miw={1_040}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th ta="right">No.</Table.Th>
              <Table.Th>Time</Table.Th>
              <Table.Th>Actor</Table.Th>
              <Table.Th>Action</Table.Th>
              <Table.Th>Account</Table.Th>
              <Table.Th>Subject</Table.Th>
              <Table.Th>Details</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {actions.map((action) => (
              <Table.Tr key={action.id}>
                <Table.Td ta="right">{action.seq ?? "–"}</Table.Td>
                <Table.Td><Time at={action.at} /></Table.Td>
                <Table.Td>{action.actor}</Table.Td>
                <Table.Td ff="monospace" className="one-line">{action.action}</Table.Td>
                <Table.Td>
                  {action.account_id === null ? "–" : <TextLink to="/operator/accounts/$accountId" params={{ accountId: action.account_id }} inherit>{action.account}</TextLink>}
                </Table.Td>
                <Table.Td><Copyable text={action.subject} shown={shorten(action.subject)} label="Copy ID" /></Table.Td>
                <Table.Td><Text size="sm" c="dimmed">{describeDetail(action.detail)}</Text></Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </Paper>
  );
}

export function AuditPage() {
  const filters: Filters = useSearch({ from: "/account/operator/audit" });
  const navigate = useNavigate();
  const audit = useInfiniteQuery(auditQuery(filters));
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title="Audit log"
      description="Every change of money, tier, status, key or setting, from the console and from the command line. Entries cannot be changed or deleted."
      actions={<Button component="a" href={auditCsvUrl(filters)} download variant="default" leftSection={<IconDownload size={16} />}>Export CSV</Button>}
    >
      <FilterForm key={JSON.stringify(filters)} filters={filters} onFilter={(search) => void navigate({ to: "/operator/audit", search, replace: true })} />
      <QueryView query={audit} height={360}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.actions);
          return (
            <Stack gap="md">
              <ChainState chain={pages[0]!.chain} />
              {all.length > 0 && <AuditTable actions={all} />}
              {all.length === 0 && isFiltered && <EmptyState title="No matching entries">An action matches as a whole, or up to its dot: payout. finds payout.paid.</EmptyState>}
              {all.length === 0 && !isFiltered && <EmptyState title="No entries yet">Changes such as funding, payouts, suspensions, keys and settings appear here with their time and actor.</EmptyState>}
              <MoreButton query={audit} isEmpty={all.length === 0} />
            </Stack>
          );
        }}
      </QueryView>
    </Page>
  );
}
