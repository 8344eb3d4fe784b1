import type { WaitingReply } from "@assay/contract/dashboard/waiting.ts";
import { Button, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { allowWaiting, decideWaiting, waitingQuery } from "../../api/waiting.ts";
import { formatUsd, formatUtcDay } from "../../ui/format.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/states.tsx";
import { waitingTitles } from "../../ui/waiting-words.ts";
import { ActionDialog } from "./action-dialog.tsx";

type Waiting = WaitingReply["waiting"][number];
type Choice = { waiting: Waiting; what: "settled" | "reversed" | "allowed" };

/** The API's limit. */
const dailyUsdMax = 1_000_000;

function DecideDialog({ waiting, decision, onClose }: { waiting: Waiting; decision: "settled" | "reversed"; onClose: () => void }) {
  const isReversal = decision === "reversed";
  const amount = formatUsd(waiting.developer_usd);
  return (
    <ActionDialog
      title={isReversal ? `Reverse ${amount}` : `Settle ${amount}`}
      confirm={isReversal ? "Reverse" : "Settle"}
      isDangerous={isReversal}
      reason={{ label: "Reason", description: "Shown to the developer, and recorded in the audit log." }}
      act={(reason) => decideWaiting({ waitingId: waiting.id, decision, reason })}
      done={isReversal ? "Reversed." : "Settled."}
      onClose={onClose}
    >
      <Text inherit>{isReversal ? "It is taken back from the account; advertisers have the price of their clicks back." : "It counts like the rest of its day from now on."} This cannot be undone.</Text>
    </ActionDialog>
  );
}

function AllowDialog({ waiting, onClose }: { waiting: Waiting; onClose: () => void }) {
  const [text, setText] = useState(String(waiting.developer_usd));
  return (
    <ActionDialog
      title={`Let ${waiting.email ?? waiting.account_id} settle by itself`}
      confirm={`Allow ${formatUsd(Number(text))} a day`}
      reason={{ label: "Reason" }}
      act={(reason) => allowWaiting({ accountId: waiting.account_id, waiting_reason: waiting.reason, daily_usd: Number(text), reason })}
      done="Saved. It holds for days that are checked from now on."
      onClose={onClose}
    >
      <Text inherit>“{waitingTitles[waiting.reason]}” then no longer waits up to this sum per day. What waits already is decided by itself.</Text>
      <TextInput label="Per day (USD)" type="number" inputMode="decimal" min={0} max={dailyUsdMax} step="any" required value={text} onChange={(event) => setText(event.currentTarget.value)} />
    </ActionDialog>
  );
}

function WaitingCard({ waiting, onChoose }: { waiting: Waiting; onChoose: (what: Choice["what"]) => void }) {
  const name = waiting.email ?? waiting.account_id;
  return (
    <Paper withBorder p="md" component="article" aria-label={`${name}, ${formatUtcDay(waiting.day)}`}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div>
          <Title order={3} size="h5">
            <TextLink to="/operator/accounts/$accountId" params={{ accountId: waiting.account_id }} search={{ part: "integrity" }} inherit>{name}</TextLink>, {formatUtcDay(waiting.day)}
          </Title>
          <Text size="sm"><strong>{formatUsd(waiting.developer_usd)}</strong>: {waitingTitles[waiting.reason]}. {waiting.detail}</Text>
          <Text size="sm">{waiting.statement ? `The developer says: ${waiting.statement.text}` : "The developer has not said what it was."}</Text>
          {waiting.allowances.map((each) => <Text key={each.reason} size="xs" c="dimmed">{formatUsd(each.daily_usd)} a day settles by itself ({waitingTitles[each.reason]}): {each.note}</Text>)}
        </div>
        <Group gap="xs">
          <Button size="xs" onClick={() => onChoose("settled")}>Settle</Button>
          <Button size="xs" variant="default" onClick={() => onChoose("allowed")}>Settle from now on</Button>
          <Button size="xs" variant="default" onClick={() => onChoose("reversed")}>Reverse</Button>
        </Group>
      </Group>
    </Paper>
  );
}

export function WaitingPanel() {
  const query = useQuery(waitingQuery);
  const [choice, setChoice] = useState<Choice>();
  const close = () => setChoice(undefined);
  return (
    <Panel title="What cannot be examined" hint="One exact session sent many times, analyses and calls without a record, and many clicks of one network. It accuses nobody, and waits for a decision.">
      <QueryView query={query} height={120}>
        {({ waiting }) =>
          waiting.length === 0 ? (
            <Text size="sm" c="dimmed">Nothing waits.</Text>
          ) : (
            <Stack gap="sm">{waiting.map((each) => <WaitingCard key={each.id} waiting={each} onChoose={(what) => setChoice({ waiting: each, what })} />)}</Stack>
          )
        }
      </QueryView>
      {choice?.what === "allowed" && <AllowDialog waiting={choice.waiting} onClose={close} />}
      {choice && choice.what !== "allowed" && <DecideDialog waiting={choice.waiting} decision={choice.what} onClose={close} />}
    </Panel>
  );
}
