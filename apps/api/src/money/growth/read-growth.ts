import { isoTime } from "../../formats/time.ts";
import type { Reader } from "../../store/store.ts";
import { lastPayableMonth, type Month, payableFromMs } from "../payable-months.ts";
import { findGrants, type Grants, type Review } from "./find-grants.ts";
import { selectReviews, sumConfirmedClicks, sumReversedCalls, sumSettledCalls, sumUnexaminedCalls } from "./growth.table.ts";

/** What calls and clicks of accounts that nobody reviewed may make payable: of each account for its first month, and of all together for one month. */
export type GrowthLimits = { unreviewedMonthlyMicroUsd: number; unreviewedTotalMonthlyMicroUsd: number | undefined };

/** Of an installation's settings. */
export const growthLimitsOf = ({ unreviewedMonthlyMicroUsd, unreviewedTotalMonthlyMicroUsd }: GrowthLimits): GrowthLimits => ({
  unreviewedMonthlyMicroUsd,
  unreviewedTotalMonthlyMicroUsd,
});

/** Without gaps. */
function listMonths(first: string, last: Month): Month[] {
  const [year = 0, firstMonth = 0] = first.split("-").map(Number);
  const months: Month[] = [];
  for (let month = firstMonth; ; month += 1) {
    const endMs = Date.UTC(year, month);
    if (endMs > last.endMs) return months;
    months.push({ name: isoTime(endMs - 1).slice(0, "YYYY-MM".length), endMs });
  }
}

type ReviewRow = Awaited<ReturnType<ReturnType<typeof selectReviews>["execute"]>>[number];

/** As migration 0022 made it. */
const isAboutClicks = ({ id }: ReviewRow): boolean => id.startsWith("review_clicks_");

/**
 * What of a month's clicks counts for growth. Of an account that was paid for clicks when nothing bounded them: nothing of the
 * months that were paid, and then what exceeds its best month, until an operator reviews it.
 */
function limitClicks(rows: readonly ReviewRow[]): (month: string, microUsd: number) => number {
  const before = rows.find(isAboutClicks);
  if (!before) return (_month, microUsd) => microUsd;
  const reviewedAt = rows.find((row) => row.granted_through === null && row.reviewed_at >= before.reviewed_at)?.reviewed_at ?? Number.POSITIVE_INFINITY;
  return (month, microUsd) => {
    if (month <= before.granted_through!) return 0;
    const [year = 0, number = 0] = month.split("-").map(Number);
    return payableFromMs(Date.UTC(year, number)) > reviewedAt ? microUsd : Math.max(0, microUsd - before.monthly_micro);
  };
}

/** Reviews of calls and clicks together. Who was paid before growth was limited is allowed no less than a new account. */
const reviewsIn = (rows: readonly ReviewRow[], unreviewedMonthlyMicroUsd: number): Review[] =>
  rows
    .filter((row) => !isAboutClicks(row))
    .map((row) => ({
      atMs: row.reviewed_at,
      monthlyMicroUsd: row.granted_through === null ? row.monthly_micro : Math.max(row.monthly_micro, unreviewedMonthlyMicroUsd),
      grantedThrough: row.granted_through,
    }));

/**
 * What every account that is a key of `earlierOf` is granted; the accounts that one is linked to are keys too. In a
 * transaction: after the chains of those accounts were locked that are decided on.
 */
export async function readGrowth(
  { db, run }: Reader,
  options: { earlierOf: ReadonlyMap<string, ReadonlySet<string>>; nowMs: number; unreviewedMonthlyMicroUsd: number },
): Promise<Map<string, Grants>> {
  const { earlierOf, nowMs, unreviewedMonthlyMicroUsd } = options;
  const accountIds = [...earlierOf.keys()];
  const last = lastPayableMonth(nowMs);
  const until = { accountIds, monthEndMs: last.endMs };
  const reviewsOf = Map.groupBy(await run(selectReviews(db, accountIds)), (review) => review.account_id);
  const limits = new Map([...reviewsOf].map(([id, rows]) => [id, limitClicks(rows)]));
  const clicks = (await run(sumConfirmedClicks(db, until)))
    .map((row) => ({ ...row, developer_micro: limits.get(row.account_id)?.(row.month, row.developer_micro) ?? row.developer_micro }))
    .filter((row) => row.developer_micro > 0);
  const earned = [...(await run(sumSettledCalls(db, until))), ...clicks];
  const less = [...(await run(sumReversedCalls(db, until))), ...(await run(sumUnexaminedCalls(db, until)))];
  const confirmedOf = new Map(accountIds.map((id) => [id, new Map<string, number>()]));
  for (const [rows, sign] of [[earned, 1], [less, -1]] as const) {
    for (const row of rows) {
      const confirmed = confirmedOf.get(row.account_id)!;
      confirmed.set(row.month, (confirmed.get(row.month) ?? 0) + sign * row.developer_micro);
    }
  }
  const firstOf = new Map<string, number>();
  for (const row of earned) firstOf.set(row.account_id, Math.min(row.first_at, firstOf.get(row.account_id) ?? row.first_at));
  const first = earned.reduce((least, { month }) => (month < least ? month : least), last.name);
  const accounts = accountIds.map((accountId) => ({
    accountId,
    confirmedByMonth: confirmedOf.get(accountId)!,
    firstEarnedMs: firstOf.get(accountId),
    reviews: reviewsIn(reviewsOf.get(accountId) ?? [], unreviewedMonthlyMicroUsd),
  }));
  return findGrants(accounts, { months: listMonths(first, last), unreviewedMonthlyMicroUsd, earlierOf });
}
