import type { OverviewReply } from "@assay/contract/dashboard/overview.ts";
import { Alert, SimpleGrid, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { overviewQuery } from "../../api/overview.ts";
import { formatCount, formatCountOf, formatLocalDay, formatUsd } from "../../ui/format.ts";
import { Histogram } from "../../ui/histogram.tsx";
import { LevelMix } from "../../ui/level-mix.tsx";
import { TextLink } from "../../ui/link-button.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Stat } from "../../ui/stat.tsx";
import { QueryView } from "../../ui/states.tsx";
import { AttestedStrip } from "./attested-strip.tsx";
import { Checklist } from "./checklist.tsx";
import { FindingBanner } from "./finding-banner.tsx";
import { LimitsLeft } from "./limits-left.tsx";
import { LiveStrip } from "./live-strip.tsx";

function Earnings({ overview }: { overview: OverviewReply }) {
  const { today, month } = overview;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      <Stat label="Revenue today" value={formatUsd(today.revenue_usd)} compare={{ now: today.revenue_usd, before: today.previous.revenue_usd, with: "vs yesterday" }} />
      <Stat label="Calls today" value={formatCount(today.calls)} compare={{ now: today.calls, before: today.previous.calls, with: "vs yesterday" }} />
      <Stat label="Revenue this month" value={formatUsd(month.revenue_usd)} compare={{ now: month.revenue_usd, before: month.previous.revenue_usd, with: "vs last month" }} />
      <Stat label="Calls this month" value={formatCount(month.calls)} compare={{ now: month.calls, before: month.previous.calls, with: "vs last month" }} />
    </SimpleGrid>
  );
}

function Traffic({ overview }: { overview: OverviewReply }) {
  const { sessions } = overview;
  const since = `${formatLocalDay(sessions.from)} to today`;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <Panel title="Trust levels" hint={`${formatCountOf(sessions.sessions, "session", "sessions")}, ${since}${sessions.complete ? "" : " (most recent only)"}`}>
        <LevelMix levels={sessions.levels} />
        {sessions.mean_score !== null && <Text size="sm" c="dimmed">Mean score {sessions.mean_score.toFixed(1)}</Text>}
      </Panel>
      <Panel title="Score distribution" hint="Live sessions by score, in bands of ten">
        <Histogram bands={sessions.histogram} label="Sessions by score" />
      </Panel>
    </SimpleGrid>
  );
}

function BrowserWarning({ keys }: { keys: number }) {
  if (keys === 0) return null;
  return (
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle />} title={keys === 1 ? "A live key was used in a browser" : `${keys} live keys were used in a browser`}>
      <Text size="sm">Anyone who opens that page can read the key and call the API as you. <TextLink to="/keys" inherit>Rotate it</TextLink> and call the API from your server.</Text>
    </Alert>
  );
}

export function OverviewPage() {
  const { verified } = useSearch({ from: "/account/" });
  const overview = useQuery(overviewQuery);
  return (
    <Page title="Overview" description={overview.data?.payer_explained}>
      {verified !== undefined && <Alert color="verdigris" variant="light" role="status">Your email address is verified. Generate a key and send your first call.</Alert>}
      <QueryView query={overview} height={420}>
        {(answer) => (
          <Stack gap="md">
            <FindingBanner />
            <BrowserWarning keys={answer.keys_seen_in_browser} />
            <Checklist checklist={answer.checklist} />
            <LiveStrip />
            <Earnings overview={answer} />
            <AttestedStrip attested={answer.attested} />
            <Traffic overview={answer} />
            <LimitsLeft tier={answer.tier} limits={answer.limits} />
          </Stack>
        )}
      </QueryView>
    </Page>
  );
}
