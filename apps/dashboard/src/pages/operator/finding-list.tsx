import type { Finding } from "@assay/contract/dashboard/integrity.ts";
import { Button, Group, Paper, Stack, Table, Text, Title } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Details } from "../../ui/details.tsx";
import { FindingAnswer } from "../../ui/finding-answer.tsx";
import { FindingEvidence } from "../../ui/finding-evidence.tsx";
import { formatCountOf } from "../../ui/format.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { ScrollBox } from "../../ui/panel.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { RelativeTime, Time } from "../../ui/time.tsx";
import { DecideDialog, ReopenDialog } from "./finding-dialogs.tsx";

const AccountLink = ({ finding }: { finding: Finding }) => (
  <TextLink to="/operator/accounts/$accountId" params={{ accountId: finding.account_id }} search={{ part: "integrity" }} inherit>{finding.email ?? finding.account_id}</TextLink>
);

const openerOf = ({ opened_by }: Finding): string => (opened_by === null ? "by a check" : `by ${opened_by}`);

function OpenFinding({ finding, onDecide }: { finding: Finding; onDecide: () => void }) {
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }} component="article" aria-label={finding.title}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="sm">
          <div>
            <Title order={2}>{finding.title}</Title>
            <Text size="sm"><AccountLink finding={finding} /></Text>
            <Text size="sm" c="dimmed">Opened <RelativeTime at={finding.opened_at} /> {openerOf(finding)}</Text>
          </div>
          <Group gap="xs">
            {finding.answer && <StatusBadge status="answered" />}
            <StatusBadge status={finding.overdue ? "overdue" : "open"} />
            <Button size="xs" onClick={onDecide}>Decide</Button>
          </Group>
        </Group>
        <FindingEvidence finding={finding} showSession={(sessionId) => <code>{sessionId}</code>} />
        {finding.answer ? <FindingAnswer answer={finding.answer} by="The account answered" /> : <Text size="sm" c="dimmed">The account has not answered.</Text>}
      </Stack>
    </Paper>
  );
}

function ClosedFindings({ findings, onReopen }: { findings: readonly Finding[]; onReopen: (finding: Finding) => void }) {
  return (
    <ScrollBox label="Closed findings">
      <Table verticalSpacing="xs" miw={760}>
        <Table.Thead>
          <Table.Tr><Table.Th>Closed</Table.Th><Table.Th>Account</Table.Th><Table.Th>Finding</Table.Th><Table.Th>Decision</Table.Th><Table.Th><span className="sr-only">Actions</span></Table.Th></Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {findings.map((finding) => (
            <Table.Tr key={finding.id}>
              <Table.Td>{finding.closed_at !== null && <Time at={finding.closed_at} />}</Table.Td>
              <Table.Td><AccountLink finding={finding} /></Table.Td>
              <Table.Td>{finding.title}<Text size="xs" c="dimmed">{finding.detail}</Text></Table.Td>
              <Table.Td>
                <StatusBadge status={finding.decision ?? "closed"} />
                <Text size="xs" c="dimmed">{[finding.resolution, finding.decided_by].filter((part) => part !== null).join(" · ")}</Text>
              </Table.Td>
              <Table.Td ta="right"><Button size="xs" variant="default" onClick={() => onReopen(finding)}>Reopen</Button></Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

/** Open findings in full, closed ones behind a line. `empty` is shown while none is open. */
export function FindingList({ findings, empty }: { findings: readonly Finding[]; empty: ReactNode }) {
  const [dialog, setDialog] = useState<{ finding: Finding; verb: "decide" | "reopen" }>();
  const open = findings.filter(({ closed_at }) => closed_at === null);
  const closed = findings.filter(({ closed_at }) => closed_at !== null);
  const close = () => setDialog(undefined);
  return (
    <Stack gap="md">
      {open.length === 0 ? empty : open.map((finding) => <OpenFinding key={finding.id} finding={finding} onDecide={() => setDialog({ finding, verb: "decide" })} />)}
      {closed.length > 0 && <Details summary={formatCountOf(closed.length, "closed finding", "closed findings")}><ClosedFindings findings={closed} onReopen={(finding) => setDialog({ finding, verb: "reopen" })} /></Details>}
      {dialog?.verb === "decide" && <DecideDialog finding={dialog.finding} onClose={close} />}
      {dialog?.verb === "reopen" && <ReopenDialog finding={dialog.finding} onClose={close} />}
    </Stack>
  );
}
