import type { IntegrityReply } from "@assay/contract/dashboard/integrity.ts";
import { NativeSelect, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import { formatDays } from "../../../ui/days.ts";
import { Details } from "../../../ui/details.tsx";
import { formatCount, formatStatistic } from "../../../ui/format.ts";
import { ScrollBox } from "../../../ui/panel.tsx";
import { type Axes, axesOf, checksOf, heightOf, place, type Point, pointsOf } from "./evidence-scale.ts";
import styles from "./integrity.module.css";
import { wordsOf } from "./words-of.ts";

const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;

function Line({ points, axes, kind }: { points: readonly Point[]; axes: Axes; kind: "total" | "check" }) {
  const path = points.map((point) => place(point, axes)).map(({ x, y }) => `${(100 * x).toFixed(2)},${(100 * y).toFixed(2)}`);
  return <polyline className={styles.line} data-kind={kind} points={path.join(" ")} />;
}

function LastPoint({ points, axes, kind }: { points: readonly Point[]; axes: Axes; kind: "total" | "check" }) {
  const last = points.at(-1);
  if (!last) return null;
  const { x, y } = place(last, axes);
  return <span className={styles.dot} data-kind={kind} style={{ left: percent(x), top: percent(y) }} title={`${formatDays([last.day])}: ${formatStatistic(last.value)}`} />;
}

type Props = { evidence: IntegrityReply["evidence"]; threshold: number; check: string | undefined };

function Picture({ evidence, threshold, check }: Props) {
  const total = pointsOf(evidence);
  const chosen = check === undefined ? [] : pointsOf(evidence, check);
  const axes = axesOf([total, chosen], threshold);
  const last = total.at(-1);
  return (
    <div role="img" aria-label={`Evidence by day on a logarithmic scale, now ${formatStatistic(last?.value ?? 1)}. A finding opens at ${formatStatistic(threshold)}.`}>
      <div className={styles.chart}>
        {axes.labels.map((label) => (
          <div key={label} className={styles.grid} style={{ top: percent(heightOf(label, axes)) }}><span>{formatStatistic(label)}</span></div>
        ))}
        <div className={styles.plot}>
          <svg viewBox="0 0 100 100" preserveAspectRatio="none">
            {check !== undefined && <Line points={chosen} axes={axes} kind="check" />}
            <Line points={total} axes={axes} kind="total" />
          </svg>
          <LastPoint points={chosen} axes={axes} kind="check" />
          <LastPoint points={total} axes={axes} kind="total" />
          <div className={styles.threshold} style={{ top: percent(heightOf(threshold, axes)) }}><span>a finding opens</span></div>
        </div>
      </div>
      <div className={styles.days}><span>{formatDays(total.slice(0, 1).map(({ day }) => day))}</span><span>{total.length > 1 && formatDays(total.slice(-1).map(({ day }) => day))}</span></div>
    </div>
  );
}

function CheckTable({ evidence, check }: { evidence: IntegrityReply["evidence"]; check: string }) {
  const days = evidence.flatMap(({ day, checks }) => checks.filter((each) => each.check === check).map((each) => ({ day, ...each }))).toReversed();
  return (
    <ScrollBox label={`${wordsOf(check)} by day`}>
      <Table verticalSpacing={6} miw={420}>
        <Table.Thead><Table.Tr><Table.Th>Day (UTC)</Table.Th>{["Sessions tested", "Hits", "Factor", "Evidence"].map((name) => <Table.Th key={name} ta="right">{name}</Table.Th>)}</Table.Tr></Table.Thead>
        <Table.Tbody>
          {days.map(({ day, tested, hits, factor, evidence: value }) => (
            <Table.Tr key={day}>
              <Table.Td className="one-line">{formatDays([day])}</Table.Td>
              {[formatCount(tested), formatCount(hits), formatStatistic(factor), formatStatistic(value)].map((text, index) => <Table.Td key={index} ta="right">{text}</Table.Td>)}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

/** The account's evidence, and that of one check on demand. */
export function EvidenceChart({ evidence, threshold }: Omit<Props, "check">) {
  const [chosen, setChosen] = useState("");
  if (evidence.length === 0) return <Text size="sm" c="dimmed">No evidence yet. After the first complete day with live calls its checks appear here as a line, from 1 (nothing found) up to {formatStatistic(threshold)}, where a finding opens.</Text>;
  const checks = checksOf(evidence);
  const check = checks.find((each) => each === chosen);
  return (
    <Stack gap="sm">
      <Picture evidence={evidence} threshold={threshold} check={check} />
      <NativeSelect label="Compare with one check" data={[{ value: "", label: "None" }, ...checks.map((value) => ({ value, label: wordsOf(value) }))]} value={chosen} onChange={(event) => setChosen(event.currentTarget.value)} maw={320} />
      {check !== undefined && <Details summary={`${wordsOf(check)} by day`}><CheckTable evidence={evidence} check={check} /></Details>}
    </Stack>
  );
}
