import type { StatementReply } from "@assay/contract/usage.ts";
import { Badge, Button, Group, List, NativeSelect, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { statementUrl, statementQuery, statementsQuery } from "../../api/revenue.ts";
import { Copyable } from "../../ui/copy.tsx";
import { formatCountOf, formatExactUsd, formatMonth, formatUtcDay } from "../../ui/format.ts";
import { Panel, ScrollBox } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/states.tsx";

const kindNames: Record<StatementReply["movements"][number]["kind"], string> = {
  click: "Ad clicks",
  funding: "Funding",
  adjustment: "Adjustments",
  deposit: "Deposits",
  reversal: "Reversals",
  payout: "Payouts",
  payout_returned: "Returned payouts",
};

function Line({ name, note, amount, strong = false }: { name: ReactNode; note?: ReactNode; amount: number; strong?: boolean }) {
  const weight = strong ? 650 : 400;
  return (
    <Table.Tr>
      <Table.Td fw={weight}>{name}</Table.Td>
      <Table.Td c="dimmed">{note}</Table.Td>
      <Table.Td ta="right" fw={weight}>{formatExactUsd(amount)}</Table.Td>
    </Table.Tr>
  );
}

/** The balance change of a line: the share, minus the price if the developer pays for calls. */
const balanceChangeOf = (line: StatementReply["lines"][number]): number => (line.payer === "developer" ? line.developer_usd - line.gross_usd : line.developer_usd);

function Statement({ statement }: { statement: StatementReply }) {
  return (
    <Stack gap="sm">
      <ScrollBox label={`Statement for ${formatMonth(statement.month)}`}>
        <Table verticalSpacing="xs" horizontalSpacing={6} data-testid="statement">
          <Table.Tbody>
            <Line name="Opening balance" amount={statement.opening_balance_usd} strong />
            {statement.lines.map((line) => (
              <Line
                key={`${line.endpoint} ${line.payer} ${line.share_percent}`}
                name={line.endpoint}
                note={`${formatCountOf(line.calls, "call", "calls")}, ${formatExactUsd(line.gross_usd)} gross, ${line.share_percent}%${line.payer === "developer" ? ", price charged to you" : ""}`}
                amount={balanceChangeOf(line)}
              />
            ))}
            {statement.movements.map((movement) => (
              <Line key={movement.kind} name={kindNames[movement.kind]} note={formatCountOf(movement.entries, "entry", "entries")} amount={movement.balance_change_usd} />
            ))}
            <Line name={statement.is_final ? "Closing balance" : "Balance so far"} amount={statement.closing_balance_usd} strong />
          </Table.Tbody>
        </Table>
      </ScrollBox>
      <Text size="sm" c="dimmed">
        {formatCountOf(statement.entries, "ledger entry", "ledger entries")}. Ads: {formatCountOf(statement.ads.clicks, "click", "clicks")}, {formatExactUsd(statement.ads.pending_usd)} pending, {formatExactUsd(statement.ads.confirmed_usd)} confirmed, {formatExactUsd(statement.ads.reversed_usd)} reversed.
      </Text>
      <Notes statement={statement} />
      {statement.last_receipt !== null && <Group gap="xs"><Text size="sm" c="dimmed">Last receipt</Text><Copyable text={statement.last_receipt} shown={`${statement.last_receipt.slice(0, 22)}…`} label="Copy receipt" /></Group>}
    </Stack>
  );
}

/** What was taken back in the month and why, and what held the money. */
function Notes({ statement: { calls_settlement: settled, call_reversals: reversals = [], held = [] } }: { statement: StatementReply }) {
  return (
    <>
      {settled && <Text size="sm" c="dimmed">Calls: {formatExactUsd(settled.pending_usd)} pending, {formatExactUsd(settled.confirmed_usd)} confirmed, {formatExactUsd(settled.reversed_usd)} reversed.</Text>}
      {reversals.length > 0 && (
        <List size="sm" aria-label="Reversed calls">
          {reversals.map(({ ref, seq, calls, developer_usd, reason }) => <List.Item key={seq}>{ref}: {formatCountOf(calls, "call", "calls")}, {formatExactUsd(-developer_usd)}. {reason}</List.Item>)}
        </List>
      )}
      {held.map(({ by, reason, since }) => <Text key={`${by} ${since}`} size="sm">{by === "held" ? "Money held" : "Finding open"} since {formatUtcDay(since)}: {reason}</Text>)}
    </>
  );
}

function ChosenStatement({ month }: { month: string }) {
  const statement = useQuery(statementQuery(month));
  return <QueryView query={statement} height={160}>{(answer) => <Statement statement={answer} />}</QueryView>;
}

export function StatementsPanel({ month, onChoose }: { month: string | undefined; onChoose: (month: string) => void }) {
  const statements = useQuery(statementsQuery);
  return (
    <Panel title="Monthly statements" hint="Months are in UTC. Each statement matches the ledger to the micro-dollar.">
      <QueryView query={statements} height={160}>
        {({ months }) => {
          const chosen = months.find((each) => each.month === month) ?? months[0];
          if (!chosen) return <Text size="sm" c="dimmed">Your first statement starts with your first billed call.</Text>;
          return (
            <Stack gap="md">
              <Group gap="sm">
                <NativeSelect
                  aria-label="Month"
                  data={months.map((each) => ({ value: each.month, label: formatMonth(each.month) }))}
                  value={chosen.month}
                  onChange={(event) => onChoose(event.currentTarget.value)}
                />
                <Badge variant="light" color={chosen.is_final ? "verdigris" : "gray"} className="badge-text">{chosen.is_final ? "final" : "in progress"}</Badge>
                <Button component="a" href={statementUrl(chosen.month, "pdf")} download variant="default" size="xs">PDF</Button>
                <Button component="a" href={statementUrl(chosen.month, "csv")} download variant="default" size="xs">CSV</Button>
              </Group>
              <ChosenStatement month={chosen.month} />
            </Stack>
          );
        }}
      </QueryView>
    </Panel>
  );
}
