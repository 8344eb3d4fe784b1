import { msPerDay } from "../../formats/time.ts";
import { insertNotices } from "../../money/evidence/evidence.table.ts";
import type { Store } from "../../store/store.ts";
import { countByCreative } from "../reports/ad-hours.table.ts";
import { unlikeElsewhere } from "../reports/report.table.ts";

/** Everybody else's clicks of so many days are compared with. */
const comparedDays = 28;
const othersImpressionsMin = 1_000;
/** Fewer clicks tell nothing. */
const clicksMin = 10;
/** So many times as many clicks as the same ads get elsewhere, and by so many standard deviations, is noticed. */
const unlikeFactor = 3;
const deviationsMin = 5;
/** Browsers of today say what a request is for; over plain http, old ones and apps do not. */
const undescribedShareMin = 0.5;

/** An ad in a place: what one account had of it on a day, and everybody else in the weeks up to then. */
type Compared = { impressions: number; clicks: number; others_impressions: number; others_clicks: number };
type Notice = { code: typeof unlikeElsewhere | "clicks_undescribed"; statistic: number; message: string };

const sumOf = (rows: readonly Compared[], of: (row: Compared) => number): number => rows.reduce((sum, row) => sum + of(row), 0);

/** The same creatives in the same placements, at the rate that they have elsewhere. */
export function noticeRate(rows: readonly Compared[]): Notice[] {
  const compared = rows.filter((row) => row.others_impressions >= othersImpressionsMin);
  const clicks = sumOf(compared, (row) => row.clicks);
  const expected = sumOf(compared, (row) => (row.impressions * row.others_clicks) / row.others_impressions);
  if (clicks < clicksMin || clicks < unlikeFactor * expected || clicks - expected < deviationsMin * Math.sqrt(expected)) return [];
  const message = `${clicks} clicks, where the same ads in the same places elsewhere would have had ${expected.toFixed(1)}.`;
  return [{ code: unlikeElsewhere, statistic: Math.round((100 * clicks) / Math.max(expected, 0.01)) / 100, message }];
}

export function noticeOrigins({ described, known }: { described: number; known: number }): Notice[] {
  const share = known === 0 ? 0 : 1 - described / known;
  if (known < clicksMin || share <= undescribedShareMin) return [];
  return [{ code: "clicks_undescribed", statistic: Math.round(100 * share) / 100, message: `${known - described} of ${known} paid clicks did not say what the request was for (Sec-Fetch-Mode).` }];
}

/** Everybody's figures, read once for all accounts of a day. */
export async function readElsewhere(store: Store, day: number): Promise<(accountId: string) => Compared[]> {
  const weeks = await countByCreative(store.db, { fromMs: day - (comparedDays - 1) * msPerDay, toMs: day + msPerDay }).execute();
  const ofDay = Map.groupBy(await countByCreative(store.db, { fromMs: day, toMs: day + msPerDay }).execute(), (row) => row.account_id);
  const placeOf = (row: { creative_id: string; placement: string }) => `${row.creative_id} ${row.placement}`;
  const own = new Map(weeks.map((row) => [`${row.account_id} ${placeOf(row)}`, row]));
  const all = new Map<string, { impressions: number; clicks: number }>();
  for (const row of weeks) {
    const sums = all.get(placeOf(row)) ?? { impressions: 0, clicks: 0 };
    all.set(placeOf(row), { impressions: sums.impressions + row.impressions, clicks: sums.clicks + row.clicks });
  }
  return (accountId) =>
    (ofDay.get(accountId) ?? []).map((row): Compared => {
      const [sums, mine] = [all.get(placeOf(row))!, own.get(`${accountId} ${placeOf(row)}`)!];
      return { impressions: row.impressions, clicks: row.clicks, others_impressions: sums.impressions - mine.impressions, others_clicks: sums.clicks - mine.clicks };
    });
}

/** For people to look at: honest sites differ, so it holds nothing. */
export async function noticeClicks(store: Store, place: { accountId: string; day: number }, seen: { rows: readonly Compared[]; described: number; known: number }): Promise<void> {
  const notices = [...noticeRate(seen.rows), ...noticeOrigins(seen)];
  if (notices.length > 0) await insertNotices(store.db, notices.map((notice) => ({ account_id: place.accountId, day: place.day, ...notice }))).execute();
}
