import type { CampaignConversionsReply, CampaignTokenReply } from "@assay/contract/dashboard/campaigns.ts";
import { Alert, Button, Code, CopyButton, Group, Modal, Stack, Table, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { campaignConversionsQuery, makeCampaignToken } from "../../api/campaigns.ts";
import { operatorKey } from "../../api/operator.ts";
import { CodeBlock } from "../../playground/code-block.tsx";
import { formatCount, formatPercent, formatUtcTime } from "../../ui/format.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { Panel, ScrollBox } from "../../ui/panel.tsx";
import { FormError, QueryView } from "../../ui/states.tsx";

const exampleCall = (campaignId: string) =>
  `curl ${location.origin}/api/campaigns/${campaignId}/conversions \\\n  -H "Authorization: Bearer $CAMPAIGN_TOKEN" \\\n  -H "Content-Type: application/json" \\\n  -d '{"ad_id": "ad_…"}'`;

function TokenShownOnce({ made, onDone }: { made: CampaignTokenReply; onDone: () => void }) {
  return (
    <Stack gap="md">
      <Alert color="yellow" variant="light">This token is shown only once. Copy it now and give it to the advertiser.</Alert>
      <Code className="code-text whole" p="sm" data-testid="campaign-token">{made.token}</Code>
      <Group>
        <CopyButton value={made.token}>{({ copied, copy }) => <Button onClick={copy} data-autofocus>{copied ? "Copied" : "Copy token"}</Button>}</CopyButton>
        <Button variant="default" onClick={onDone}>Done</Button>
      </Group>
      <Text size="sm">The advertiser reports a conversion with the ad's id. Its landing page gets the id where the landing address says <code>{"{ad_id}"}</code>.</Text>
      <CodeBlock code={exampleCall(made.campaign_id)} label="Report a conversion" />
    </Stack>
  );
}

function TokenDialog({ campaignId, hasToken, onClose }: { campaignId: string; hasToken: boolean; onClose: () => void }) {
  const queries = useQueryClient();
  const make = useMutation({ mutationFn: () => makeCampaignToken(campaignId), onSuccess: () => queries.invalidateQueries({ queryKey: operatorKey }) });
  return (
    <Modal opened onClose={onClose} title={make.data ? "The campaign's token" : hasToken ? "Replace the token?" : "Make a token?"} size="lg" closeButtonProps={{ "aria-label": "Close" }} closeOnClickOutside={false}>
      {make.data ? (
        <TokenShownOnce made={make.data} onDone={onClose} />
      ) : (
        <Stack gap="md">
          <FormError error={make.error} />
          <Text size="sm">The advertiser reports conversions of this campaign with it. It can do nothing else.{hasToken && " The present token stops working at once."}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>Cancel</Button>
            <Button loading={make.isPending} onClick={() => make.mutate()}>{hasToken ? "Replace token" : "Make token"}</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function Developers({ report }: { report: CampaignConversionsReply }) {
  if (report.developers.length === 0) return <Text size="sm" c="dimmed">No paid clicks and no conversions in this period.</Text>;
  const rate = (conversions: number, clicks: number) => (clicks > 0 ? formatPercent(conversions / clicks) : "–");
  return (
    <ScrollBox label="Conversions by developer">
      <Table verticalSpacing="xs" miw={480}>
        <Table.Thead>
          <Table.Tr><Table.Th>Developer</Table.Th><Table.Th ta="right">Paid clicks</Table.Th><Table.Th ta="right">Conversions</Table.Th><Table.Th ta="right">Per click</Table.Th></Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {report.developers.map((row) => (
            <Table.Tr key={row.account_id}>
              <Table.Td><TextLink to="/operator/accounts/$accountId" params={{ accountId: row.account_id }} inherit>{row.email ?? row.account_id}</TextLink></Table.Td>
              <Table.Td ta="right">{formatCount(row.valid_clicks)}</Table.Td>
              <Table.Td ta="right">{formatCount(row.conversions)}</Table.Td>
              <Table.Td ta="right">{rate(row.conversions, row.valid_clicks)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr><Table.Th scope="row">Total</Table.Th><Table.Td ta="right">{formatCount(report.valid_clicks)}</Table.Td><Table.Td ta="right">{formatCount(report.conversions)}</Table.Td><Table.Td ta="right">{rate(report.conversions, report.valid_clicks)}</Table.Td></Table.Tr>
        </Table.Tfoot>
      </Table>
    </ScrollBox>
  );
}

export function ConversionsPanel({ campaignId, from }: { campaignId: string; from: string }) {
  const [isMaking, setMaking] = useState(false);
  const report = useQuery(campaignConversionsQuery(campaignId, { from }));
  const madeAt = report.data?.token_created_at ?? null;
  return (
    <Panel
      title="Conversions"
      hint={`What the advertiser reports about paid clicks, by developer. Nothing is paid or held because of it. ${madeAt === null ? "The campaign has no token yet." : `Token of ${formatUtcTime(madeAt)}.`}`}
      aside={<Button size="xs" variant="default" onClick={() => setMaking(true)}>{madeAt === null ? "Make token" : "Replace token"}</Button>}
    >
      <QueryView query={report} height={120}>{(answer) => <Developers report={answer} />}</QueryView>
      {isMaking && <TokenDialog campaignId={campaignId} hasToken={madeAt !== null} onClose={() => setMaking(false)} />}
    </Panel>
  );
}
