import { Group, Paper, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { liveQuery, overviewQuery } from "../../api/overview.ts";
import { formatCount, formatUsd } from "../../ui/format.ts";
import { LevelBadge } from "../../ui/level-badge.tsx";
import { RelativeTime } from "../../ui/time.tsx";

/** The overview is not refetched more often than this while calls keep coming. */
const overviewRefreshMsMin = 2_000;

/** Polls the live figures every second and refetches the overview when they change. */
export function LiveStrip() {
  const queries = useQueryClient();
  const { data } = useQuery(liveQuery);
  const lastSeen = useRef<string>(undefined);
  const newest = data && `${data.ledger_seq} ${data.last_session?.session_id ?? ""}`;
  useEffect(() => {
    if (newest === undefined || lastSeen.current === newest) return;
    const isFirst = lastSeen.current === undefined;
    lastSeen.current = newest;
    const updatedMs = queries.getQueryState(overviewQuery.queryKey)?.dataUpdatedAt ?? 0;
    if (!isFirst && Date.now() - updatedMs > overviewRefreshMsMin) void queries.invalidateQueries({ queryKey: overviewQuery.queryKey });
  }, [newest, queries]);
  if (!data) return null;
  const { last_session: last } = data;
  return (
    <Paper withBorder px="md" py="sm" component="section" aria-label="Live">
      <Group gap="lg">
        <Group gap={8} wrap="nowrap">
          <span key={newest} className="live-dot fresh" aria-hidden="true" />
          <Text size="sm" fw={600}>Live</Text>
        </Group>
        <Text size="sm"><strong data-testid="live-calls">{formatCount(data.calls_month)}</strong> calls this month</Text>
        <Text size="sm"><strong>{formatUsd(data.revenue_month_usd)}</strong> earned</Text>
        {last ? (
          <Group gap={8}>
            <Text size="sm">Last session <strong>{last.service_score.toFixed(1)}</strong></Text>
            <LevelBadge level={last.trust_level} />
            <Text size="sm" c="dimmed"><RelativeTime at={last.at} />{last.mode === "test" ? " · test" : ""}</Text>
          </Group>
        ) : (
          <Text size="sm" c="dimmed">No sessions yet</Text>
        )}
      </Group>
    </Paper>
  );
}
