import type { MoneyReply } from "@assay/contract/dashboard/operator.ts";
import { Alert, Button, SimpleGrid, Stack, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { moneyQuery } from "../../api/operator.ts";
import { Copyable } from "../../ui/copy.tsx";
import { formatCount, formatExactUsd, formatMonth, formatUtcDay } from "../../ui/format.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { MoneyStates } from "../../ui/money-states.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel, ScrollBox } from "../../ui/panel.tsx";
import { Stat } from "../../ui/stat.tsx";
import { QueryView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { FundDialog } from "./fund-dialog.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";

const receiptLengthShown = 16;

function FigureGroup({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return <Panel title={title} hint={hint}><SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md">{children}</SimpleGrid></Panel>;
}

/** Each figure links to the list behind it. */
function Figures({ money }: { money: MoneyReply }) {
  const usd = formatExactUsd;
  return (
    <Stack gap="md">
      {money.four_eyes === "off" && (
        <Alert color="yellow" variant="light" title="One person can pay">
          Payouts need no second operator: one may propose and approve, also its own payout (<code>PAYOUT_FOUR_EYES=off</code>, or an installation that is only reachable from this machine).
        </Alert>
      )}
      {money.available_usd < 0 && (
        <Alert color="red" variant="light" title="Earnings are not covered">
          {usd(-money.available_usd)} is missing to cover what developers have earned. Payouts wait until funding covers them.
        </Alert>
      )}
      <FigureGroup title="Income" hint="Funding and deposits cover payouts. Book what advertisers pay you as funding when it arrives.">
        <Stat label="Funding" value={<TextLink to="/operator/money" hash="funding" inherit underline="hover">{usd(money.funding_usd)}</TextLink>} hint="added by you" />
        <Stat label="Deposits" value={<TextLink to="/operator/accounts" inherit underline="hover">{usd(money.deposits_usd)}</TextLink>} hint="paid in by developers for calls, less refunds" />
        <Stat label="Advertiser clicks" value={<TextLink to="/operator/campaigns" inherit underline="hover">{usd(money.advertiser_usd)}</TextLink>} hint={`what advertisers owe or paid; ${usd(money.advertiser_pending_usd)} can still be reversed`} />
        <Stat label="Charged for calls" value={<TextLink to="/operator/accounts" inherit underline="hover">{usd(money.charged_usd)}</TextLink>} hint="taken from deposits when developers pay for their calls" />
      </FigureGroup>
      <FigureGroup title="Owed to developers" hint="From call or click to payout.">
        <Stat label="Earned, all time" value={<TextLink to="/operator/accounts" inherit underline="hover">{usd(money.earned_usd)}</TextLink>} hint="calls, clicks, adjustments" />
        <Stat label="Pending" value={<TextLink to="/operator/accounts" inherit underline="hover">{usd(money.pending_usd)}</TextLink>} hint="calls and clicks that can still be reversed" />
        <Stat label="Waiting" value={<TextLink to="/operator/payouts" inherit underline="hover">{usd(money.held_usd)}</TextLink>} hint="due, and kept back for the reasons below" />
        <Stat label="Payable" value={<TextLink to="/operator/payouts" inherit underline="hover">{usd(money.payable_usd)}</TextLink>} hint={`earned up to ${formatMonth(money.payable_month)}`} />
        <Stat label="In progress" value={<TextLink to="/operator/payouts" hash="payouts" inherit underline="hover">{usd(money.under_way_usd)}</TextLink>} hint="proposed, approved or exported" />
        <Stat label="Paid" value={<TextLink to="/operator/payouts" search={{ status: "paid" }} hash="payouts" inherit underline="hover">{usd(money.paid_usd)}</TextLink>} hint="minus returned payouts" />
      </FigureGroup>
      <Panel title="Confirmed and not paid" hint="Of all accounts with a balance: what keeps it from being paid.">
        <MoneyStates states={money.states} isOpenOnly />
      </Panel>
      <FigureGroup title="Remaining" hint="After all amounts owed.">
        <Stat label="Platform margin" value={<TextLink to="/operator/money" hash="months" inherit underline="hover">{usd(money.margin_usd)}</TextLink>} hint="from clicks, and from calls paid by developers" />
        <Stat label="Available" value={<TextLink to="/operator/money" hash="months" inherit underline="hover">{usd(money.available_usd)}</TextLink>} hint="not owed to anyone" />
      </FigureGroup>
    </Stack>
  );
}

function DemoMoney({ demo }: { demo: NonNullable<MoneyReply["demo"]> }) {
  return (
    <FigureGroup title="Demo money" hint="Of demo accounts. It is in no other figure on this page and covers no payout of other accounts.">
      <Stat label="Funding" value={formatExactUsd(demo.funding_usd)} />
      <Stat label="Earned" value={formatExactUsd(demo.earned_usd)} hint={`${formatExactUsd(demo.under_way_usd)} in progress, ${formatExactUsd(demo.paid_usd)} paid`} />
      <Stat label="Available" value={formatExactUsd(demo.available_usd)} />
    </FigureGroup>
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
            <Table.Th>Status</Table.Th>
            {["Calls", "Calls (gross)", "Clicks (gross)", "Developers", "Platform", "Paid out", "Funding"].map((name) => <Table.Th key={name} ta="right">{name}</Table.Th>)}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {months.map((month) => (
            <Table.Tr key={month.month}>
              <Table.Td className="one-line">{formatMonth(month.month)}</Table.Td>
              <Table.Td className="one-line">
                <StatusBadge status={month.closed ? "closed" : "in progress"} />
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
  if (funding.length === 0) return <Text size="sm" c="dimmed" id="funding">No funding yet. While the platform pays for calls, payouts need funding. Add the money you have set aside.</Text>;
  return (
    <ScrollBox label="Funding entries">
      <Table verticalSpacing="xs" miw={520} id="funding">
        <Table.Thead><Table.Tr><Table.Th>Time</Table.Th><Table.Th ta="right">Amount</Table.Th><Table.Th>Receipt</Table.Th></Table.Tr></Table.Thead>
        <Table.Tbody>
          {funding.map(({ ref, at, usd, receipt }) => (
            <Table.Tr key={ref}>
              <Table.Td><Time at={at} /></Table.Td>
              <Table.Td ta="right">{formatExactUsd(usd)}</Table.Td>
              <Table.Td><Copyable text={receipt} shown={`${receipt.slice(0, receiptLengthShown)}…`} label="Copy receipt" /></Table.Td>
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
      description="Totals of the whole installation, from the ledger. Demo accounts are excluded."
      actions={<Button leftSection={<IconPlus size={16} />} onClick={funding.open}>Add funding</Button>}
    >
      <QueryView query={money} height={420}>
        {(answer) => (
          <Stack gap="md">
            <Figures money={answer} />
            <Panel title="Months" hint="Months close automatically on the 1st (UTC). Their earnings can be paid from the 15th."><Months months={answer.months} /></Panel>
            {answer.demo && <DemoMoney demo={answer.demo} />}
            <Panel title="Funding entries" hint="The latest 100 funding entries in the platform's ledger chain."><Funding funding={answer.funding} /></Panel>
          </Stack>
        )}
      </QueryView>
      {isFunding && <FundDialog onClose={funding.close} />}
    </Page>
  );
}
