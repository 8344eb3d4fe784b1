import { Alert, Button, Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { ApiError } from "../api/request.ts";

export function EmptyState({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
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

export function ErrorAlert({ error, onRetry }: { error: Error; onRetry?: () => void }) {
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

/** A placeholder of about the same height as the content, so that the page does not jump. */
export function Loading({ height = 160, count = 1 }: { height?: number; count?: number }) {
  return (
    <Stack gap="md" role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, index) => <Skeleton key={index} height={height} />)}
    </Stack>
  );
}

type QueryState<Answer> = { data: Answer | undefined; error: Error | null; refetch: () => unknown };

/** Loading, error, or the answer. When a refresh fails, the last answer stays on the page. */
export function QueryView<Answer>({ query, children, height }: { query: QueryState<Answer>; children: (answer: Answer) => ReactNode; height?: number }) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ErrorAlert error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading {...(height !== undefined && { height })} />;
}

export function FormError({ error }: { error: Error | null }) {
  if (!error) return null;
  const waitSeconds = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  return (
    <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle />}>
      <Group gap="xs">
        <Text size="sm">{error.message}</Text>
        {waitSeconds !== undefined && <Text size="sm">Try again in {waitSeconds} s.</Text>}
      </Group>
    </Alert>
  );
}
