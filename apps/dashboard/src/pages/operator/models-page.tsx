import type { OperatorComparison, OperatorModels } from "@assay/contract/dashboard/models.ts";
import { Badge, Button, NativeSelect, Stack, Table, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { comparisonQuery, modelsQuery, setShadow } from "../../api/models.ts";
import { formatCount } from "../../ui/format.ts";
import { formatPoints, formatShare, ModelComparisonView } from "../../ui/model-comparison.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel, ScrollBox } from "../../ui/panel.tsx";
import { FormError, QueryView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";

function ModelTable({ answer }: { answer: OperatorModels }) {
  return (
    <ScrollBox label="Models">
      <Table verticalSpacing="xs" miw={640}>
        <Table.Thead><Table.Tr><Table.Th>Model</Table.Th><Table.Th>Released</Table.Th><Table.Th>Scores here since</Table.Th><Table.Th>Ends</Table.Th><Table.Th ta="right">Accounts that pinned it</Table.Th></Table.Tr></Table.Thead>
        <Table.Tbody>
          {answer.models.map(({ version, released, began, sunset, pinned_by: pinnedBy }) => (
            <Table.Tr key={version}>
              <Table.Td ff="monospace">{version} {answer.shadow?.version === version && <Badge variant="light" className="badge-text">shadow</Badge>}</Table.Td>
              <Table.Td>{released}</Table.Td>
              <Table.Td>{began === null ? "never" : <Time at={began} />}</Table.Td>
              <Table.Td>{sunset === null ? "newest" : <Time at={sunset} />}</Table.Td>
              <Table.Td ta="right">{formatCount(pinnedBy)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

function Shadow({ answer }: { answer: OperatorModels }) {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState(answer.shadow?.version ?? "");
  const change = useMutation({
    mutationFn: setShadow,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: modelsQuery.queryKey });
      notifications.show({ message: "Shadow model saved.", color: "verdigris" });
    },
  });
  const options = [{ value: "", label: "None" }, ...answer.models.map(({ version }) => ({ value: version, label: version }))];
  return (
    <Panel title="Shadow model" hint="It is compared with what calls are answered. It answers no call itself, bills nothing, and no developer sees it.">
      <Stack gap="sm" align="flex-start">
        <FormError error={change.error} />
        <NativeSelect label="Shadow" data={options} value={chosen} onChange={(event) => setChosen(event.currentTarget.value)} />
        <Button variant="default" loading={change.isPending} disabled={chosen === (answer.shadow?.version ?? "")} onClick={() => change.mutate(chosen === "" ? null : chosen)}>Save</Button>
      </Stack>
    </Panel>
  );
}

function AccountTable({ report, onChoose }: { report: OperatorComparison; onChoose: (account: string) => void }) {
  return (
    <ScrollBox label="Accounts">
      <Table verticalSpacing="xs" miw={560}>
        <Table.Thead><Table.Tr><Table.Th>Account</Table.Th><Table.Th ta="right">Sessions compared</Table.Th><Table.Th ta="right">Same level</Table.Th><Table.Th ta="right">Mean difference</Table.Th><Table.Th><span className="sr-only">Actions</span></Table.Th></Table.Tr></Table.Thead>
        <Table.Tbody>
          {report.accounts.map((each) => (
            <Table.Tr key={each.account_id}>
              <Table.Td>{each.email}</Table.Td>
              <Table.Td ta="right">{formatCount(each.sessions)}</Table.Td>
              <Table.Td ta="right">{formatShare(each.same_level)}</Table.Td>
              <Table.Td ta="right">{formatPoints(each.mean_difference)}</Table.Td>
              <Table.Td ta="right"><Button size="xs" variant="default" onClick={() => onChoose(each.account_id)} aria-label={`Only this: ${each.email}`}>Only this</Button></Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

function Comparison({ version }: { version: string }) {
  const [account, setAccount] = useState<string>();
  const report = useQuery(comparisonQuery({ version, account }));
  return (
    <Panel
      title="Answered and shadow"
      hint="Live sessions of the last 7 days: the score that callers got, and the one that the shadow model gives the same signals."
      aside={account !== undefined && <Button variant="default" onClick={() => setAccount(undefined)}>All accounts</Button>}
    >
      <QueryView query={report} height={320}>
        {(answer) => (
          <Stack gap="md">
            <ModelComparisonView comparison={answer.total} />
            {answer.accounts.length > 0 && <AccountTable report={answer} onChoose={setAccount} />}
            {!answer.is_all && <Text size="xs" c="dimmed">Accounts with fewer calls are left out.</Text>}
          </Stack>
        )}
      </QueryView>
    </Panel>
  );
}

export function ModelsPage() {
  const models = useQuery(modelsQuery);
  return (
    <Page title="Models" description="Which models score sessions here, and what another one would have answered.">
      <QueryView query={models} height={420}>
        {(answer) => (
          <Stack gap="md">
            <Panel title="Released models" hint={answer.grace_until === null ? "Accounts that have pinned none are scored by the newest." : <>Accounts from before the newest model keep the one before it until <Time at={answer.grace_until} />.</>}>
              <ModelTable answer={answer} />
            </Panel>
            <Shadow key={answer.shadow?.version ?? ""} answer={answer} />
            {answer.shadow && <Comparison version={answer.shadow.version} />}
          </Stack>
        )}
      </QueryView>
    </Page>
  );
}
