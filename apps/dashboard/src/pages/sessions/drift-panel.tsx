import type { DriftLine, DriftReply } from "@assay/contract/dashboard/drift.ts";
import { Badge, Group, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { driftQuery } from "../../api/sessions.ts";
import { formatCount, formatPercent, formatUtcDay } from "../../ui/format.ts";
import { Panel } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/states.tsx";
import { describeDriftLine, driftNameOf, explainNoDrift, formatDriftValue, summariseDrift } from "./describe-drift.ts";
import styles from "./drift.module.css";

const height = (share: number, shareMax: number): string => `${(100 * share) / shareMax}%`;

/** Bars for this week, and a line across each for the weeks before. */
function Picture({ line: { name, bins } }: { line: DriftLine }) {
  const shareMax = Math.max(...bins.flatMap(({ now, before }) => [now ?? 0, before ?? 0]), Number.EPSILON);
  const isYesOrNo = name === "return_visitor";
  const placeOf = (index: number) => (isYesOrNo ? ["no", "yes"][index]! : `from ${formatDriftValue(name, bins[index]!.from)}`);
  const texts = bins.map(({ now, before }, index) => `${placeOf(index)}: ${formatPercent(now ?? 0)}, before ${formatPercent(before ?? 0)}`);
  const ends = isYesOrNo ? ["no", "yes"] : [formatDriftValue(name, bins[0]!.from), `${formatDriftValue(name, bins.at(-1)!.from)} and more`];
  return (
    <div role="img" className={styles.picture} aria-label={`${driftNameOf(name)}, this week and before. ${texts.filter((_, index) => (bins[index]!.now ?? 0) + (bins[index]!.before ?? 0) >= 0.01).join("; ")}`}>
      <div className={styles.bins}>
        {bins.map(({ from, now, before }, index) => (
          <div key={from} className={styles.bin} title={texts[index]}>
            {now !== null && now > 0 && <div className={styles.now} style={{ height: height(now, shareMax) }} />}
            {before !== null && <div className={styles.before} style={{ bottom: height(before, shareMax) }} />}
          </div>
        ))}
      </div>
      <Group justify="space-between" gap="xs" wrap="nowrap">{ends.map((end) => <Text key={end} size="xs" c="dimmed">{end}</Text>)}</Group>
    </div>
  );
}

function Line({ line, scaleChangedOn }: { line: DriftLine; scaleChangedOn: string | null }) {
  const isChanged = line.state === "changed";
  return (
    <div className={styles.line} role="listitem">
      <Group gap={8}>
        <Title order={3}>{driftNameOf(line.name)}</Title>
        {isChanged && <Badge size="sm" variant="light" color="yellow" className="badge-text">changed</Badge>}
      </Group>
      {line.bins.length > 0 && <Picture line={line} />}
      <Text size="sm" className={styles.words} {...(isChanged ? { fw: 600 } : { c: "dimmed" })}>
        {line.state === "as_usual" && "As usual. "}{describeDriftLine(line, scaleChangedOn)}
      </Text>
    </div>
  );
}

function Comparison({ drift }: { drift: DriftReply }) {
  const { week, before } = drift;
  if (drift.state !== "compared") return <Text size="sm" c="dimmed">{explainNoDrift(drift)}</Text>;
  return (
    <>
      <Group gap="md" fz="sm" justify="space-between">
        <Text size="sm" fw={600}>{summariseDrift(drift)}</Text>
        <Group gap="md" fz="sm">
          <span><span className={styles.key} />{formatUtcDay(week.from)} to {formatUtcDay(week.to)}: {formatCount(week.sessions)} sessions</span>
          <span><span className={styles.key} data-kind="before" />{formatUtcDay(before.from)} to {formatUtcDay(before.to)}: {formatCount(before.sessions)}</span>
        </Group>
      </Group>
      <div role="list" aria-label="Signals and score">{drift.lines.map((line) => <Line key={line.name} line={line} scaleChangedOn={drift.scale_changed_on} />)}</div>
    </>
  );
}

export function DriftPanel() {
  const drift = useQuery(driftQuery);
  return (
    <Panel
      title="Traffic compared with the last four weeks"
      hint="Live sessions of the last seven complete days (UTC). A change is marked when it lasted for days and is larger than your site's usual ups and downs."
    >
      <QueryView query={drift} height={120}>{(reply) => <Comparison drift={reply} />}</QueryView>
    </Panel>
  );
}
