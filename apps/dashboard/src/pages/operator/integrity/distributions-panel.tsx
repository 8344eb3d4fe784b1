import type { IntegrityReply } from "@assay/contract/dashboard/integrity.ts";
import { Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { signalLabels } from "../../../playground/signal-scales.ts";
import { formatPercent, formatStatistic } from "../../../ui/format.ts";
import { Panel } from "../../../ui/panel.tsx";
import styles from "./integrity.module.css";

type Bin = IntegrityReply["scores"][number];

const height = (share: number, shareMax: number): string => `${(100 * share) / shareMax}%`;

function Bins({ bins, label, ends }: { bins: readonly Bin[]; label: string; ends: readonly [string, string] }) {
  const shareMax = Math.max(...bins.flatMap(({ own, others }) => [own ?? 0, others ?? 0]), Number.EPSILON);
  const texts = bins.map(({ from, to, own, others }) => `${formatStatistic(from)} to ${formatStatistic(to)}: ${formatPercent(own ?? 0)}, others ${others === null ? "none" : formatPercent(others)}`);
  return (
    <div role="img" aria-label={`${label}. ${texts.join("; ")}`}>
      <div className={styles.bins}>
        {bins.map(({ from, own, others }, index) => (
          <div key={from} className={styles.bin} title={texts[index]}>
            {own !== null && own > 0 && <div className={styles.own} style={{ height: height(own, shareMax) }} />}
            {others !== null && <div className={styles.others} style={{ bottom: height(others, shareMax) }} />}
          </div>
        ))}
      </div>
      <Group justify="space-between" gap="xs">{ends.map((end) => <Text key={end} size="xs" c="dimmed">{end}</Text>)}</Group>
    </div>
  );
}

function Distribution({ title, hint, bins, isYesOrNo = false }: { title: string; hint?: string; bins: readonly Bin[]; isYesOrNo?: boolean }) {
  const ends = isYesOrNo ? (["no", "yes"] as const) : ([formatStatistic(bins[0]?.from ?? 0), formatStatistic(bins.at(-1)?.to ?? 0)] as const);
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="xs"><Title order={3}>{title}</Title>{hint !== undefined && <Text size="xs" c="dimmed">{hint}</Text>}</Group>
      <Bins bins={bins} label={title} ends={ends} />
    </Stack>
  );
}

const nameOf = (signal: string): string => signalLabels[signal as keyof typeof signalLabels] ?? signal;

export function DistributionsPanel({ integrity: { scores, signals } }: { integrity: IntegrityReply }) {
  const isEmpty = scores.every(({ own }) => own === null);
  return (
    <Panel
      title="Scores and signals"
      hint="Shares of the sessions of the last 7 days, beside those of all other accounts. What differs is not wrong: sites differ."
      aside={!isEmpty && <Group gap="md" fz="sm"><span><span className={styles.key} />this account</span><span><span className={styles.key} data-kind="others" />all others</span></Group>}
    >
      {isEmpty ? (
        <Text size="sm" c="dimmed">No live sessions in the last 7 days. Their scores and signals appear here.</Text>
      ) : (
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="xl" verticalSpacing="lg">
          <Distribution title="Score" bins={scores} />
          {signals.map(({ signal, present, bins }) => <Distribution key={signal} title={nameOf(signal)} hint={`sent by ${formatPercent(present)}`} bins={bins} isYesOrNo={signal === "return_visitor"} />)}
        </SimpleGrid>
      )}
    </Panel>
  );
}
