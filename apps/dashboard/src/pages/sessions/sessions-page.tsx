import type { SessionItem } from "@assay/contract/dashboard/sessions.ts";
import { Badge, Group, NativeSelect, Paper, Stack, Table, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type SessionFilter, sessionsQuery } from "../../api/sessions.ts";
import { formatPercent } from "../../ui/format.ts";
import { LevelBadge } from "../../ui/level-badge.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { MoreButton } from "../../ui/more-button.tsx";
import { Page } from "../../ui/page.tsx";
import { ScrollBox } from "../../ui/panel.tsx";
import { EmptyState, QueryView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { CalibrationPanel } from "./calibration-panel.tsx";
import { DriftPanel } from "./drift-panel.tsx";
import { SessionDrawer } from "./session-drawer.tsx";
import { describeIssue, outcomeNames, outcomeLabels, recommendationLabels } from "./session-labels.ts";

const any = { value: "", label: "Any" };
const levels = [{ ...any, label: "Any level" }, { value: "high", label: "High" }, { value: "medium", label: "Medium" }, { value: "low", label: "Low" }];
const modes = [{ ...any, label: "Live and test" }, { value: "live", label: "Live" }, { value: "test", label: "Test" }];
const outcomeChoices = [
  { ...any, label: "Any outcome" },
  { value: "none", label: "Not reported" },
  ...outcomeNames.map((name) => ({ value: name, label: outcomeLabels[name].label })),
];

const chosen = <Value extends string>(text: string | undefined, choices: readonly { value: string }[]): Value | undefined =>
  text !== undefined && text !== "" && choices.some(({ value }) => value === text) ? (text as Value) : undefined;

function AttestationCell({ session: { attestation, attestation_issues: issues } }: { session: SessionItem }) {
  return (
    <span className="one-line" title={issues.map(describeIssue).join("\n")}>
      {attestation === "server_timed" ? "attested" : <Text span inherit c="dimmed">asserted</Text>}
      {issues.length > 0 && <Text span inherit c="dimmed"> · {issues.map((issue) => issue.replaceAll("_", " ")).join(", ")}</Text>}
    </span>
  );
}

function SessionTable({ sessions, onOpen }: { sessions: readonly SessionItem[]; onOpen: (sessionId: string) => void }) {
  return (
    <Paper withBorder>
      <ScrollBox label="Sessions">
        <Table verticalSpacing={8} horizontalSpacing="md" highlightOnHover miw={860}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Time</Table.Th>
              <Table.Th ta="right">Score</Table.Th>
              <Table.Th>Level</Table.Th>
              <Table.Th ta="right">Confidence</Table.Th>
              <Table.Th>Recommendation</Table.Th>
              <Table.Th>Attestation</Table.Th>
              <Table.Th>Outcome</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sessions.map((session) => (
              <Table.Tr key={session.session_id}>
                <Table.Td>
                  <Group gap={8} wrap="nowrap">
                    <button type="button" className="row-button" onClick={() => onOpen(session.session_id)}><Time at={session.timestamp} /></button>
                    {session.mode === "test" && <Badge size="xs" variant="default" className="badge-text">test</Badge>}
                  </Group>
                </Table.Td>
                <Table.Td ta="right" fw={600}>{session.service_score.toFixed(1)}</Table.Td>
                <Table.Td><LevelBadge level={session.trust_level} /></Table.Td>
                <Table.Td ta="right">{formatPercent(session.confidence)}</Table.Td>
                <Table.Td>{recommendationLabels[session.recommendation]}</Table.Td>
                <Table.Td><AttestationCell session={session} /></Table.Td>
                <Table.Td>{session.outcome === null ? <Text size="sm" c="dimmed">–</Text> : outcomeLabels[session.outcome].label}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </Paper>
  );
}

export function SessionsPage() {
  const search = useSearch({ from: "/account/sessions" });
  const navigate = useNavigate();
  const filter: SessionFilter = {};
  const level = chosen<"high" | "medium" | "low">(search.level, levels);
  const mode = chosen<"live" | "test">(search.mode, modes);
  const outcome = chosen<"none">(search.outcome, outcomeChoices);
  Object.assign(filter, { ...(level && { level }), ...(mode && { mode }), ...(outcome && { outcome }) });
  const sessions = useInfiniteQuery(sessionsQuery(filter));
  const show = (next: Record<string, string | undefined>) => void navigate({ to: "/sessions", search: { ...search, ...next }, replace: true, resetScroll: false });
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Page title="Sessions" description="Recently scored sessions with their signals, score and explanation. Report outcomes to calibrate your scores.">
      <CalibrationPanel />
      <Paper withBorder p="sm">
        <Group gap="sm">
          <NativeSelect aria-label="Level" data={levels} value={level ?? ""} onChange={(event) => show({ level: event.currentTarget.value })} />
          <NativeSelect aria-label="Mode" data={modes} value={mode ?? ""} onChange={(event) => show({ mode: event.currentTarget.value })} />
          <NativeSelect aria-label="Outcome" data={outcomeChoices} value={outcome ?? ""} onChange={(event) => show({ outcome: event.currentTarget.value })} />
        </Group>
      </Paper>
      <QueryView query={sessions} height={360}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.sessions);
          return (
            <Stack gap="md">
              {all.length > 0 && <SessionTable sessions={all} onOpen={(session) => show({ session })} />}
              {all.length === 0 && !sessions.hasNextPage && (
                <EmptyState title={isFiltered ? "No matching sessions" : "No sessions yet"} action={!isFiltered && <LinkButton to="/playground">Open playground</LinkButton>}>
                  {isFiltered ? "Try another level, mode or outcome." : "Send a call with a key or from the playground. It appears here immediately."}
                </EmptyState>
              )}
              <MoreButton query={sessions} isEmpty={all.length === 0} />
            </Stack>
          );
        }}
      </QueryView>
      <DriftPanel />
      <SessionDrawer sessionId={search.session} onClose={() => show({ session: undefined })} />
    </Page>
  );
}
