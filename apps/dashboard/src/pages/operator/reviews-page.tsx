import type { ReviewsReply } from "@assay/contract/dashboard/integrity.ts";
import { Button, Group, Paper, SimpleGrid, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { reviewsQuery } from "../../api/operator-integrity.ts";
import { formatCountOf, formatMonth, formatPercent, formatStatistic, formatUsd } from "../../ui/format.ts";
import { TextLink } from "../../ui/link-button.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel, ScrollBox } from "../../ui/panel.tsx";
import { EmptyState, QueryView } from "../../ui/states.tsx";
import { DemoBadge } from "../../ui/status-badge.tsx";
import { Time } from "../../ui/time.tsx";
import { wordsOf } from "./integrity/words-of.ts";
import { ReviewDialog } from "./review-dialog.tsx";
import { WaitingPanel } from "./waiting-panel.tsx";
import { MonthBars, type Reviewed, type Waiting } from "./review-parts.tsx";

type Reviewing = { accountId: string; email: string; suggestedUsd: number };

const IntegrityLink = ({ accountId, email }: { accountId: string; email: string }) => (
  <TextLink to="/operator/accounts/$accountId" params={{ accountId }} search={{ part: "integrity" }} inherit>{email}</TextLink>
);

/** What speaks for a closer look before reviewing. */
function Facts({ waiting }: { waiting: Waiting }) {
  const facts = [
    { name: "Evidence", value: `${formatStatistic(waiting.evidence)} (a finding opens at 1,000)` },
    { name: "Notices, 30 days", value: waiting.notices.length === 0 ? "none" : waiting.notices.map(wordsOf).join(", ") },
    { name: "Open findings", value: waiting.open_findings === 0 ? "none" : String(waiting.open_findings) },
    { name: "Attested calls", value: waiting.attested_share === null ? "no calls in 30 days" : `${formatPercent(waiting.attested_share)} in 30 days` },
    { name: "Linked to", value: waiting.earlier_accounts.length === 0 ? "no other account" : formatCountOf(waiting.earlier_accounts.length, "earlier account", "earlier accounts") },
  ];
  return (
    <dl className="facts">
      {facts.map(({ name, value }) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}
    </dl>
  );
}

function WaitingCard({ waiting, onReview }: { waiting: Waiting; onReview: () => void }) {
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }} component="article" aria-label={waiting.email}>
      <Group justify="space-between" align="flex-start" gap="sm" mb="sm">
        <div>
          <Title order={2}><IntegrityLink accountId={waiting.account_id} email={waiting.email} />{waiting.demo && <DemoBadge />}</Title>
          <Text size="sm"><strong>{formatUsd(waiting.waiting_usd)}</strong> waits, the oldest from {formatMonth(waiting.since_month)}. {formatUsd(waiting.allowed_monthly_usd)} a month may become payable now.</Text>
        </div>
        <Button onClick={onReview}>Review: {formatUsd(waiting.suggested_monthly_usd)} a month</Button>
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <div>
          <MonthBars months={waiting.months} />
          <Text size="xs" c="dimmed" mt={4}>{formatMonth(waiting.months[0]?.month ?? waiting.since_month)} to {formatMonth(waiting.months.at(-1)?.month ?? waiting.since_month)}. Solid: payable; hatched: waits.</Text>
        </div>
        <Facts waiting={waiting} />
      </SimpleGrid>
    </Paper>
  );
}

function ReviewedTable({ reviewed, onReview }: { reviewed: readonly Reviewed[]; onReview: (review: Reviewed) => void }) {
  if (reviewed.length === 0) return <Text size="sm" c="dimmed">None yet. Each account's latest review appears here.</Text>;
  return (
    <ScrollBox label="Reviewed accounts">
      <Table verticalSpacing="xs" miw={720}>
        <Table.Thead><Table.Tr><Table.Th>Account</Table.Th><Table.Th ta="right">Per month</Table.Th><Table.Th>Reason</Table.Th><Table.Th>Reviewed</Table.Th><Table.Th><span className="sr-only">Actions</span></Table.Th></Table.Tr></Table.Thead>
        <Table.Tbody>
          {reviewed.map((review) => (
            <Table.Tr key={review.account_id}>
              <Table.Td><IntegrityLink accountId={review.account_id} email={review.email} /></Table.Td>
              <Table.Td ta="right">{formatUsd(review.monthly_usd)}</Table.Td>
              <Table.Td>{review.reason}{review.from_before && <Text size="xs" c="dimmed">from payouts before growth was limited</Text>}</Table.Td>
              <Table.Td><Time at={review.reviewed_at} /><Text size="xs" c="dimmed">{review.reviewed_by ?? "by the upgrade"}</Text></Table.Td>
              <Table.Td ta="right"><Button size="xs" variant="default" onClick={() => onReview(review)}>Change</Button></Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

function Reviews({ answer }: { answer: ReviewsReply }) {
  const [reviewing, setReviewing] = useState<Reviewing>();
  return (
    <Stack gap="md">
      {answer.waiting.length === 0 ? (
        <EmptyState title="Nothing waits for a review">An account that earns more than {formatUsd(answer.unreviewed_monthly_usd)} in a month, and more than twice its best month, appears here with what speaks for and against it.</EmptyState>
      ) : (
        answer.waiting.map((waiting) => (
          <WaitingCard key={waiting.account_id} waiting={waiting} onReview={() => setReviewing({ accountId: waiting.account_id, email: waiting.email, suggestedUsd: waiting.suggested_monthly_usd })} />
        ))
      )}
      <WaitingPanel />
      <Panel title="Reviewed accounts" hint="What may become payable per month without another review.">
        <ReviewedTable reviewed={answer.reviewed} onReview={(review) => setReviewing({ accountId: review.account_id, email: review.email, suggestedUsd: review.monthly_usd })} />
      </Panel>
      {reviewing && <ReviewDialog {...reviewing} onClose={() => setReviewing(undefined)} />}
    </Stack>
  );
}

export function ReviewsPage() {
  const reviews = useQuery(reviewsQuery);
  return (
    <Page title="Reviews" description="Earnings that grew faster than the rule allows wait here for a look, the oldest and largest first, and so does what nobody can examine.">
      <QueryView query={reviews} height={360}>{(answer) => <Reviews answer={answer} />}</QueryView>
    </Page>
  );
}
