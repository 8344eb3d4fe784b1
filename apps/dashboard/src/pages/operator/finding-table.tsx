import type { Finding } from "@assay/contract/dashboard/integrity.ts";
import { Button, Table, Text } from "@mantine/core";
import { useState } from "react";
import { closeFinding } from "../../api/operator.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { ScrollBox } from "../../ui/panel.tsx";
import { Time } from "../../ui/time.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { StatusBadge } from "./status-badge.tsx";

function CloseDialog({ finding, onClose }: { finding: Finding; onClose: () => void }) {
  return (
    <ActionDialog
      title="Close finding?"
      confirm="Close finding"
      reason={{ label: "Resolution" }}
      act={(resolution) => closeFinding({ findingId: finding.id, resolution })}
      done="Finding closed."
      onClose={onClose}
    >
      <Text inherit>{finding.detail}</Text>
      <Text inherit>When the account has no open findings, its earnings can be paid out again. If the clicks were not genuine, reverse them first.</Text>
    </ActionDialog>
  );
}

export function FindingTable({ findings }: { findings: readonly Finding[] }) {
  const [closing, setClosing] = useState<Finding>();
  return (
    <>
      <ScrollBox label="Findings">
        <Table verticalSpacing="xs" miw={760}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Opened</Table.Th>
              <Table.Th>Account</Table.Th>
              <Table.Th>Details</Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th><span className="sr-only">Actions</span></Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {findings.map((finding) => (
              <Table.Tr key={finding.id}>
                <Table.Td><Time at={finding.opened_at} /></Table.Td>
                <Table.Td><TextLink to="/operator/accounts/$accountId" params={{ accountId: finding.account_id }} inherit>{finding.email ?? finding.account_id}</TextLink></Table.Td>
                <Table.Td>{finding.detail}<Text size="xs" c="dimmed" ff="monospace">{finding.code}</Text></Table.Td>
                <Table.Td>
                  <StatusBadge status={finding.closed_at === null ? "open" : "closed"} />
                  {finding.resolution !== null && <Text size="xs" c="dimmed">{finding.resolution}</Text>}
                </Table.Td>
                <Table.Td ta="right">{finding.closed_at === null && <Button size="xs" variant="default" onClick={() => setClosing(finding)}>Close</Button>}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
      {closing && <CloseDialog finding={closing} onClose={() => setClosing(undefined)} />}
    </>
  );
}
