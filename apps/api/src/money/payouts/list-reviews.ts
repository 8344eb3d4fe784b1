import type { ReviewsReply } from "@assay/contract/dashboard/integrity.ts";
import { usdOf } from "../../formats/money.ts";
import { isoTime } from "../../formats/time.ts";
import { selectEmails } from "../../register/accounts.table.ts";
import type { Store } from "../../store/store.ts";
import { demoMoney, type Pool, realMoney } from "../ledger/pools.ts";
import { readAttestedShare } from "../ledger/read-attested-share.ts";
import { findMoneyStates } from "./money-states.ts";
import { type Candidate, listCandidates, type PayoutSettings } from "./propose-payouts.ts";
import { type MonthGrant, suggestMonthlyMicroUsd } from "../growth/find-grants.ts";
import { countOpenFindings, selectNewestReviews } from "../growth/growth.table.ts";

const listedMax = 500;
const monthsShown = 12;

type WaitingReview = ReviewsReply["waiting"][number];
/** What the checks of an account's traffic say. */
export type Standing = Pick<WaitingReview, "evidence" | "notices">;
type ReviewSettings = PayoutSettings & { readStanding: (store: Store, place: { accountId: string; nowMs: number }) => Promise<Standing> };

/** What waits for a review once nothing else holds the account's money. */
export function findWaiting({ money, beyondTotalMicroUsd }: Candidate): number {
  const sums = { ...money.sums, beyondGrowthMicroUsd: money.sums.beyondGrowthMicroUsd + beyondTotalMicroUsd };
  const { waiting } = findMoneyStates(sums, { ...money.facts, hasHold: false, hasFinding: false, isLinkedToHeld: false });
  return waiting.find(({ reason }) => reason === "growth_review")?.microUsd ?? 0;
}

/** From the first month with earnings on. */
function describeMonths(months: readonly MonthGrant[]): WaitingReview["months"] {
  const first = months.findIndex((each) => each.confirmedMicroUsd > 0);
  const shown = months.slice(Math.max(first, months.length - monthsShown));
  return shown.map((each) => ({ month: each.month, confirmed_usd: usdOf(each.confirmedMicroUsd), granted_usd: usdOf(each.grantedMicroUsd) }));
}

const byAgeAndSize = (left: WaitingReview, right: WaitingReview): number =>
  left.demo !== right.demo ? Number(left.demo) - Number(right.demo) : left.since_month === right.since_month ? right.waiting_usd - left.waiting_usd : left.since_month < right.since_month ? -1 : 1;

async function listQueue(store: Store, settings: ReviewSettings, pool: Pool): Promise<WaitingReview[]> {
  const { month, candidates } = await listCandidates(store, settings, pool);
  return candidates.flatMap((candidate): WaitingReview[] => {
    const waitingMicroUsd = findWaiting(candidate);
    if (waitingMicroUsd === 0) return [];
    const { growth, earlierIds } = candidate.money;
    return [
      {
        account_id: candidate.accountId,
        email: candidate.email,
        demo: pool.demo,
        waiting_usd: usdOf(waitingMicroUsd),
        since_month: growth.waitingSince ?? month.name,
        suggested_monthly_usd: usdOf(suggestMonthlyMicroUsd(growth)),
        allowed_monthly_usd: usdOf(growth.months.at(-1)?.allowedMicroUsd ?? 0),
        months: describeMonths(growth.months),
        evidence: 1,
        notices: [],
        open_findings: 0,
        attested_share: null,
        earlier_accounts: [...earlierIds],
      },
    ];
  });
}

async function listWaiting(store: Store, settings: ReviewSettings): Promise<WaitingReview[]> {
  const queue = [...(await listQueue(store, settings, realMoney)), ...(await listQueue(store, settings, demoMoney))];
  const shown = queue.toSorted(byAgeAndSize).slice(0, listedMax);
  if (shown.length === 0) return [];
  const findings = await countOpenFindings(store.db, shown.map((each) => each.account_id)).execute();
  const countOf = new Map(findings.map((row) => [row.account_id, row.findings]));
  const found: WaitingReview[] = [];
  for (const each of shown) {
    const place = { accountId: each.account_id, nowMs: settings.nowMs };
    const [standing, attestedShare] = await Promise.all([settings.readStanding(store, place), readAttestedShare(store, place)]);
    found.push({ ...each, ...standing, open_findings: countOf.get(each.account_id) ?? 0, attested_share: attestedShare });
  }
  return found;
}

/** What waits for a review, the oldest and largest first, and each account's newest review. */
export async function listReviews(store: Store, settings: ReviewSettings): Promise<ReviewsReply> {
  const [waiting, rows] = await Promise.all([listWaiting(store, settings), selectNewestReviews(store.db, { limit: listedMax }).execute()]);
  const operatorIds = [...new Set(rows.flatMap((row) => row.reviewed_by ?? []))];
  const operators = operatorIds.length === 0 ? [] : await selectEmails(store.db, operatorIds).execute();
  const emailOf = new Map(operators.map(({ id, email }) => [id, email]));
  return {
    unreviewed_monthly_usd: usdOf(settings.unreviewedMonthlyMicroUsd),
    waiting,
    reviewed: rows.map((row) => ({
      account_id: row.account_id,
      email: row.email,
      monthly_usd: usdOf(row.monthly_micro),
      reason: row.reason,
      reviewed_by: row.reviewed_by === null ? null : (emailOf.get(row.reviewed_by) ?? row.reviewed_by),
      reviewed_at: isoTime(row.reviewed_at),
      from_before: row.granted_through !== null,
    })),
  };
}
