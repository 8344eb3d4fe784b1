import { Alert, Button, Code, CopyButton, Group, Stack, Text } from "@mantine/core";
import { CodeBlock } from "../../playground/code-block.tsx";
import { requestCode } from "../../playground/request-code.ts";
import { presets } from "../../playground/signal-scales.ts";

export function KeyShownOnce({ apiKey, onDone }: { apiKey: string; onDone: () => void }) {
  const code = requestCode("curl", { address: location.origin, signals: presets[0].signals }).replace('"X-API-Key: $ASSAY_API_KEY"', `'X-API-Key: ${apiKey}'`);
  return (
    <Stack gap="md">
      <Alert color="yellow" variant="light">This key is shown only once. Copy it now.</Alert>
      <Code className="code-text whole" p="sm" data-testid="api-key">{apiKey}</Code>
      <Group>
        <CopyButton value={apiKey}>{({ copied, copy }) => <Button onClick={copy} data-autofocus>{copied ? "Copied" : "Copy key"}</Button>}</CopyButton>
        <Button variant="default" onClick={onDone}>Done</Button>
      </Group>
      <Text size="sm" fw={550}>Try it</Text>
      <CodeBlock code={code} label="Example call with this key" />
    </Stack>
  );
}
