import type { OverviewReply } from "@assay/contract/dashboard/overview.ts";
import { Group, Paper, Text } from "@mantine/core";
import { formatCountOf, formatShareOf } from "../../ui/format.ts";
import { TextLink } from "../../ui/link-button.tsx";

/** Nothing before the first call: what it is about cannot be understood then. */
export function AttestedStrip({ attested: { calls, attested_calls: attestedCalls } }: Pick<OverviewReply, "attested">) {
  if (calls === 0) return null;
  return (
    <Paper withBorder px="md" py="sm" component="section" aria-label="Attested calls">
      <Group gap="lg">
        <Text size="sm" fw={600}>Attested calls</Text>
        {attestedCalls === 0 ? (
          <Text size="sm" c="dimmed">None in 30 days. <TextLink to="/sites" inherit>Add a site</TextLink> to let Assay measure sessions on your pages. Calls earn the same without it.</Text>
        ) : (
          <>
            <Text size="sm"><strong>{formatShareOf(attestedCalls, calls)}</strong> <Text span inherit c="dimmed">of {formatCountOf(calls, "call", "calls")} in 30 days</Text></Text>
            <TextLink to="/sites" size="sm">Sites</TextLink>
          </>
        )}
      </Group>
    </Paper>
  );
}
