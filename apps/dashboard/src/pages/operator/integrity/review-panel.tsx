import type { ReviewsReply } from "@assay/contract/dashboard/integrity.ts";
import { Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { reviewsQuery } from "../../../api/operator-integrity.ts";
import { formatMonth, formatUsd } from "../../../ui/format.ts";
import { Panel } from "../../../ui/panel.tsx";
import { QueryView } from "../../../ui/states.tsx";
import { Time } from "../../../ui/time.tsx";
import { ReviewDialog } from "../review-dialog.tsx";
import { MonthBars } from "../review-parts.tsx";

function Review({ accountId, answer }: { accountId: string; answer: ReviewsReply }) {
  const waiting = answer.waiting.find((each) => each.account_id === accountId);
  const reviewed = answer.reviewed.find((each) => each.account_id === accountId);
  return (
    <Stack gap="xs">
      {reviewed ? (
        <Text size="sm"><strong>{formatUsd(reviewed.monthly_usd)}</strong> a month, set <Time at={reviewed.reviewed_at} /> by {reviewed.reviewed_by ?? "the upgrade"}: {reviewed.reason}</Text>
      ) : (
        <Text size="sm">Never reviewed: {formatUsd(answer.unreviewed_monthly_usd)} a month, or twice its best month, may become payable.</Text>
      )}
      {waiting && (
        <>
          <Text size="sm">{formatUsd(waiting.waiting_usd)} waits for a review, the oldest from {formatMonth(waiting.since_month)}.</Text>
          <MonthBars months={waiting.months} />
        </>
      )}
    </Stack>
  );
}

export function ReviewPanel({ accountId, email, isOwn }: { accountId: string; email: string; isOwn: boolean }) {
  const reviews = useQuery(reviewsQuery);
  const [isReviewing, setReviewing] = useState(false);
  const suggested = reviews.data?.waiting.find((each) => each.account_id === accountId)?.suggested_monthly_usd;
  const standing = reviews.data?.reviewed.find((each) => each.account_id === accountId)?.monthly_usd;
  return (
    <Panel title="Review" hint="How much of a month's calls becomes payable without another look." aside={<Button variant="default" disabled={isOwn || !reviews.data} onClick={() => setReviewing(true)}>Review</Button>}>
      <QueryView query={reviews} height={60}>{(answer) => <Review accountId={accountId} answer={answer} />}</QueryView>
      {isReviewing && <ReviewDialog accountId={accountId} email={email} suggestedUsd={suggested ?? standing ?? reviews.data?.unreviewed_monthly_usd ?? 0} onClose={() => setReviewing(false)} />}
    </Panel>
  );
}
