import type { Balance } from "@assay/contract/balance.ts";
import { Table, Text } from "@mantine/core";
import { formatExactUsd } from "./format.ts";
import { ScrollBox } from "./panel.tsx";

type States = Pick<Balance, "accrued_usd" | "pending_usd" | "confirmed" | "owed_usd">;

type Line = { name: string; usd: number; explained: string; depth: 0 | 1 };

const waitingLinesOf = ({ confirmed }: States): Line[] => [
  ...confirmed.waiting.map(({ reason, usd, explained }): Line => ({ name: reason.replaceAll("_", " "), usd, explained, depth: 1 })),
  { name: "payable", usd: confirmed.payable_usd, explained: "Can be proposed for payout now.", depth: 1 },
  { name: "in payout", usd: confirmed.in_payout_usd, explained: "Proposed, approved or exported.", depth: 1 },
];

function linesOf(states: States): Line[] {
  const { accrued_usd, pending_usd, confirmed, owed_usd } = states;
  return [
    { name: "Earned, all time", usd: accrued_usd, explained: "Pending and confirmed.", depth: 0 },
    { name: "Pending", usd: pending_usd, explained: "Can still be reversed.", depth: 0 },
    { name: "Confirmed", usd: confirmed.usd, explained: "Final. It waits, is payable, is being paid out, or was paid:", depth: 0 },
    ...waitingLinesOf(states),
    { name: "paid", usd: confirmed.paid_usd, explained: "Less what came back.", depth: 1 },
    ...(owed_usd > 0 ? [{ name: "Owed", usd: owed_usd, explained: "Taken back after it was paid: it is set off against later earnings.", depth: 0 } as const] : []),
  ];
}

/** Where earned money is, and why it is not paid yet. The lines add up: see docs/money.md. `isOpenOnly`: only what is confirmed and not paid. */
export function MoneyStates({ states, isOpenOnly = false }: { states: States; isOpenOnly?: boolean }) {
  return (
    <ScrollBox label="Money by state">
      <Table verticalSpacing={6} miw={420}>
        <Table.Thead><Table.Tr><Table.Th>State</Table.Th><Table.Th>Meaning</Table.Th><Table.Th ta="right">Amount</Table.Th></Table.Tr></Table.Thead>
        <Table.Tbody>
          {(isOpenOnly ? waitingLinesOf(states) : linesOf(states)).map(({ name, usd, explained, depth }) => (
            <Table.Tr key={name}>
              <Table.Td className="one-line" {...(depth === 1 ? { pl: "xl" } : { fw: 600 })}>{name}</Table.Td>
              <Table.Td><Text size="sm" c="dimmed">{explained}</Text></Table.Td>
              <Table.Td ta="right">{formatExactUsd(usd)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}
