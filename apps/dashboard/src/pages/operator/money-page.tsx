import type { MoneyReply } from "@assay/contract/dashboard/operator.ts";
import { Alert, Button, SimpleGrid, Stack, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { moneyQuery } from "../../api/operator.ts";
import { Copyable } from "../../ui/copy.tsx";
import { formatCount, formatExactUsd, formatMonth, formatUtcDay } from "../../ui/figures.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel, ScrollBox } from "../../ui/panel.tsx";
import { Stat } from "../../ui/stat.tsx";
import { Shown } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { FundDialog } from "./fund-dialog.tsx";
import { StatusBadge } from "./status-badge.tsx";

const receiptLengthShown = 16;

function Group({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return <Panel title={title} hint={hint}><SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md">{children}</SimpleGrid></Panel>;
}

/** Each figure leads to the list that it is the sum of. */
function Figures({ money }: { money: MoneyReply }) {
  const usd = formatExactUsd;
  return (
    <Stack gap="md">
      {money.available_usd < 0 && (
        <Alert color="red" variant="light" title="More is promised than is there">
          {usd(-money.available_usd)} are missing for what developers have earned. Payouts wait until funding covers them.
        </Alert>
      )}
      <Group title="Came in" hint="What can pay developers.">
        <Stat label="Funding" value={<TextLink to="/operator/money" hash="funding" inherit underline="hover">{usd(money.funding_usd)}</TextLink>} hint="put in by you" />
        <Stat label="Advertisers' clicks" value={<TextLink to="/operator/campaigns" inherit underline="hover">{usd(money.advertiser_usd)}</TextLink>} hint={`${usd(money.advertiser_pending_usd)} of it may still be reversed`} />
        <Stat label="Charged for calls" value={<TextLink to="/operator/accounts" inherit underline="hover">{usd(money.charged_usd)}</TextLink>} hint="where developers pay for calls themselves" />
      </Group>
      <Group title="Owed to developers" hint="From a click or a call to money on its way.">
        <Stat label="Earned over all time" value={<TextLink to="/operator/accounts" inherit underline="hover">{usd(money.earned_usd)}</TextLink>} hint="calls, clicks, adjustments" />
        <Stat label="Pending" value={<TextLink to="/operator/accounts" inherit underline="hover">{usd(money.pending_usd)}</TextLink>} hint="clicks that may still be reversed" />
        <Stat label="Held" value={<TextLink to="/operator/payouts" inherit underline="hover">{usd(money.held_usd)}</TextLink>} hint="not payable now; the list says why" />
        <Stat label="Payable" value={<TextLink to="/operator/payouts" inherit underline="hover">{usd(money.payable_usd)}</TextLink>} hint={`earned up to ${formatMonth(money.payable_month)}`} />
        <Stat label="Under way" value={<TextLink to="/operator/payouts" hash="payouts" inherit underline="hover">{usd(money.under_way_usd)}</TextLink>} hint="proposed, approved or exported" />
        <Stat label="Paid" value={<TextLink to="/operator/payouts" search={{ status: "paid" }} hash="payouts" inherit underline="hover">{usd(money.paid_usd)}</TextLink>} hint="less what came back" />
      </Group>
      <Group title="Left" hint="After everything that is promised.">
        <Stat label="Platform margin" value={<TextLink to="/operator/money" hash="months" inherit underline="hover">{usd(money.margin_usd)}</TextLink>} hint="of clicks, and of calls that somebody else paid for" />
        <Stat label="Available" value={<TextLink to="/operator/money" hash="months" inherit underline="hover">{usd(money.available_usd)}</TextLink>} hint="in hand and promised to nobody" />
      </Group>
    </Stack>
  );
}

function Months({ months }: { months: MoneyReply["months"] }) {
  const amounts = ["calls_gross_usd", "clicks_gross_usd", "developer_usd", "platform_usd", "paid_usd", "funding_usd"] as const;
  return (
    <ScrollBox label="Money by month">
      <Table verticalSpacing="xs" miw={940} id="months">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Month (UTC)</Table.Th>
            <Table.Th>State</Table.Th>
            {["Calls", "Calls, gross", "Clicks, gross", "Developers", "Platform", "Paid out", "Funding"].map((name) => <Table.Th key={name} ta="right">{name}</Table.Th>)}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {months.map((month) => (
            <Table.Tr key={month.month}>
              <Table.Td className="one-line">{formatMonth(month.month)}</Table.Td>
              <Table.Td className="one-line">
                <StatusBadge status={month.closed ? "closed" : "running"} />
                <Text size="xs" c="dimmed">payable from {formatUtcDay(month.payable_from)}</Text>
              </Table.Td>
              <Table.Td ta="right">{formatCount(month.calls)}</Table.Td>
              {amounts.map((name) => <Table.Td key={name} ta="right">{formatExactUsd(month[name])}</Table.Td>)}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

function Funding({ funding }: { funding: MoneyReply["funding"] }) {
  if (funding.length === 0) return <Text size="sm" c="dimmed" id="funding">Nothing was put in yet. While the platform pays for calls, payouts need funding: add what you have set aside.</Text>;
  return (
    <ScrollBox label="Funding entries">
      <Table verticalSpacing="xs" miw={520} id="funding">
        <Table.Thead><Table.Tr><Table.Th>Time</Table.Th><Table.Th ta="right">Amount</Table.Th><Table.Th>Receipt</Table.Th></Table.Tr></Table.Thead>
        <Table.Tbody>
          {funding.map(({ ref, at, usd, receipt }) => (
            <Table.Tr key={ref}>
              <Table.Td><Time at={at} /></Table.Td>
              <Table.Td ta="right">{formatExactUsd(usd)}</Table.Td>
              <Table.Td><Copyable text={receipt} shown={`${receipt.slice(0, receiptLengthShown)}…`} label="Copy the receipt" /></Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

export function MoneyPage() {
  const money = useQuery(moneyQuery);
  const [isFunding, funding] = useDisclosure(false);
  return (
    <Page
      title="Money"
      description="The whole installation's, out of the ledger. Demo accounts are left out."
      actions={<Button leftSection={<IconPlus size={16} />} onClick={funding.open}>Add funding</Button>}
    >
      <Shown of={money} height={420}>
        {(answer) => (
          <Stack gap="md">
            <Figures money={answer} />
            <Panel title="Months" hint="A month closes by itself on the 1st (UTC); what it earned may be paid from the 15th on."><Months months={answer.months} /></Panel>
            <Panel title="Funding entries" hint="The newest hundred of the platform's own chain."><Funding funding={answer.funding} /></Panel>
          </Stack>
        )}
      </Shown>
      {isFunding && <FundDialog onClose={funding.close} />}
    </Page>
  );
}
