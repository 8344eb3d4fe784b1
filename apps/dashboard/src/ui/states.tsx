import { Alert, Button, Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { ApiError } from "../api/request.ts";

/** Nothing is here yet: says what will be, and how to get there. */
export function Empty({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <Paper withBorder p="xl">
      <Stack gap="sm" align="center" maw={460} mx="auto" py="lg">
        <Title order={2} ta="center">{title}</Title>
        <Text c="dimmed" size="sm" ta="center">{children}</Text>
        {action}
      </Stack>
    </Paper>
  );
}

/** What went wrong, what to do, and the number that support would ask for. */
export function Failed({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  const text = error instanceof ApiError ? error.message : "This page failed to load. Reload it. If that does not help, contact the operator.";
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle />} title="Something went wrong" role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text}</Text>
        {requestId !== undefined && <Text size="xs" c="dimmed" ff="monospace">Request ID {requestId}</Text>}
        {onRetry && <Button size="xs" variant="default" onClick={onRetry}>Try again</Button>}
      </Stack>
    </Alert>
  );
}

/** Takes the place of what is being loaded, at about its size. */
export function Loading({ height = 160, count = 1 }: { height?: number; count?: number }) {
  return (
    <Stack gap="md" role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, index) => <Skeleton key={index} height={height} />)}
    </Stack>
  );
}

type Asked<Answer> = { data: Answer | undefined; error: Error | null; refetch: () => unknown };

/** One of the three: loading, failed, or what the answer shows. A refresh that fails leaves the last answer standing. */
export function Shown<Answer>({ of, children, height }: { of: Asked<Answer>; children: (answer: Answer) => ReactNode; height?: number }) {
  if (of.data !== undefined) return children(of.data);
  if (of.error) return <Failed error={of.error} onRetry={() => void of.refetch()} />;
  return <Loading {...(height !== undefined && { height })} />;
}

/** A failure of something that was asked for in a form. */
export function FormFailure({ error }: { error: Error | null }) {
  if (!error) return null;
  const wait = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  return (
    <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle />}>
      <Group gap="xs">
        <Text size="sm">{error.message}</Text>
        {wait !== undefined && <Text size="sm">Try again in {wait} s.</Text>}
      </Group>
    </Alert>
  );
}
