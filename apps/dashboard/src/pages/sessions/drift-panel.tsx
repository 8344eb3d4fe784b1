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

type Bar = { text: string; now: number; before: number; isMissing: boolean };

/** Shares of all sessions: first those without the signal, if there are any, then those in each bin. */
function listBars({ name, bins, missing, missing_before: missingBefore }: DriftLine): Bar[] {
  const placeOf = (index: number) => (name === "return_visitor" ? ["no", "yes"][index]! : `from ${formatDriftValue(name, bins[index]!.from)}`);
  const present = bins.map(({ now, before }, index) => ({ place: placeOf(index), now: (now ?? 0) * (1 - missing), before: (before ?? 0) * (1 - missingBefore), isMissing: false }));
  const bars = missing + missingBefore > 0 ? [{ place: "missing", now: missing, before: missingBefore, isMissing: true }, ...present] : present;
  return bars.map(({ place, ...bar }) => ({ ...bar, text: `${place}: ${formatPercent(bar.now)}, before ${formatPercent(bar.before)}` }));
}

/** The highest value that a bar stands for; undefined where there is none. */
const endOf: Partial<Record<DriftLine["name"], string>> = { user_engagement: "1", scroll_depth: "1", service_score: "100", return_visitor: "yes" };

/** Bars for this week, and a line across each for the weeks before. */
function Picture({ line }: { line: DriftLine }) {
  const { name, bins } = line;
  const bars = listBars(line);
  const shareMax = Math.max(...bars.flatMap(({ now, before }) => [now, before]), Number.EPSILON);
  const start = name === "return_visitor" ? "no" : formatDriftValue(name, bins[0]!.from);
  const ends = [bars[0]!.isMissing ? `missing, ${start}` : start, endOf[name] ?? `${formatDriftValue(name, bins.at(-1)!.from)} and more`];
  const told = bars.filter(({ now, before }) => now + before >= 0.01).map(({ text }) => text);
  return (
    <div role="img" className={styles.picture} aria-label={`${driftNameOf(name)}, this week and before. ${told.join("; ")}`}>
      <div className={styles.bins}>
        {bars.map(({ text, now, before, isMissing }) => (
          <div key={text} className={styles.bin} title={text} data-missing={isMissing}>
            {now > 0 && <div className={styles.now} style={{ height: height(now, shareMax) }} />}
            <div className={styles.before} style={{ bottom: height(before, shareMax) }} />
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
