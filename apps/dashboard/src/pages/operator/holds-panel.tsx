import type { Hold } from "@assay/contract/dashboard/operator.ts";
import { Button, Group, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { holdMoney, holdsQuery, liftHold } from "../../api/operator.ts";
import { Panel, ScrollBox } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";

function HoldDialog({ accountId, onClose }: { accountId: string; onClose: () => void }) {
  return (
    <ActionDialog title="Hold its money?" confirm="Hold" isDangerous reason={{ label: "Reason" }} act={(reason) => holdMoney({ accountId, reason })} done="The account's money is held." onClose={onClose}>
      <Text inherit>Nothing is confirmed or paid out until an operator lifts the hold. Closing the account does not lift it. Its keys go on working.</Text>
      <Text inherit>The account gets a mail with your reason.</Text>
    </ActionDialog>
  );
}

function LiftDialog({ accountId, onClose }: { accountId: string; onClose: () => void }) {
  return (
    <ActionDialog title="Lift the hold?" confirm="Lift" reason={{ label: "Reason" }} act={(reason) => liftHold({ accountId, reason })} done="The hold was lifted." onClose={onClose}>
      <Text inherit>What has waited becomes payable again, unless something else keeps it back. The account gets a mail with your reason.</Text>
    </ActionDialog>
  );
}

function HoldTable({ holds }: { holds: readonly Hold[] }) {
  return (
    <ScrollBox label="Holds">
      <Table verticalSpacing="xs" miw={640}>
        <Table.Thead><Table.Tr><Table.Th>Since</Table.Th><Table.Th>By</Table.Th><Table.Th>Reason</Table.Th><Table.Th>Status</Table.Th></Table.Tr></Table.Thead>
        <Table.Tbody>
          {holds.map((hold) => (
            <Table.Tr key={hold.id}>
              <Table.Td><Time at={hold.opened_at} /></Table.Td>
              <Table.Td>{hold.opened_by}{hold.kind === "suspension" && <Text size="xs" c="dimmed">by suspending the account</Text>}</Table.Td>
              <Table.Td>{hold.reason}</Table.Td>
              <Table.Td>
                <StatusBadge status={hold.lifted_at === null ? "open" : "lifted"} />
                {hold.lifted_at !== null && <Text size="xs" c="dimmed">{hold.lift_reason} · {hold.lifted_by}, <Time at={hold.lifted_at} /></Text>}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

/** `isOwn`: an operator decides nothing about its own money. */
export function HoldsPanel({ accountId, isOwn }: { accountId: string; isOwn: boolean }) {
  const holds = useQuery(holdsQuery(accountId));
  const [dialog, setDialog] = useState<"hold" | "lift">();
  const open = (holds.data?.holds ?? []).filter(({ lifted_at }) => lifted_at === null);
  const close = () => setDialog(undefined);
  return (
    <Panel
      title="Holds"
      hint="While a hold is open nothing is confirmed or paid out. It outlives suspension and closing: only an operator lifts it."
      aside={
        <Group gap="xs">
          {!open.some(({ kind }) => kind === "operator") && <Button variant="default" onClick={() => setDialog("hold")} disabled={isOwn}>Hold money</Button>}
          {open.length > 0 && <Button variant="default" onClick={() => setDialog("lift")} disabled={isOwn}>Lift hold</Button>}
        </Group>
      }
    >
      <QueryView query={holds} height={80}>
        {(answer) => (answer.holds.length === 0 ? <Text size="sm" c="dimmed">None.</Text> : <HoldTable holds={answer.holds} />)}
      </QueryView>
      {dialog === "hold" && <HoldDialog accountId={accountId} onClose={close} />}
      {dialog === "lift" && <LiftDialog accountId={accountId} onClose={close} />}
    </Panel>
  );
}
