import type { PlaygroundReply } from "@assay/contract/dashboard/playground.ts";
import type { SessionData } from "@assay/contract/scoring.ts";
import type { Signals } from "@assay/scoring/signals.ts";
import { Badge, Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { sendFromPlayground } from "../../api/playground.ts";
import { CodeBlock } from "../../playground/code-block.tsx";
import { Playground } from "../../playground/playground.tsx";
import { missingRequired } from "../../playground/signal-scales.ts";
import { Page } from "../../ui/page.tsx";
import { FormError } from "../../ui/states.tsx";

const endpoints = [
  { value: "predict", label: "predict" },
  { value: "score", label: "score (short)" },
  { value: "analyze", label: "analyze (explained)" },
] as const;

type Endpoint = (typeof endpoints)[number]["value"];

/** Pretty-prints JSON and leaves everything else as it is. */
function formatBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function Answer({ reply }: { reply: PlaygroundReply }) {
  const headers = reply.headers.map(({ name, value }) => `${name}: ${value}`).join("\n");
  return (
    <Stack gap="xs" role="status">
      <Group gap="xs">
        <Badge color={reply.status < 300 ? "verdigris" : "red"} variant="light">{reply.status}</Badge>
        <Text size="sm" ff="monospace">{reply.method} {reply.path}</Text>
      </Group>
      <CodeBlock code={`${headers}\n\n${formatBody(reply.body)}`} label="Answer" />
    </Stack>
  );
}

function SendRequest({ signals }: { signals: Signals }) {
  const [endpoint, setEndpoint] = useState<Endpoint>("predict");
  const send = useMutation({ mutationFn: sendFromPlayground });
  const missing = missingRequired(signals);
  const isComplete = missing.length === 0;
  return (
    <Stack gap="sm" mt="lg">
      <Group gap="sm" align="flex-end">
        <NativeSelect
          label="Endpoint"
          data={[...endpoints]}
          value={endpoint}
          onChange={(event) => setEndpoint(event.currentTarget.value as Endpoint)}
        />
        <Button
          leftSection={<IconSend size={16} />}
          disabled={!isComplete}
          loading={send.isPending}
          onClick={() => send.mutate({ session_data: signals as SessionData, endpoint })}
        >
          Send request
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        {isComplete
          ? "Sends a test-mode call: a real score and a session record, nothing billed."
          : `The API requires ${missing.join(" and ")}.`}
      </Text>
      <FormError error={send.error} />
      {send.data && <Answer reply={send.data} />}
    </Stack>
  );
}

export function PlaygroundPage() {
  return (
    <Page title="Playground" description="The current model, running in your browser. Change a signal to see how the score adds up. Nothing is billed.">
      <Playground address={location.origin}>{(signals) => <SendRequest signals={signals} />}</Playground>
    </Page>
  );
}
