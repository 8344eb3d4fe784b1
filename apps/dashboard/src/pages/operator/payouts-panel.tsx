import type { Payout } from "@assay/contract/dashboard/operator.ts";
import { Alert, Button, Checkbox, Group, List, NativeSelect, Stack, Table, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { cancelPayout, exportPayouts, movePayout, type PayoutStatus, payoutsQuery } from "../../api/operator.ts";
import { formatCountOf, formatExactUsd, formatMonth } from "../../ui/format.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { Panel, ScrollBox } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { ApproveDialog } from "./approve-dialog.tsx";
import { DemoBadge, StatusBadge } from "../../ui/status-badge.tsx";

type Verb = "approve" | "paid" | "return" | "cancel";
type OpenDialog = { kind: "move"; payout: Payout; verb: Verb } | { kind: "approve"; payouts: readonly Payout[] } | { kind: "export"; again: boolean };

const verbsOf: Record<PayoutStatus, readonly Verb[]> = {
  proposed: ["approve", "cancel"],
  approved: ["cancel"],
  exported: ["paid", "return"],
  paid: ["return"],
  returned: [],
  cancelled: [],
};
export const payoutStatuses = Object.keys(verbsOf) as PayoutStatus[];
const verbNames: Record<Verb, string> = { approve: "Approve", paid: "Mark as paid", return: "Return", cancel: "Cancel payout" };

const consequences: Record<Verb, (payout: Payout) => string> = {
  approve: () => "It is included in the next bank file. No money moves yet, and you can still cancel it.",
  paid: () => "A payout entry is written to the account's ledger and reduces its balance by this amount. Do this after the bank has made the transfer: it is recorded even if the account is held by now.",
  return: ({ status }) =>
    status === "paid"
      ? "The money came back. An entry credits the amount to the account's balance, and it can be proposed again."
      : "The bank did not carry it out. No money moved. The amount stays in the account's balance and can be proposed again.",
  cancel: () => "No money moved. The amount stays in the account's balance and can be proposed again.",
};

function MoveDialog({ payout, verb, onClose }: { payout: Payout; verb: Verb; onClose: () => void }) {
  return (
    <ActionDialog
      title={`${verbNames[verb]}: ${formatExactUsd(payout.amount_usd)}`}
      confirm={verbNames[verb]}
      isDangerous={verb === "return" || verb === "cancel"}
      reason={verb === "cancel" ? { label: "Reason" } : { label: verb === "paid" ? "Note, such as the bank reference (optional)" : "Note (optional)", isOptional: true }}
      act={(note) => (verb === "cancel" ? cancelPayout({ payoutId: payout.id, reason: note }) : movePayout({ payoutId: payout.id, verb, note }))}
      done={({ status, despite }) => `Payout ${status}.${despite === null ? "" : ` ${despite}`}`}
      onClose={onClose}
    >
      <Text inherit>{payout.email ?? payout.account_id}, {formatMonth(payout.month)}: <strong>{formatExactUsd(payout.amount_usd)}</strong>.</Text>
      <Text inherit>{consequences[verb](payout)}</Text>
    </ActionDialog>
  );
}

function saveFile(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The click has started the download, so the URL is no longer needed.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

function ExportDialog({ again, onClose }: { again: boolean; onClose: () => void }) {
  const act = async () => {
    const csv = await exportPayouts(again);
    saveFile(`payouts-${new Date().toISOString().slice(0, 10)}.csv`, csv, "text/csv");
    // Without the header line.
    return csv.trimEnd().split("\n").length - 1;
  };
  return (
    <ActionDialog
      title={again ? "Export again?" : "Export approved payouts?"}
      confirm="Export"
      act={act}
      done={(lines) => `${formatCountOf(lines, "payout", "payouts")} exported.`}
      onClose={onClose}
    >
      <Text inherit>
        {again
          ? "You get the file of the last export once more, byte for byte. Make sure the bank does not pay it twice."
          : "Every approved payout is written to a CSV file for the bank and marked as exported."}
      </Text>
      <Text inherit>The file contains payees' names, addresses and account numbers. Share it only with the bank.</Text>
    </ActionDialog>
  );
}

const lastStepOf = ({ proposed_at, approved_at, exported_at, paid_at, returned_at, cancelled_at }: Payout): string =>
  cancelled_at ?? returned_at ?? paid_at ?? exported_at ?? approved_at ?? proposed_at;

/** Who proposed and who approved: with four eyes, two people. */
const actorsOf = ({ proposed_by, approved_by }: Payout): string =>
  [proposed_by !== null && `proposed by ${proposed_by}`, approved_by !== null && `approved by ${approved_by}`].filter((each) => each !== false).join(", ");

type Choice = { chosen: ReadonlySet<string>; onChoose: (chosen: ReadonlySet<string>) => void };

function PayoutTable({ payouts, onOpen, chosen, onChoose }: { payouts: readonly Payout[]; onOpen: (dialog: OpenDialog) => void } & Choice) {
  const proposed = payouts.filter(({ status }) => status === "proposed").map(({ id }) => id);
  const isAll = proposed.length > 0 && proposed.every((id) => chosen.has(id));
  const toggle = (id: string) => onChoose(new Set(chosen.has(id) ? [...chosen].filter((each) => each !== id) : [...chosen, id]));
  return (
    <ScrollBox label="Payouts">
      <Table verticalSpacing="xs" miw={860}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <Checkbox aria-label="Select all proposed" disabled={proposed.length === 0} checked={isAll} indeterminate={chosen.size > 0 && !isAll} onChange={() => onChoose(new Set(isAll ? [] : proposed))} />
            </Table.Th>
            <Table.Th>Account</Table.Th>
            <Table.Th>Through</Table.Th>
            <Table.Th ta="right">Amount</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>Ledger</Table.Th>
            <Table.Th><span className="sr-only">Actions</span></Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {payouts.map((payout) => (
            <Table.Tr key={payout.id}>
              <Table.Td>
                {payout.status === "proposed" && <Checkbox aria-label={`Select ${payout.email ?? payout.id}`} checked={chosen.has(payout.id)} onChange={() => toggle(payout.id)} />}
              </Table.Td>
              <Table.Td>
                <TextLink to="/operator/accounts/$accountId" params={{ accountId: payout.account_id }} inherit>{payout.email ?? payout.account_id}</TextLink>{payout.demo && <DemoBadge />}
                {payout.note !== null && <Text size="xs" c="dimmed">{payout.note}</Text>}
                <Text size="xs" c="dimmed">{actorsOf(payout)}</Text>
              </Table.Td>
              <Table.Td className="one-line">{formatMonth(payout.month)}</Table.Td>
              <Table.Td ta="right">{formatExactUsd(payout.amount_usd)}</Table.Td>
              <Table.Td><StatusBadge status={payout.status} /><Text size="xs" c="dimmed"><Time at={lastStepOf(payout)} /></Text></Table.Td>
              <Table.Td>
                {payout.payout_seq === null ? "–" : `entry ${payout.payout_seq}`}
                {payout.returned_seq !== null && `, returned in ${payout.returned_seq}`}
              </Table.Td>
              <Table.Td>
                <Group gap={6} wrap="nowrap" justify="flex-end">
                  {verbsOf[payout.status].map((verb) => (
                    <Button key={verb} size="xs" variant="default" onClick={() => onOpen({ kind: "move", payout, verb })} aria-label={`${verbNames[verb]}: ${payout.email ?? payout.id}`}>{verbNames[verb]}</Button>
                  ))}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

const statusChoices = [{ value: "", label: "All statuses" }, ...payoutStatuses.map((value) => ({ value, label: value }))];

export function PayoutsPanel({ status, onFilter }: { status: PayoutStatus | undefined; onFilter: (status: string) => void }) {
  const payouts = useQuery(payoutsQuery(status));
  const [dialog, setDialog] = useState<OpenDialog>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<readonly string[]>([]);
  const close = () => setDialog(undefined);
  const chosenPayouts = (payouts.data?.payouts ?? []).filter(({ id, status: state }) => chosen.has(id) && state === "proposed");
  return (
    <div id="payouts">
      <Panel
        title="Payouts"
        hint="proposed → approved → exported → paid. Every step is checked again. Until it is exported a payout can be cancelled, afterwards returned. The latest 500 are shown."
        aside={
          <Group gap="xs">
            <NativeSelect aria-label="Status" data={statusChoices} value={status ?? ""} onChange={(event) => onFilter(event.currentTarget.value)} />
            <Button onClick={() => setDialog({ kind: "approve", payouts: chosenPayouts })} disabled={chosenPayouts.length === 0}>Approve {chosenPayouts.length > 0 ? chosenPayouts.length : "selected"}</Button>
            <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => setDialog({ kind: "export", again: false })}>Export approved</Button>
            <Button variant="subtle" onClick={() => setDialog({ kind: "export", again: true })}>Export again</Button>
          </Group>
        }
      >
        <QueryView query={payouts} height={160}>
          {(answer) =>
            answer.payouts.length === 0 ? (
              <Text size="sm" c="dimmed">{status === undefined ? "No payouts yet. Propose payouts once accounts are payable." : `No ${status} payouts.`}</Text>
            ) : (
              <Stack gap="sm">
                {refused.length > 0 && (
                  <Alert color="yellow" variant="light" title={`${formatCountOf(refused.length, "payout was", "payouts were")} not approved`} withCloseButton closeButtonLabel="Dismiss" onClose={() => setRefused([])}>
                    <List size="sm">{refused.map((message) => <List.Item key={message}>{message}</List.Item>)}</List>
                  </Alert>
                )}
                <PayoutTable payouts={answer.payouts} onOpen={setDialog} chosen={chosen} onChoose={setChosen} />
              </Stack>
            )
          }
        </QueryView>
        {dialog?.kind === "move" && <MoveDialog payout={dialog.payout} verb={dialog.verb} onClose={close} />}
        {dialog?.kind === "approve" && (
          <ApproveDialog
            payouts={dialog.payouts}
            onRefused={setRefused}
            onClose={() => {
              setChosen(new Set());
              close();
            }}
          />
        )}
        {dialog?.kind === "export" && <ExportDialog again={dialog.again} onClose={close} />}
      </Panel>
    </div>
  );
}
