import type { CandidatesReply } from "@assay/contract/dashboard/operator.ts";
import { Button, Stack, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { candidatesQuery, proposePayouts } from "../../api/operator.ts";
import { formatCountOf, formatExactUsd, formatMonth } from "../../ui/format.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { Panel, ScrollBox } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/states.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { DemoBadge, StatusBadge } from "../../ui/status-badge.tsx";
import { sumUsd } from "../../ui/sum-usd.ts";

const candidatesShownFirst = 50;

type Candidate = CandidatesReply["candidates"][number];

const isPayable = ({ states }: Candidate): boolean => states.confirmed.payable_usd > 0;

/** The state in a word, and what it means. */
function describeCandidate(candidate: Candidate): { status: string; explained: string } {
  const { held, held_explained: explained, states } = candidate;
  if (isPayable(candidate)) return { status: "payable", explained: "Ready to be paid." };
  if (held !== null) return { status: held.replaceAll("_", " "), explained: explained ?? "" };
  if (states.confirmed.in_payout_usd > 0) return { status: "in payout", explained: "A payout is under way." };
  return { status: "pending", explained: "Nothing is confirmed: its calls and clicks can still be reversed." };
}

/** Payable ones first, then by amount. */
const sortCandidates = (candidates: readonly Candidate[]): Candidate[] =>
  candidates.toSorted((left, right) => Number(isPayable(right)) - Number(isPayable(left)) || right.amount_usd - left.amount_usd);

function CandidateTable({ candidates }: { candidates: readonly Candidate[] }) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? candidates : candidates.slice(0, candidatesShownFirst);
  return (
    <>
      <ScrollBox label="Candidates">
        <Table verticalSpacing="xs">
          <Table.Thead><Table.Tr><Table.Th>Account</Table.Th><Table.Th>Status</Table.Th><Table.Th ta="right">Amount</Table.Th></Table.Tr></Table.Thead>
          <Table.Tbody>
            {shown.map((candidate) => ({ candidate, ...describeCandidate(candidate) })).map(({ candidate, status, explained }) => (
              <Table.Tr key={candidate.account_id}>
                <Table.Td>
                  <TextLink to="/operator/accounts/$accountId" params={{ accountId: candidate.account_id }} inherit>{candidate.email}</TextLink>{candidate.demo && <DemoBadge />}
                  <Text size="xs" c="dimmed">{explained}</Text>
                </Table.Td>
                <Table.Td><StatusBadge status={status} /></Table.Td>
                <Table.Td ta="right">{formatExactUsd(candidate.amount_usd)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
      {shown.length < candidates.length && <Button variant="default" onClick={() => setShowsAll(true)}>Show all {candidates.length}</Button>}
    </>
  );
}

function ProposeDialog({ payable, onClose }: { payable: readonly Candidate[]; onClose: () => void }) {
  const total = sumUsd(payable.map(({ amount_usd }) => amount_usd));
  return (
    <ActionDialog
      title="Propose payouts?"
      confirm="Propose"
      act={proposePayouts}
      done={({ proposed }) => `${formatCountOf(proposed.length, "payout", "payouts")} proposed.`}
      onClose={onClose}
    >
      <Text inherit>{formatCountOf(payable.length, "payout", "payouts")} totalling <strong>{formatExactUsd(total)}</strong> will be proposed, and the same amount of funding is reserved.</Text>
      <Text inherit>No money moves yet. Each payout still has to be approved, exported for the bank and marked as paid.</Text>
    </ActionDialog>
  );
}

/** The accounts payable for the last payable month, and the reasons why others are held. */
export function CandidatesPanel() {
  const candidates = useQuery(candidatesQuery);
  const [isProposing, proposing] = useDisclosure(false);
  const payable = (candidates.data?.candidates ?? []).filter(isPayable);
  return (
    <Panel
      title="Payout candidates"
      hint={candidates.data && `For earnings up to the end of ${formatMonth(candidates.data.month)}. A month's earnings can be paid from the 15th of the following month.`}
      aside={<Button onClick={proposing.open} disabled={payable.length === 0}>Propose {payable.length > 0 ? formatCountOf(payable.length, "payout", "payouts") : "payouts"}</Button>}
    >
      <QueryView query={candidates} height={160}>
        {(answer) => (
          <Stack gap="sm" align="stretch">
            {payable.length === 0 && <Text size="sm">Nothing is payable now. The list shows the reason for each account.</Text>}
            {answer.candidates.length === 0 ? <Text size="sm" c="dimmed">No accounts yet.</Text> : <CandidateTable candidates={sortCandidates(answer.candidates)} />}
          </Stack>
        )}
      </QueryView>
      {isProposing && <ProposeDialog payable={payable} onClose={proposing.close} />}
    </Panel>
  );
}
