import type { OwnFinding } from "@assay/contract/dashboard/integrity.ts";
import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Details } from "../../ui/details.tsx";
import { FindingAnswer } from "../../ui/finding-answer.tsx";
import { FindingEvidence } from "../../ui/finding-evidence.tsx";
import { formatCountOf, formatExactUsd, formatLocalDay } from "../../ui/format.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { Time } from "../../ui/time.tsx";
import { AcceptDialog } from "./accept-dialog.tsx";
import { AnswerForm } from "./answer-form.tsx";

const decisionTexts = {
  upheld: "An operator upheld this finding.",
  dismissed: "An operator dismissed this finding. What had waited for it moves on.",
  accepted: "You accepted this finding. The named calls were reversed.",
};

function Decision({ finding }: { finding: OwnFinding }) {
  if (finding.closed_at === null) return null;
  return (
    <Alert variant="light" color={finding.decision === "dismissed" ? "verdigris" : "gray"}>
      <Text size="sm">{finding.decision === null ? "This finding is closed." : decisionTexts[finding.decision]} <Time at={finding.closed_at} /></Text>
      {finding.resolution !== null && <Text size="sm" mt={4}>Reason: {finding.resolution}</Text>}
    </Alert>
  );
}

/** What the account can do about an open finding: explain, or give up the money. */
function Choices({ finding }: { finding: OwnFinding }) {
  const [isAccepting, setAccepting] = useState(false);
  const { accept, accept_refused } = finding;
  return (
    <Stack gap="lg">
      {finding.answer ? (
        <Details key={finding.answer.at} summary="Change your answer"><AnswerForm findingId={finding.id} before={finding.answer.text} /></Details>
      ) : (
        <AnswerForm findingId={finding.id} before={undefined} />
      )}
      <Stack gap="xs">
        {accept ? (
          <>
            <Text size="sm">Or give up what these sessions earned: {formatCountOf(accept.calls, "call", "calls")}, {formatExactUsd(accept.developer_usd)}. Then nobody has to decide.</Text>
            <Group><Button variant="default" onClick={() => setAccepting(true)}>Accept the finding</Button></Group>
          </>
        ) : (
          accept_refused !== null && <Text size="sm" c="dimmed">You cannot accept it: {accept_refused}</Text>
        )}
      </Stack>
      {isAccepting && accept && <AcceptDialog finding={finding} cost={accept} onClose={() => setAccepting(false)} />}
    </Stack>
  );
}

const isOverdue = ({ overdue_at }: OwnFinding): boolean => overdue_at !== null && Date.parse(overdue_at) <= Date.now();

function stateOf(finding: OwnFinding): string {
  if (finding.closed_at !== null) return finding.decision ?? "closed";
  return isOverdue(finding) ? "overdue" : "open";
}

function describeWait(finding: OwnFinding): string | undefined {
  if (finding.overdue_at === null) return undefined;
  const by = formatLocalDay(finding.overdue_at);
  return isOverdue(finding) ? `An operator should have decided by ${by} and is reminded. Your money waits until then.` : `An operator decides by ${by}. Until then your earnings from calls wait.`;
}

export function FindingCard({ finding }: { finding: OwnFinding }) {
  const isOpen = finding.closed_at === null;
  return (
    <Panel title={finding.title} hint={<>Opened <Time at={finding.opened_at} />. {describeWait(finding)}</>} aside={<StatusBadge status={stateOf(finding)} />}>
      <FindingEvidence
        finding={finding}
        showSession={(sessionId) => <TextLink to="/sessions" search={{ session: sessionId }} ff="monospace" inherit>{sessionId}</TextLink>}
      />
      {finding.answer && <FindingAnswer answer={finding.answer} by="You answered" />}
      {isOpen ? <Choices finding={finding} /> : <Decision finding={finding} />}
    </Panel>
  );
}
