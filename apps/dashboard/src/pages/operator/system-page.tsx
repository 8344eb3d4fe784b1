import type { SystemReply } from "@assay/contract/dashboard/operator.ts";
import { Button, SimpleGrid, Stack, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { rotateTrackingKey, systemQuery } from "../../api/operator.ts";
import { formatCount, formatCountOf } from "../../ui/format.ts";
import { Page } from "../../ui/page.tsx";
import { Panel, ScrollBox } from "../../ui/panel.tsx";
import { Stat } from "../../ui/stat.tsx";
import { QueryView } from "../../ui/states.tsx";
import { RelativeTime, Time } from "../../ui/time.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { formatUptime } from "./format-uptime.ts";
import { StatusBadge } from "../../ui/status-badge.tsx";

const bytesPerMebibyte = 1_048_576;
const storeNames = { sqlite: "SQLite", postgres: "PostgreSQL" };

function Figures({ system }: { system: SystemReply }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md">
      <Stat label="Version" value={system.version} hint={`model ${system.model_version}`} />
      <Stat label="Uptime" value={formatUptime(system.uptime_seconds)} hint="this node" />
      <Stat label="Memory" value={`${formatCount(Math.round(system.memory_bytes / bytesPerMebibyte))} MiB`} hint={`${formatCountOf(system.commit_queue, "charge", "charges")} waiting to be written`} />
      <Stat label="Store" value={storeNames[system.store]} hint={`${system.store === "sqlite" ? "embedded; " : ""}rate limits in ${system.limits}`} />
    </SimpleGrid>
  );
}

const survivalNames = { yes: "Yes", no: "No", unknown: "Unknown" } as const;

function DurabilityPanel({ durability }: { durability: SystemReply["durability"] }) {
  return (
    <Panel title="Durability" hint="Whether an acknowledged call survives the loss of the machine that stores it.">
      <Text fw={600}>{survivalNames[durability.survives_loss_of_primary]}</Text>
      <Text size="sm">{durability.explained}</Text>
    </Panel>
  );
}

type Job = SystemReply["jobs"][number];

/** See docs/jobs.md. */
const purposes: Readonly<Record<string, string>> = {
  clear_outbox: "deletes emails sent or given up a week ago",
  delete_expired: "deletes records past their retention",
  reseal_secrets: "encrypts with the current secret what an old one encrypted",
  keep_accounts: "expires old sign-ins and links, erases closed accounts once settled",
  keep_partitions: "creates partitions for the coming days, drops those past retention",
  send_statements: "emails the statements of completed months",
  settle_clicks: "confirms clicks whose hold period is over",
  sum_up_hours: "rolls up sessions by hour for reports",
  watch_clicks: "looks for clicks that genuine visitors would not make",
};

function JobState({ job }: { job: Job }) {
  if (job.state === "running") return <>running{job.started_at !== null && <> since <Time at={job.started_at} /></>}</>;
  return <Time at={job.next_run_at} />;
}

function JobResult({ job }: { job: Job }) {
  if (job.last_run_at === null) return <>not run yet</>;
  return (
    <>
      {job.state === "failing" && <StatusBadge status="failing" />}
      <Text inherit>{job.last_result}</Text>
      {job.failures > 0 && (
        <Text size="xs" c="dimmed">
          {formatCountOf(job.failures, "failure", "failures")} in a row, last success {job.last_success_at === null ? "never" : <RelativeTime at={job.last_success_at} />}
        </Text>
      )}
    </>
  );
}

function Jobs({ jobs }: { jobs: readonly Job[] }) {
  return (
    <ScrollBox label="Jobs">
      <Table verticalSpacing="xs" miw={760}>
        <Table.Thead>
          <Table.Tr><Table.Th>Job</Table.Th><Table.Th>Last run</Table.Th><Table.Th>Duration</Table.Th><Table.Th>Result</Table.Th><Table.Th>Next run</Table.Th><Table.Th>Node</Table.Th></Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {jobs.map((job) => (
            <Table.Tr key={job.name}>
              <Table.Td><Text inherit ff="monospace">{job.name}</Text><Text size="xs" c="dimmed">{purposes[job.name]}</Text></Table.Td>
              <Table.Td>{job.last_run_at === null ? "–" : <RelativeTime at={job.last_run_at} />}</Table.Td>
              <Table.Td>{job.last_duration_ms === null ? "–" : `${formatCount(job.last_duration_ms)}\u00A0ms`}</Table.Td>
              <Table.Td><JobResult job={job} /></Table.Td>
              <Table.Td><JobState job={job} /></Table.Td>
              <Table.Td ff="monospace">{job.holder ?? "–"}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

function RotateDialog({ onClose }: { onClose: () => void }) {
  return (
    <ActionDialog title="Rotate tracking key?" confirm="Rotate" act={rotateTrackingKey} done="Tracking key rotated." onClose={onClose}>
      <Text inherit>A new key signs the click and impression URLs of new offers. Existing URLs keep working until they expire, two hours after their offer.</Text>
    </ActionDialog>
  );
}

function TrackingKeys({ keys }: { keys: SystemReply["tracking_keys"] }) {
  const [isRotating, rotating] = useDisclosure(false);
  return (
    <Panel title="Tracking keys" hint="These keys sign click and impression URLs. Rotate if a key may have leaked." aside={<Button variant="default" onClick={rotating.open}>Rotate</Button>}>
      <ScrollBox label="Tracking keys">
        <Table verticalSpacing="xs" miw={480}>
          <Table.Thead><Table.Tr><Table.Th>Key</Table.Th><Table.Th>Created</Table.Th><Table.Th>Status</Table.Th></Table.Tr></Table.Thead>
          <Table.Tbody>
            {keys.map(({ id, created_at, retired_at }) => (
              <Table.Tr key={id}>
                <Table.Td ff="monospace">{id}</Table.Td>
                <Table.Td><Time at={created_at} /></Table.Td>
                <Table.Td>{retired_at === null ? <StatusBadge status="active" /> : <>retired <Time at={retired_at} /></>}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
      {isRotating && <RotateDialog onClose={rotating.close} />}
    </Panel>
  );
}

function Mail({ mail }: { mail: SystemReply["mail"] }) {
  return (
    <Panel title="Email" hint={`Transport: ${mail.transport}`}>
      <SimpleGrid cols={2} spacing="md">
        <Stat label="Waiting" value={formatCount(mail.waiting)} hint="retried automatically" />
        <Stat label="Failed" value={formatCount(mail.failed)} hint={mail.failed > 0 ? "check SMTP_URL and the log" : "none"} />
      </SimpleGrid>
    </Panel>
  );
}

export function SystemPage() {
  const system = useQuery(systemQuery);
  return (
    <Page title="System" description="The health of this installation. Refreshes automatically.">
      <QueryView query={system} height={420}>
        {(answer) => (
          <Stack gap="md">
            <Figures system={answer} />
            <DurabilityPanel durability={answer.durability} />
            <Panel title="Jobs" hint="Each job runs once for all nodes, on whichever is free, and is retried automatically.">{answer.jobs.length === 0 ? <Text size="sm" c="dimmed">No jobs have run yet.</Text> : <Jobs jobs={answer.jobs} />}</Panel>
            <Mail mail={answer.mail} />
            <TrackingKeys keys={answer.tracking_keys} />
            <Panel title="Migrations" hint="Schema migrations applied, in order.">
              <Text size="sm" ff="monospace">{answer.migrations.join(", ")}</Text>
            </Panel>
          </Stack>
        )}
      </QueryView>
    </Page>
  );
}
