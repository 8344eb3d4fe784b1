import { Paper, Stack, Table, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type AuditAction, auditQuery } from "../../api/operator.ts";
import { Copyable } from "../../ui/copy.tsx";
import { MoreButton } from "../../ui/more-button.tsx";
import { Page } from "../../ui/page.tsx";
import { ScrollBox } from "../../ui/panel.tsx";
import { EmptyState, QueryView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { describeDetail } from "./describe-detail.ts";

const subjectLengthShown = 18;
const shorten = (text: string): string => (text.length > subjectLengthShown ? `${text.slice(0, subjectLengthShown)}…` : text);

function AuditTable({ actions }: { actions: readonly AuditAction[] }) {
  return (
    <Paper withBorder>
      <ScrollBox label="Actions">
        <Table verticalSpacing={6} horizontalSpacing="md" miw={860}>
          <Table.Thead><Table.Tr><Table.Th>Time</Table.Th><Table.Th>Actor</Table.Th><Table.Th>Action</Table.Th><Table.Th>Subject</Table.Th><Table.Th>Details</Table.Th></Table.Tr></Table.Thead>
          <Table.Tbody>
            {actions.map((action) => (
              <Table.Tr key={action.id}>
                <Table.Td><Time at={action.at} /></Table.Td>
                <Table.Td>{action.actor}</Table.Td>
                <Table.Td ff="monospace" className="one-line">{action.action}</Table.Td>
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
  const audit = useInfiniteQuery(auditQuery);
  return (
    <Page title="Audit log" description="Every operator action, from this console and from the command line. Entries cannot be changed or deleted.">
      <QueryView query={audit} height={360}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.actions);
          return (
            <Stack gap="md">
              {all.length > 0 ? <AuditTable actions={all} /> : <EmptyState title="No actions yet">Actions such as funding, payouts, suspensions and campaign changes appear here with their time and actor.</EmptyState>}
              <MoreButton query={audit} isEmpty={all.length === 0} />
            </Stack>
          );
        }}
      </QueryView>
    </Page>
  );
}
