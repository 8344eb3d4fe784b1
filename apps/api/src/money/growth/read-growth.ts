import { isoTime } from "../../formats/time.ts";
import type { Reader } from "../../store/store.ts";
import { lastPayableMonth, type Month } from "../payable-months.ts";
import { selectDate } from "../corrections/corrections.table.ts";
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
  const fromMs = (await run(selectDate(db, "click_growth_from")))[0]?.at ?? 0;
  const earned = [...(await run(sumSettledCalls(db, until))), ...(await run(sumConfirmedClicks(db, { ...until, fromMs })))];
  const less = [...(await run(sumReversedCalls(db, until))), ...(await run(sumUnexaminedCalls(db, until)))];
  const confirmedOf = new Map(accountIds.map((id) => [id, new Map<string, number>()]));
  for (const [rows, sign] of [[earned, 1], [less, -1]] as const) {
    for (const row of rows) {
      const confirmed = confirmedOf.get(row.account_id)!;
      confirmed.set(row.month, (confirmed.get(row.month) ?? 0) + sign * row.developer_micro);
    }
  }
  const reviewsOf = Map.groupBy(await run(selectReviews(db, accountIds)), (review) => review.account_id);
  const first = earned.reduce((least, { month }) => (month < least ? month : least), last.name);
  const accounts = accountIds.map((accountId) => ({
    accountId,
    confirmedByMonth: confirmedOf.get(accountId)!,
    reviews: (reviewsOf.get(accountId) ?? []).map((row): Review => ({ atMs: row.reviewed_at, monthlyMicroUsd: row.monthly_micro, grantedThrough: row.granted_through })),
  }));
  return findGrants(accounts, { months: listMonths(first, last), unreviewedMonthlyMicroUsd, earlierOf });
}
