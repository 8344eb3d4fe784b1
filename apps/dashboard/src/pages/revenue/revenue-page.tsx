import type { RevenueReply } from "@assay/contract/dashboard/revenue.ts";
import { Alert, NativeSelect, SimpleGrid, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { callDaysQuery } from "../../api/findings.ts";
import { revenueQuery } from "../../api/revenue.ts";
import { describeNextConfirmed } from "../../ui/describe-day.ts";
import { formatCountOf, formatUsd, formatUtcDay } from "../../ui/format.ts";
import { LazyBars } from "../../ui/lazy-bars.tsx";
import { TextLink } from "../../ui/link-button.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { parseRange, timeRanges, rangeStart } from "../../ui/time-range.ts";
import { MoneyStates } from "../../ui/money-states.tsx";
import { Stat } from "../../ui/stat.tsx";
import { QueryView } from "../../ui/states.tsx";
import { CallDaysPanel } from "./call-days-panel.tsx";
import { LedgerPanel } from "./ledger-panel.tsx";
import { OwnCorrections } from "./own-corrections.tsx";
import { StatementsPanel } from "./statements-panel.tsx";
import { WaitingPanel } from "./waiting-panel.tsx";

const series = [
  { name: "calls_usd", label: "Calls", color: "verdigris.6" },
  { name: "ads_usd", label: "Ads", color: "yellow.6" },
];

function PayoutNotes({ payout, balance }: Pick<RevenueReply, "payout" | "balance">) {
  return (
    <Stack gap="sm">
      {!payout.profile_complete && (
        <Alert color="yellow" variant="light" title="Payouts are not set up">
          <Text size="sm">Complete your <TextLink to="/settings" search={{ part: "payout" }} inherit>payee profile</TextLink> to get paid.</Text>
        </Alert>
      )}
      <Text size="sm" c="dimmed">
        The month closes on {formatUtcDay(payout.next_close)} (UTC). Earnings up to then become payable on the 15th, from a minimum of {formatUsd(payout.minimum_usd)}.
        {" "}More can become payable on {formatUtcDay(balance.next_date)} at the earliest.
        {balance.spendable_usd !== 0 && ` ${formatUsd(balance.spendable_usd)} is left to spend on calls.`}
      </Text>
    </Stack>
  );
}

function Figures({ revenue, pendingNote }: { revenue: RevenueReply; pendingNote: string }) {
  const { calls, ads } = revenue;
  const bars = revenue.series.map((day) => ({ ...day, start: formatUtcDay(day.start) }));
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
        <Stat label="Balance" value={formatUsd(revenue.balance_usd)} hint="earned, not yet paid out" />
        <Stat label="Earned in this period" value={formatUsd(revenue.earned_usd)} hint={`${formatCountOf(calls.count, "call", "calls")}, ${formatCountOf(ads.clicks, "click", "clicks")}`} />
        <Stat label="Confirmed ad revenue" value={formatUsd(ads.confirmed_usd)} hint={`${formatUsd(ads.pending_usd)} pending, ${formatUsd(ads.reversed_usd)} reversed`} />
        <Stat label="Paid out in this period" value={formatUsd(revenue.paid_usd)} hint={calls.charged_usd > 0 ? `${formatUsd(calls.charged_usd)} charged for calls` : undefined} />
      </SimpleGrid>
      <Panel title="Revenue by day (UTC)">
        <LazyBars bars={bars} series={series} label="Revenue by day" format={formatUsd} />
      </Panel>
      <Panel title="Your money" hint="What you have earned, and what keeps each part from being paid. What waits becomes payable as soon as its reason ends.">
        <MoneyStates states={revenue.balance} pendingNote={pendingNote} />
        <PayoutNotes payout={revenue.payout} balance={revenue.balance} />
      </Panel>
    </Stack>
  );
}

export function RevenuePage() {
  const search = useSearch({ from: "/account/revenue" });
  const navigate = useNavigate();
  const days = parseRange(search.days, "30");
  const revenue = useQuery(revenueQuery({ from: rangeStart(days, Date.now()) }));
  const callDays = useQuery(callDaysQuery);
  const next = callDays.data && describeNextConfirmed(callDays.data.days, Date.now());
  const pendingNote = ["Can still be reversed.", next].join(" ");
  return (
    <Page
      title="Revenue"
      description="Earnings from calls and ads, with monthly statements exact to the micro-dollar."
      actions={
        <NativeSelect
          aria-label="Time range"
          data={[...timeRanges]}
          value={days}
          onChange={(event) => void navigate({ to: "/revenue", search: { ...search, days: event.currentTarget.value }, replace: true })}
        />
      }
    >
      <QueryView query={revenue} height={420}>{(answer) => <Figures revenue={answer} pendingNote={pendingNote} />}</QueryView>
      <WaitingPanel />
      <CallDaysPanel query={callDays} />
      <OwnCorrections />
      <StatementsPanel month={search.month} onChoose={(month) => void navigate({ to: "/revenue", search: { ...search, month }, replace: true, resetScroll: false })} />
      <LedgerPanel />
    </Page>
  );
}
