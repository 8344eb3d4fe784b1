import type { SessionDetailReply } from "@assay/contract/dashboard/sessions.ts";
import { Drawer, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "../../api/sessions.ts";
import { ContributionTable } from "../../playground/contribution-table.tsx";
import { ScoreGauge } from "../../playground/score-gauge.tsx";
import { Copyable } from "../../ui/copy.tsx";
import { formatExactUsd } from "../../ui/format.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { QueryView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { OutcomeForm } from "./outcome-form.tsx";
import { attestedNames, describeIssue, recommendationLabels, signalLines } from "./session-labels.ts";

const unexplainedTexts = {
  other_model: "A different model version scored this session, so its points cannot be shown.",
  forced_by_test: "A test scenario forced this answer. The signals were not used.",
};

const settlementTexts = {
  pending: "pending: what it earned can still be reversed",
  confirmed: "confirmed: what it earned is final",
  reversed: "reversed: what it earned was taken back",
};

function Explanation({ session }: { session: SessionDetailReply }) {
  const { explanation, unexplained } = session;
  if (!explanation) return <Text size="sm" c="dimmed">{unexplained === null ? "No explanation." : unexplainedTexts[unexplained]}</Text>;
  return (
    <Stack gap="sm">
      <ContributionTable baseValue={explanation.base_value} contributions={explanation.contributions} unroundedScore={explanation.unrounded_score} />
      <ul className="reason-list">{explanation.reasons.map(({ code, message }) => <li key={code}>{message}</li>)}</ul>
    </Stack>
  );
}

function Facts({ session }: { session: SessionDetailReply }) {
  const rows = [
    ...signalLines(session.signals).map(({ label, value }) => ({ label, value: <>{value}</> })),
    { label: "Time", value: <Time at={session.timestamp} /> },
    { label: "Endpoint", value: <>{session.endpoint}, {session.mode} key</> },
    { label: "Recommendation", value: <>{recommendationLabels[session.recommendation]}</> },
    { label: "Earned", value: <>{formatExactUsd(session.revenue_attribution)}</> },
    ...(session.settlement === null ? [] : [{ label: "Settlement", value: <>{settlementTexts[session.settlement]}</> }]),
    { label: "Model", value: <>{session.model_version}</> },
    { label: "Calibration", value: <>{session.calibration_version === null ? "shipped" : `your own, version ${session.calibration_version}`}</> },
  ];
  return (
    <Table verticalSpacing={5} layout="fixed">
      <Table.Tbody>
        {rows.map(({ label, value }) => (
          <Table.Tr key={label}>
            <Table.Th fw={400} c="dimmed" scope="row">{label}</Table.Th>
            <Table.Td>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Attestation({ session }: { session: SessionDetailReply }) {
  const { attestation, attested, attestation_issues: issues } = session;
  return (
    <Stack gap={6}>
      <Text size="sm">
        {attestation === "server_timed" ? (
          <>Attested: {attestedNames(attested)}. A page reported these while the session lasted, and Assay's clock bounds them. The rest is your word.</>
        ) : (
          <>Asserted: the signals count as your word.{issues.length === 0 && <> Pages of a <TextLink to="/sites" inherit>site</TextLink> can have sessions attested.</>}</>
        )}
      </Text>
      {issues.length > 0 && <ul className="reason-list">{issues.map((issue) => <li key={issue}>{describeIssue(issue)}</li>)}</ul>}
    </Stack>
  );
}

function Detail({ session }: { session: SessionDetailReply }) {
  return (
    <Stack gap="lg">
      <Copyable text={session.session_id} label="Copy session ID" />
      <ScoreGauge score={session.service_score} level={session.trust_level} confidence={session.confidence} interval={session.explanation?.interval} />
      <section aria-label="Outcome">
        <Title order={3} mb="xs">Outcome</Title>
        <OutcomeForm session={session} />
      </section>
      <section aria-label="Explanation">
        <Explanation session={session} />
      </section>
      <section aria-label="Details">
        <Title order={3} mb="xs">Signals and details</Title>
        <Facts session={session} />
      </section>
      <section aria-label="Attestation">
        <Title order={3} mb="xs">Attestation</Title>
        <Attestation session={session} />
      </section>
      {session.receipt !== null && (
        <section aria-label="Receipt">
          <Title order={3} mb="xs">Receipt</Title>
          <Copyable text={session.receipt} shown={`${session.receipt.slice(0, 30)}…`} label="Copy receipt" />
        </section>
      )}
    </Stack>
  );
}

function SessionDetail({ sessionId }: { sessionId: string }) {
  const session = useQuery(sessionQuery(sessionId));
  return <QueryView query={session} height={320}>{(answer) => <Detail session={answer} />}</QueryView>;
}

export function SessionDrawer({ sessionId, onClose }: { sessionId: string | undefined; onClose: () => void }) {
  return (
    <Drawer opened={sessionId !== undefined} onClose={onClose} position="right" size="lg" title="Session" closeButtonProps={{ "aria-label": "Close" }}>
      {sessionId !== undefined && <SessionDetail sessionId={sessionId} />}
    </Drawer>
  );
}
