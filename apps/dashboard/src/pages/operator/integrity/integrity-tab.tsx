import { Button, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { findingsQuery, integrityQuery } from "../../../api/operator-integrity.ts";
import { Panel } from "../../../ui/panel.tsx";
import { QueryView } from "../../../ui/states.tsx";
import { OpenFindingDialog } from "../finding-dialogs.tsx";
import { FindingList } from "../finding-list.tsx";
import { DaysPanel } from "./days-panel.tsx";
import { DistributionsPanel } from "./distributions-panel.tsx";
import { EvidencePanel } from "./evidence-panel.tsx";
import { ReviewPanel } from "./review-panel.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";

function FindingsPanel({ accountId, isOwn }: { accountId: string; isOwn: boolean }) {
  const findings = useQuery(findingsQuery);
  const [isOpening, opening] = useDisclosure(false);
  return (
    <Panel title="Findings" hint="While one is open, nothing more is confirmed or paid out." aside={<Button variant="default" disabled={isOwn} onClick={opening.open}>Open a finding</Button>}>
      <QueryView query={findings} height={100}>
        {(answer) => <FindingList findings={answer.findings.filter((finding) => finding.account_id === accountId)} empty={<Text size="sm" c="dimmed">None is open.</Text>} />}
      </QueryView>
      {isOpening && <OpenFindingDialog accountId={accountId} onClose={opening.close} />}
    </Panel>
  );
}

/** Whether the account's calls are paid for: what was found, and what an operator can do about it. */
export function IntegrityTab({ accountId, email, isOwn }: { accountId: string; email: string; isOwn: boolean }) {
  const integrity = useQuery(integrityQuery(accountId));
  return (
    <Stack gap="lg">
      <FindingsPanel accountId={accountId} isOwn={isOwn} />
      <DaysPanel accountId={accountId} isOwn={isOwn} />
      <ReviewPanel accountId={accountId} email={email} isOwn={isOwn} />
      <QueryView query={integrity} height={320}>
        {(answer) => (
          <Stack gap="lg">
            <EvidencePanel integrity={answer} />
            <DistributionsPanel integrity={answer} />
            <SessionsPanel integrity={answer} />
          </Stack>
        )}
      </QueryView>
    </Stack>
  );
}
