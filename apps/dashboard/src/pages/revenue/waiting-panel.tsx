import { type WaitingEarning, statementLengthMax } from "@assay/contract/dashboard/waiting.ts";
import { Button, Group, Paper, Stack, Text, Textarea, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ownWaitingQuery, stateWaiting } from "../../api/waiting.ts";
import { formatUsd, formatUtcDay } from "../../ui/format.ts";
import { Panel } from "../../ui/panel.tsx";
import { FormError } from "../../ui/states.tsx";
import { waitingTitles } from "../../ui/waiting-words.ts";

function StatementForm({ waitingId, before, onSent }: { waitingId: string; before: string | undefined; onSent: () => void }) {
  const queries = useQueryClient();
  const [text, setText] = useState(before ?? "");
  const state = useMutation({
    mutationFn: stateWaiting,
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ownWaitingQuery.queryKey });
      notifications.show({ message: "Your statement was sent to the operator.", color: "verdigris" });
      onSent();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    state.mutate({ waitingId, text: text.trim() });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Textarea
          label="What was it?"
          description="A load test, a stuck page, a campaign in one company … Leave out names and addresses of visitors."
          autosize
          minRows={2}
          maxRows={8}
          maxLength={statementLengthMax}
          required
          autoFocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <FormError error={state.error} />
        <Group><Button type="submit" size="xs" loading={state.isPending} disabled={text.trim() === "" || text.trim() === before}>{before === undefined ? "Send statement" : "Replace statement"}</Button></Group>
      </Stack>
    </form>
  );
}

/** The form opens when it is asked for: many days may wait. */
function OwnStatement({ waiting }: { waiting: WaitingEarning }) {
  const [isOpen, setOpen] = useState(false);
  const before = waiting.statement?.text;
  if (isOpen) return <StatementForm waitingId={waiting.id} before={before} onSent={() => setOpen(false)} />;
  return (
    <>
      {before !== undefined && <Text size="sm" c="dimmed">You said: {before}</Text>}
      <Button size="xs" variant="default" mt="xs" onClick={() => setOpen(true)}>{before === undefined ? "Say what it was" : "Replace statement"}</Button>
    </>
  );
}

function WaitingCard({ waiting }: { waiting: WaitingEarning }) {
  const decided = { settled: "Settled", reversed: "Reversed" };
  return (
    <Paper withBorder p="md" component="article" aria-label={`${waitingTitles[waiting.reason]}, ${formatUtcDay(waiting.day)}`}>
      <Title order={3} size="h5">{formatUtcDay(waiting.day)}: {waitingTitles[waiting.reason]}</Title>
      <Text size="sm"><strong>{formatUsd(waiting.developer_usd)}</strong>. {waiting.detail}</Text>
      {waiting.decision === null ? <OwnStatement waiting={waiting} /> : <Text size="sm" c="dimmed">{decided[waiting.decision]}: {waiting.resolution}</Text>}
    </Paper>
  );
}

/** Only where something waits, or did. */
export function WaitingPanel() {
  const { data } = useQuery(ownWaitingQuery);
  if (!data || data.waiting.length === 0) return null;
  return (
    <Panel title="What cannot be examined" hint="It accuses you of nothing. Say what it was; an operator then settles or reverses it. Everything else settles as usual.">
      <Stack gap="sm">{data.waiting.map((waiting) => <WaitingCard key={waiting.id} waiting={waiting} />)}</Stack>
    </Panel>
  );
}
