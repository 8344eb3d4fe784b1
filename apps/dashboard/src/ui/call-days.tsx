import type { CallDay, CallDaysReply } from "@assay/contract/dashboard/integrity.ts";
import { Group, Stack, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { fillDays, formatDays } from "./days.ts";
import { describeState } from "./describe-day.ts";
import { Details } from "./details.tsx";
import { formatCount, formatCountOf, formatExactUsd, formatUsd } from "./format.ts";
import { ScrollBox } from "./panel.tsx";
import styles from "./pictures.module.css";
import { sumUsd } from "./sum-usd.ts";
import { Time } from "./time.tsx";

const daysShown = { countMin: 31, countMax: 62 };

const stateTexts: Record<CallDay["state"], string> = { pending: "Pending", confirmed: "Confirmed", reversed: "Reversed" };

const describeDay = (day: CallDay): string =>
  `${formatDays([day.day])}: ${formatCountOf(day.calls, "call", "calls")}, ${formatUsd(day.developer_usd)}, ${stateTexts[day.state].toLowerCase()} ${describeState(day, Date.now())}${day.reversed_usd > 0 ? `, ${formatUsd(day.reversed_usd)} reversed` : ""}`;

/** The part of a bar that stands for what was taken back, from 0 to 1. */
const reversedShareOf = ({ state, developer_usd, reversed_usd }: CallDay): number =>
  state === "reversed" || developer_usd <= 0 ? Number(state === "reversed") : Math.min(1, reversed_usd / developer_usd);

function Bar({ day, usdMax }: { day: CallDay; usdMax: number }) {
  const reversedShare = reversedShareOf(day);
  return (
    <div className={styles.stack} style={{ height: `${Math.max(3, (100 * day.developer_usd) / usdMax)}%` }} title={describeDay(day)}>
      {reversedShare > 0 && <div className={styles.bar} data-state="reversed" style={{ flexGrow: reversedShare }} />}
      {reversedShare < 1 && <div className={styles.bar} data-state={day.state} style={{ flexGrow: 1 - reversedShare }} />}
    </div>
  );
}

function Bars({ days }: { days: readonly CallDay[] }) {
  const places = fillDays(days, daysShown);
  const usdMax = Math.max(...days.map(({ developer_usd }) => developer_usd), Number.EPSILON);
  const counts = (["pending", "confirmed", "reversed"] as const).map((state) => `${days.filter((day) => day.state === state).length} ${state}`);
  return (
    <div role="img" aria-label={`Days of calls by what they earned: ${counts.join(", ")}`}>
      <div className={styles.days}>
        {places.map(({ day, item }) => <div key={day} className={styles.place}>{item && <Bar day={item} usdMax={usdMax} />}</div>)}
      </div>
      <div className={styles.axis}><span>{formatDays([places[0]?.day ?? ""])}</span><span>highest {formatUsd(usdMax)}</span><span>{formatDays([places.at(-1)?.day ?? ""])}</span></div>
    </div>
  );
}

function Legend({ days }: { days: readonly CallDay[] }) {
  const keptUsd = (state: CallDay["state"]) => sumUsd(days.filter((day) => day.state === state).map(({ developer_usd, reversed_usd }) => developer_usd - reversed_usd));
  const sums = { pending: keptUsd("pending"), confirmed: keptUsd("confirmed"), reversed: sumUsd(days.map(({ reversed_usd }) => reversed_usd)) };
  return (
    <Group gap="lg" fz="sm">
      {(["pending", "confirmed", "reversed"] as const).map((state) => (
        <Group key={state} gap={8} wrap="nowrap"><span className={styles.swatch} data-state={state} aria-hidden="true" />{stateTexts[state]} <strong>{formatUsd(sums[state])}</strong></Group>
      ))}
    </Group>
  );
}

function DayTable({ days, actionOf }: { days: readonly CallDay[]; actionOf: ((day: CallDay) => ReactNode) | undefined }) {
  return (
    <ScrollBox label="Days of calls">
      <Table verticalSpacing={6} miw={560}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Day (UTC)</Table.Th>
            <Table.Th>State</Table.Th>
            {["Calls", "Earned", "Reversed"].map((name) => <Table.Th key={name} ta="right">{name}</Table.Th>)}
            {actionOf && <Table.Th><span className="sr-only">Actions</span></Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.map((day) => (
            <Table.Tr key={day.day}>
              <Table.Td className="one-line">{formatDays([day.day])}</Table.Td>
              <Table.Td>
                <Group gap={8} wrap="nowrap"><span className={styles.swatch} data-state={day.state} aria-hidden="true" />{stateTexts[day.state]}</Group>
                <Text size="xs" c="dimmed">{describeState(day, Date.now())}</Text>
              </Table.Td>
              <Table.Td ta="right">{formatCount(day.calls)}</Table.Td>
              <Table.Td ta="right">{formatExactUsd(day.developer_usd)}</Table.Td>
              <Table.Td ta="right">{day.reversed_usd > 0 ? formatExactUsd(day.reversed_usd) : "–"}</Table.Td>
              {actionOf && <Table.Td ta="right">{actionOf(day)}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

function Reversals({ days }: { days: readonly CallDay[] }) {
  const reversals = days.flatMap((day) => day.reversals.map((reversal) => ({ ...reversal, day: day.day })));
  if (reversals.length === 0) return null;
  return (
    <ScrollBox label="Reversals of calls">
      <Table verticalSpacing={6} miw={560}>
        <Table.Thead><Table.Tr><Table.Th>Reversed</Table.Th><Table.Th>Of day</Table.Th><Table.Th>Reason</Table.Th><Table.Th ta="right">Calls</Table.Th><Table.Th ta="right">Amount</Table.Th><Table.Th ta="right">Entry</Table.Th></Table.Tr></Table.Thead>
        <Table.Tbody>
          {reversals.map(({ ref, seq, at, day, reason, calls, developer_usd }) => (
            <Table.Tr key={`${ref} ${seq}`}>
              <Table.Td><Time at={at} /></Table.Td>
              <Table.Td className="one-line">{formatDays([day])}</Table.Td>
              <Table.Td>{reason}</Table.Td>
              <Table.Td ta="right">{formatCount(calls)}</Table.Td>
              <Table.Td ta="right">{formatExactUsd(-developer_usd)}</Table.Td>
              <Table.Td ta="right">{seq}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

/** The days of calls as bars, as a table, and what was taken back of them. `actionOf` is what an operator can do to a day. */
export function CallDays({ answer: { days }, actionOf }: { answer: CallDaysReply; actionOf?: (day: CallDay) => ReactNode }) {
  if (days.length === 0) return <Text size="sm" c="dimmed">No days yet. Each day with calls that the platform pays for appears here, with its state and the date on which it is confirmed.</Text>;
  return (
    <Stack gap="sm">
      <Bars days={days} />
      <Legend days={days} />
      <Reversals days={days} />
      <Details summary={`${formatCountOf(days.length, "day", "days")} as a table`}><DayTable days={days} actionOf={actionOf} /></Details>
    </Stack>
  );
}
