import { Alert, Button, Code, CopyButton, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

export function SecretShownOnce({ secret, children, onDone }: { secret: string; children: ReactNode; onDone: () => void }) {
  return (
    <Stack gap="md">
      <Alert color="yellow" variant="light">This secret is shown only once. Copy it now.</Alert>
      <Code className="code-text whole" p="sm" data-testid="webhook-secret">{secret}</Code>
      <Group>
        <CopyButton value={secret}>{({ copied, copy }) => <Button onClick={copy} data-autofocus>{copied ? "Copied" : "Copy secret"}</Button>}</CopyButton>
        <Button variant="default" onClick={onDone}>Done</Button>
      </Group>
      <Text size="sm">Your server verifies the header <Code>webhook-signature</Code> with it, as Standard Webhooks describes. {children}</Text>
    </Stack>
  );
}
