import type { CallDay, ReverseCallsRequest } from "@assay/contract/dashboard/integrity.ts";
import { Button, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { operatedCallDaysQuery, reverseCalls } from "../../../api/operator-integrity.ts";
import { CallDays } from "../../../ui/call-days.tsx";
import { formatDays } from "../../../ui/days.ts";
import { describeNextConfirmed } from "../../../ui/describe-day.ts";
import { formatCountOf, formatExactUsd } from "../../../ui/format.ts";
import { Panel } from "../../../ui/panel.tsx";
import { QueryView } from "../../../ui/states.tsx";
import { sumUsd } from "../../../ui/sum-usd.ts";
import { ActionDialog } from "../action-dialog.tsx";

type Props = { accountId: string; onClose: () => void };

/** A whole day, or, without one, the calls of a range of sessions. */
function ReverseDialog({ accountId, day, onClose }: Props & { day: CallDay | undefined }) {
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const requestOf = (reason: string): ReverseCallsRequest => (day ? { day: day.day, reason } : { from_session: from.trim(), to_session: to.trim(), reason });
  return (
    <ActionDialog
      title={day ? `Reverse ${formatDays([day.day])}?` : "Reverse sessions?"}
      confirm="Reverse"
      isDangerous
      reason={{ label: "Reason", description: "The account reads it, on its statement too. Recorded in the audit log." }}
      act={(reason) => reverseCalls(accountId, requestOf(reason))}
      done={({ calls, developer_usd, skipped_calls }) => `${formatCountOf(calls, "call", "calls")} reversed: ${formatExactUsd(developer_usd)}.${skipped_calls > 0 ? ` ${formatCountOf(skipped_calls, "call is", "calls are")} settled, reversed before or not paid by the platform.` : ""}`}
      onClose={onClose}
    >
      {day ? (
        <Text inherit>The account loses <strong>{formatExactUsd(sumUsd([day.developer_usd, -day.reversed_usd]))}</strong> for the calls of this day. The reversal is a permanent ledger entry.</Text>
      ) : (
        <>
          <Text inherit>The calls of all its sessions from the first to the last are reversed, as far as their days are pending: one permanent ledger entry per day.</Text>
          <TextInput label="First session" placeholder="sess_…" required value={from} onChange={(event) => setFrom(event.currentTarget.value)} />
          <TextInput label="Last session" placeholder="sess_…" required value={to} onChange={(event) => setTo(event.currentTarget.value)} />
        </>
      )}
    </ActionDialog>
  );
}

/** `isOwn`: an operator decides nothing about its own money. */
export function DaysPanel({ accountId, isOwn }: { accountId: string; isOwn: boolean }) {
  const days = useQuery(operatedCallDaysQuery(accountId));
  const [reversing, setReversing] = useState<{ day: CallDay | undefined }>();
  const next = days.data && describeNextConfirmed(days.data.days, Date.now());
  const hasPending = days.data?.days.some(({ state }) => state === "pending") ?? false;
  return (
    <Panel
      title="Days of calls"
      hint={<>A pending day can be reversed, as a whole or in part. A confirmed one is corrected by an adjustment.{next !== undefined && ` ${next}`}</>}
      aside={<Button variant="default" disabled={isOwn || !hasPending} onClick={() => setReversing({ day: undefined })}>Reverse sessions</Button>}
    >
      <QueryView query={days} height={180}>
        {(answer) => (
          <CallDays
            answer={answer}
            actionOf={(day) => day.state === "pending" && <Button size="compact-xs" variant="default" disabled={isOwn} aria-label={`Reverse ${formatDays([day.day])}`} onClick={() => setReversing({ day })}>Reverse</Button>}
          />
        )}
      </QueryView>
      {reversing && <ReverseDialog accountId={accountId} day={reversing.day} onClose={() => setReversing(undefined)} />}
    </Panel>
  );
}
