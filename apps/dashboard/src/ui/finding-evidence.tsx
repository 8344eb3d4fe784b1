import type { OwnFinding } from "@assay/contract/dashboard/integrity.ts";
import { Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { formatDays } from "./days.ts";
import { Details } from "./details.tsx";
import { formatCountOf } from "./format.ts";
import { Gauge } from "./gauge.tsx";

type Props = { finding: Pick<OwnFinding, "detail" | "statistic" | "threshold" | "days" | "sessions">; showSession: (sessionId: string) => ReactNode };

const sessionsShownFirst = 5;

function SessionList({ sessions, showSession }: { sessions: readonly string[] } & Pick<Props, "showSession">) {
  return <Group component="ul" gap="4px 14px" className="plain-list">{sessions.map((sessionId) => <li key={sessionId}>{showSession(sessionId)}</li>)}</Group>;
}

/** What was found, as both sides see it. */
export function FindingEvidence({ finding: { detail, statistic, threshold, days, sessions }, showSession }: Props) {
  return (
    <Stack gap="sm">
      <Text size="sm">{detail}</Text>
      {statistic !== null && threshold !== null && <Gauge statistic={statistic} threshold={threshold} />}
      {days.length > 0 && <Text size="sm"><Text span inherit c="dimmed">{days.length === 1 ? "Day" : "Days"} (UTC):</Text> {formatDays(days)}</Text>}
      {sessions.length > 0 && (
        <div>
          <Text size="sm" c="dimmed">{formatCountOf(sessions.length, "example session", "example sessions")}:</Text>
          <SessionList sessions={sessions.slice(0, sessionsShownFirst)} showSession={showSession} />
          {sessions.length > sessionsShownFirst && <Details summary={`${sessions.length - sessionsShownFirst} more`}><SessionList sessions={sessions.slice(sessionsShownFirst)} showSession={showSession} /></Details>}
        </div>
      )}
    </Stack>
  );
}
