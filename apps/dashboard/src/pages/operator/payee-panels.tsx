import type { PayeeStateReply } from "@assay/contract/dashboard/operator.ts";
import { Button, List, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { payeeChangesQuery, payeeStateQuery, unlinkAccount } from "../../api/operator.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { Panel, ScrollBox } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";

type Linked = PayeeStateReply["linked_to"][number];

function UnlinkDialog({ accountId, from, onClose }: { accountId: string; from: Linked; onClose: () => void }) {
  return (
    <ActionDialog title="End the link?" confirm="Unlink" reason={{ label: "Reason" }} act={(reason) => unlinkAccount({ accountId, from: from.account_id, reason })} done="The accounts are no longer linked." onClose={onClose}>
      <Text inherit>Holds and findings of {from.email ?? from.account_id} no longer keep this account's money back. Do this when the other account named a bank account or tax number that is not its own.</Text>
    </ActionDialog>
  );
}

function AccountLink({ linked }: { linked: Linked }) {
  return <TextLink to="/operator/accounts/$accountId" params={{ accountId: linked.account_id }} inherit>{linked.email ?? linked.account_id}</TextLink>;
}

function PayeeState({ accountId, payee }: { accountId: string; payee: PayeeStateReply }) {
  const [unlinking, setUnlinking] = useState<Linked>();
  if (payee.changed_at === null) return <Text size="sm" c="dimmed">No payee profile yet.</Text>;
  return (
    <Stack gap="xs" fz="sm">
      <Text inherit>
        Last changed <Time at={payee.changed_at} />. {payee.usable_from === null ? "It can be paid to." : <>A change rests: it can be paid to from <Time at={payee.usable_from} />.</>}
      </Text>
      {payee.linked_to.length > 0 && (
        <>
          <Text inherit>Named the same bank account or tax number earlier. This account shares their holds and findings:</Text>
          <List size="sm">
            {payee.linked_to.map((linked) => (
              <List.Item key={linked.account_id}><AccountLink linked={linked} /> <Button size="compact-xs" variant="default" ml="xs" onClick={() => setUnlinking(linked)}>Unlink</Button></List.Item>
            ))}
          </List>
        </>
      )}
      {payee.linked_from.length > 0 && (
        <>
          <Text inherit>Named it later. They have no effect on this account:</Text>
          <List size="sm">{payee.linked_from.map((linked) => <List.Item key={linked.account_id}><AccountLink linked={linked} /></List.Item>)}</List>
        </>
      )}
      {unlinking && <UnlinkDialog accountId={accountId} from={unlinking} onClose={() => setUnlinking(undefined)} />}
    </Stack>
  );
}

/** When the payee last changed, and which accounts share its bank account or tax number. */
export function PayeePanel({ accountId }: { accountId: string }) {
  const payee = useQuery(payeeStateQuery(accountId));
  return <Panel title="Payee"><QueryView query={payee} height={60}>{(answer) => <PayeeState accountId={accountId} payee={answer} />}</QueryView></Panel>;
}

/** A stolen session would change the bank account first: what changed lately is worth a look before approving. */
export function PayeeChangesPanel() {
  const changes = useQuery(payeeChangesQuery);
  return (
    <Panel title="Changed payees" hint="Whose bank account, method or tax number was changed within the last 30 days.">
      <QueryView query={changes} height={80}>
        {(answer) =>
          answer.changes.length === 0 ? (
            <Text size="sm" c="dimmed">None.</Text>
          ) : (
            <ScrollBox label="Changed payees">
              <Table verticalSpacing="xs">
                <Table.Thead><Table.Tr><Table.Th>Account</Table.Th><Table.Th>Changed</Table.Th><Table.Th>Rests until</Table.Th><Table.Th>Status</Table.Th></Table.Tr></Table.Thead>
                <Table.Tbody>
                  {answer.changes.map((change) => (
                    <Table.Tr key={change.account_id}>
                      <Table.Td><AccountLink linked={change} /></Table.Td>
                      <Table.Td><Time at={change.changed_at} /></Table.Td>
                      <Table.Td><Time at={change.usable_from} /></Table.Td>
                      <Table.Td><StatusBadge status={Date.parse(change.usable_from) > Date.now() ? "resting" : "payable"} /></Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </ScrollBox>
          )
        }
      </QueryView>
    </Panel>
  );
}
