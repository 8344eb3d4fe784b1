import type { Balance } from "@assay/contract/balance.ts";
import { Group, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { formatExactUsd, formatUsd } from "./format.ts";
import { ScrollBox } from "./panel.tsx";
import styles from "./pictures.module.css";

type States = Pick<Balance, "accrued_usd" | "pending_usd" | "confirmed" | "owed_usd">;

/** How a part is drawn: see pictures.module.css. */
type Look = "earned" | "pending" | "confirmed" | "waiting" | "payable" | "in_payout" | "paid";
type Line = { name: string; usd: number; explained: ReactNode; depth: 0 | 1; look?: Look };

const waitingLinesOf = ({ confirmed }: States): Line[] => [
  ...confirmed.waiting.map(({ reason, usd, explained }): Line => ({ name: reason.replaceAll("_", " "), usd, explained, depth: 1, look: "waiting" })),
  { name: "payable", usd: confirmed.payable_usd, explained: "Can be proposed for payout now.", depth: 1, look: "payable" },
  { name: "in payout", usd: confirmed.in_payout_usd, explained: "Proposed, approved or exported.", depth: 1, look: "in_payout" },
];

const confirmedLinesOf = (states: States): Line[] => [
  ...waitingLinesOf(states),
  { name: "paid", usd: states.confirmed.paid_usd, explained: "Less what came back.", depth: 1, look: "paid" },
];

function linesOf(states: States, pendingNote: ReactNode): Line[] {
  const { accrued_usd, pending_usd, confirmed, owed_usd } = states;
  return [
    { name: "Earned, all time", usd: accrued_usd, explained: "Pending and confirmed.", depth: 0, look: "earned" },
    { name: "Pending", usd: pending_usd, explained: pendingNote, depth: 0, look: "pending" },
    { name: "Confirmed", usd: confirmed.usd, explained: "Final. It waits, is payable, is being paid out, or was paid:", depth: 0, look: "confirmed" },
    ...confirmedLinesOf(states),
    ...(owed_usd > 0 ? [{ name: "Owed", usd: owed_usd, explained: "Taken back after it was paid: it is set off against later earnings.", depth: 0 } as const] : []),
  ];
}

/** As wide as its share of its row. A narrow part has no room for words: the table below says what it is. */
function Part({ look, name, usd, children }: { look: Look; name: string; usd: number; children?: ReactNode }) {
  if (usd <= 0) return null;
  return (
    <div className={styles.column} style={{ flexGrow: usd }}>
      <div className={styles.part} data-look={look} title={`${name}: ${formatExactUsd(usd)}`}><span>{name} <strong>{formatUsd(usd)}</strong></span></div>
      {children}
    </div>
  );
}

const Row = ({ lines }: { lines: readonly Line[] }) => <div className={styles.row}>{lines.map(({ name, usd, look }) => look && <Part key={name} look={look} name={name} usd={usd} />)}</div>;

/** Each row divides what lies above it: earned, then pending and confirmed, then what becomes of the confirmed part. */
function MoneyPicture({ states }: { states: States }) {
  if (states.accrued_usd <= 0) return null;
  return (
    <div className={styles.money} aria-hidden="true">
      <Part look="earned" name="Earned" usd={states.accrued_usd}>
        <div className={styles.row}>
          <Part look="pending" name="Pending" usd={states.pending_usd} />
          <Part look="confirmed" name="Confirmed" usd={states.confirmed.usd}><Row lines={confirmedLinesOf(states)} /></Part>
        </div>
      </Part>
    </div>
  );
}

type Props = {
  states: States;
  /** Only what is confirmed and not paid. */
  isOpenOnly?: boolean;
  /** Until when the pending part is pending. */
  pendingNote?: ReactNode;
};

/** Where earned money is, and why it is not paid yet. The lines add up: see docs/money.md. */
export function MoneyStates({ states, isOpenOnly = false, pendingNote = "Can still be reversed." }: Props) {
  const open = waitingLinesOf(states);
  return (
    <>
      {isOpenOnly ? <div className={styles.money} aria-hidden="true"><Row lines={open} /></div> : <MoneyPicture states={states} />}
      <ScrollBox label="Money by state">
        <Table verticalSpacing={6} miw={420}>
          <Table.Thead><Table.Tr><Table.Th>State</Table.Th><Table.Th ta="right">Amount</Table.Th><Table.Th>Meaning</Table.Th></Table.Tr></Table.Thead>
          <Table.Tbody>
            {(isOpenOnly ? open : linesOf(states, pendingNote)).map(({ name, usd, explained, depth, look }) => (
              <Table.Tr key={name}>
                <Table.Td className="one-line" {...(depth === 1 ? { pl: "xl" } : { fw: 600 })}>
                  <Group gap={8} wrap="nowrap"><span className={styles.swatch} data-look={look} aria-hidden="true" />{name}</Group>
                </Table.Td>
                <Table.Td ta="right">{formatExactUsd(usd)}</Table.Td>
                <Table.Td><Text size="sm" c="dimmed">{explained}</Text></Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </>
  );
}
