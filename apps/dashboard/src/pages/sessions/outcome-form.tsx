import type { SessionDetailReply } from "@assay/contract/dashboard/sessions.ts";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { reportOutcome } from "../../api/sessions.ts";
import { FormError } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { outcomeNames, outcomeLabels } from "./session-labels.ts";

/** The latest outcome counts; earlier ones stay on record. */
export function OutcomeForm({ session }: { session: SessionDetailReply }) {
  const queries = useQueryClient();
  const report = useMutation({
    mutationFn: reportOutcome,
    onSuccess: () => Promise.all([queries.invalidateQueries({ queryKey: ["session", session.session_id] }), queries.invalidateQueries({ queryKey: ["sessions"] })]),
  });
  const [latest] = session.outcomes;
  return (
    <Stack gap="xs">
      <Group gap={6} role="group" aria-label="Report outcome">
        {outcomeNames.map((outcome) => (
          <Button
            key={outcome}
            size="xs"
            variant={session.outcome === outcome ? "filled" : "default"}
            aria-pressed={session.outcome === outcome}
            disabled={report.isPending}
            title={outcomeLabels[outcome].text}
            onClick={() => report.mutate({ sessionId: session.session_id, outcome })}
          >
            {outcomeLabels[outcome].label}
          </Button>
        ))}
      </Group>
      <FormError error={report.error} />
      <Text size="xs" c="dimmed">
        {latest ? <>Reported <RelativeTime at={latest.recorded_at} />. A new report replaces it.</> : "Not reported yet. Your server can also report it."}
      </Text>
    </Stack>
  );
}
