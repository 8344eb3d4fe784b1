import type { DecideFindingRequest, Finding } from "@assay/contract/dashboard/integrity.ts";
import { Radio, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { decideFinding, findAccountId, openFinding, reopenFinding } from "../../api/operator-integrity.ts";
import { formatCountOf, formatExactUsd } from "../../ui/format.ts";
import { ActionDialog } from "./action-dialog.tsx";

type Decision = DecideFindingRequest["decision"];
type Reverse = NonNullable<DecideFindingRequest["reverse"]>;

const reverseChoices: readonly { value: Reverse; label: string; description: string }[] = [
  { value: "sessions", label: "The sessions that match", description: "Their calls on the finding's days, as far as those are pending." },
  { value: "days", label: "The finding's days", description: "All calls of those days that are still pending." },
  { value: "nothing", label: "Nothing", description: "The days are confirmed in their turn." },
];

export function DecideDialog({ finding, onClose }: { finding: Finding; onClose: () => void }) {
  const [decision, setDecision] = useState<Decision>("upheld");
  // Clicks are reversed one by one, on the account's page.
  const isAboutClicks = finding.code.includes("click");
  const canReverse = finding.days.length > 0 && !isAboutClicks;
  const [reverse, setReverse] = useState<Reverse>(!canReverse ? "nothing" : finding.opened_by === null ? "sessions" : "days");
  const isUpheld = decision === "upheld";
  return (
    <ActionDialog
      title={`Decide: ${finding.title}`}
      confirm={isUpheld ? "Uphold" : "Dismiss"}
      isDangerous={isUpheld && reverse !== "nothing"}
      reason={{ label: "Reason", description: "The account reads it. Recorded in the audit log." }}
      act={(reason) => decideFinding({ findingId: finding.id, decision, reason, ...(isUpheld && canReverse && { reverse }) })}
      done={({ reversed_calls, reversed_usd }) => (isUpheld ? `Finding upheld. ${formatCountOf(reversed_calls, "call", "calls")} reversed: ${formatExactUsd(reversed_usd)}.` : "Finding dismissed.")}
      onClose={onClose}
    >
      <Text inherit>{finding.email ?? finding.account_id}: {finding.detail}</Text>
      <Radio.Group label="Decision" value={decision} onChange={setDecision}>
        <Stack gap={8} mt={6}>
          <Radio value="upheld" label="Uphold" description="These calls did not come from visits." />
          <Radio value="dismissed" label="Dismiss" description="There is an honest explanation. Nothing is reversed." />
        </Stack>
      </Radio.Group>
      {isUpheld && canReverse && (
        <Radio.Group label="Reverse" value={reverse} onChange={setReverse}>
          <Stack gap={8} mt={6}>{reverseChoices.map((choice) => <Radio key={choice.value} {...choice} />)}</Stack>
        </Radio.Group>
      )}
      {isUpheld && isAboutClicks && <Text inherit>Its pending clicks are on the account's page: reverse them there first.</Text>}
      <Text inherit c="dimmed">The evidence is counted anew from then on. Once no finding and no hold is open, the account's money moves on: to keep it back, hold it first.</Text>
    </ActionDialog>
  );
}

export function ReopenDialog({ finding, onClose }: { finding: Finding; onClose: () => void }) {
  return (
    <ActionDialog title="Reopen this finding?" confirm="Reopen" reason={{ label: "Reason" }} act={(reason) => reopenFinding({ findingId: finding.id, reason })} done="Finding reopened." onClose={onClose}>
      <Text inherit>{finding.email ?? finding.account_id}: {finding.detail}</Text>
      <Text inherit>Nothing more is confirmed or paid out until it is decided again. What was reversed stays reversed.</Text>
    </ActionDialog>
  );
}

const dayPattern = /\d{4}-\d{2}-\d{2}/g;

/** `accountId` is left out where the operator is to name the account. */
export function OpenFindingDialog({ accountId, onClose }: { accountId?: string; onClose: () => void }) {
  const [account, setAccount] = useState("");
  const [days, setDays] = useState("");
  const named = days.match(dayPattern) ?? [];
  return (
    <ActionDialog
      title="Open a finding?"
      confirm="Open finding"
      isDangerous
      reason={{ label: "What was found", description: "The account reads it and can answer. Recorded in the audit log." }}
      act={async (reason) => openFinding({ account_id: accountId ?? (await findAccountId(account.trim())), reason, ...(named.length > 0 && { days: named }) })}
      done="Finding opened."
      onClose={onClose}
    >
      <Text inherit>Nothing more of this account is confirmed or paid out until you decide. Its keys go on working.</Text>
      {accountId === undefined && <TextInput label="Account" description="Its email address or ID." required value={account} onChange={(event) => setAccount(event.currentTarget.value)} />}
      <TextInput label="Days" description="Optional, in UTC, such as 2026-03-01, 2026-03-02. Only calls of these days can be reversed with the decision." value={days} onChange={(event) => setDays(event.currentTarget.value)} />
    </ActionDialog>
  );
}
