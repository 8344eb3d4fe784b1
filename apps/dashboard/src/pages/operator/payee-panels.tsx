import type { PayeeStateReply } from "@assay/contract/dashboard/operator.ts";
import { Button, List, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { payeeChangesQuery, payeeStateQuery, relinkAccount, unlinkAccount } from "../../api/operator.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { Panel, ScrollBox } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";

type Linked = PayeeStateReply["linked_to"][number];

/** What an operator can decide about the link to an account that came earlier. */
const decisions = ["prove", "unlink", "relink"] as const;
type Decision = { kind: (typeof decisions)[number]; from: Linked };

function LinkDialog({ accountId, decision: { kind, from }, onClose }: { accountId: string; decision: Decision; onClose: () => void }) {
  const other = from.email ?? from.account_id;
  const told = "Mailed to this account and recorded in the audit log. The other account is told what changes for it, without this text.";
  const body = { accountId, from: from.account_id };
  if (kind === "relink") {
    return (
      <ActionDialog title="Link again?" confirm="Link again" reason={{ label: "Reason", description: told }} act={(reason) => relinkAccount({ ...body, reason })} done="The decision is taken back." onClose={onClose}>
        <Text inherit>The accounts are linked as before the decision: whichever named the bank account or tax number later shares the holds and findings of the other.</Text>
      </ActionDialog>
    );
  }
  if (kind === "unlink") {
    return (
      <ActionDialog title="End the link?" confirm="Unlink" reason={{ label: "Reason", description: told }} act={(reason) => unlinkAccount({ ...body, reason })} done="The accounts are no longer linked." onClose={onClose}>
        <Text inherit>Holds and findings of {other} no longer keep this account's money back, nor the other way round. Do this when both may name the same bank account or tax number.</Text>
      </ActionDialog>
    );
  }
  return (
    <ActionDialog
      title="Accept the proof?"
      confirm="Accept the proof"
      reason={{ label: "What proves it", description: told }}
      act={(reason) => unlinkAccount({ ...body, reason, proven: true })}
      done="This account is the earlier one now."
      onClose={onClose}
    >
      <Text inherit>Do this when {other} named a bank account or tax number that is this account's own. Knowing the number proves nothing: it is printed on invoices. Accept one of these:</Text>
      <List size="sm">
        <List.Item>a code that you sent with a small transfer to the bank account, and that this account's owner tells you;</List.Item>
        <List.Item>a statement or letter of the bank, or of the tax office, that names the holder, checked with who issued it.</List.Item>
      </List>
      <Text inherit>{other} is linked to this account from then on, and shares its holds and findings. It can be taken back.</Text>
    </ActionDialog>
  );
}

function AccountLink({ linked }: { linked: Linked }) {
  return <TextLink to="/operator/accounts/$accountId" params={{ accountId: linked.account_id }} inherit>{linked.email ?? linked.account_id}</TextLink>;
}

function PayeeState({ accountId, payee }: { accountId: string; payee: PayeeStateReply }) {
  const [decision, setDecision] = useState<Decision>();
  const button = (kind: Decision["kind"], from: Linked, label: string) => <Button size="compact-xs" variant="default" ml="xs" onClick={() => setDecision({ kind, from })}>{label}</Button>;
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
              <List.Item key={linked.account_id}><AccountLink linked={linked} /> {button("prove", linked, "Accept proof")} {button("unlink", linked, "Unlink")}</List.Item>
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
      {payee.unlinked.length > 0 && (
        <>
          <Text inherit>Unlinked by an operator:</Text>
          <List size="sm">
            {payee.unlinked.map((linked) => (
              <List.Item key={linked.account_id}>
                <AccountLink linked={linked} />, <Time at={linked.at} />{linked.proven && ": this account proved that what both named is its own"} {button("relink", linked, "Link again")}
              </List.Item>
            ))}
          </List>
        </>
      )}
      {decision && <LinkDialog accountId={accountId} decision={decision} onClose={() => setDecision(undefined)} />}
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
