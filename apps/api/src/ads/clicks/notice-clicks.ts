import { msPerDay } from "../../formats/time.ts";
import { insertNotices } from "../../money/evidence/evidence.table.ts";
import type { Store } from "../../store/store.ts";
import { compareCreatives } from "../reports/ad-hours.table.ts";

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

type Compared = Awaited<ReturnType<ReturnType<typeof compareCreatives>["execute"]>>[number];
type Notice = { code: "click_rate_unlike_elsewhere" | "clicks_undescribed"; statistic: number; message: string };

const sumOf = (rows: readonly Compared[], of: (row: Compared) => number): number => rows.reduce((sum, row) => sum + of(row), 0);

/** The same creatives in the same placements, at the rate that they have elsewhere. */
export function noticeRate(rows: readonly Compared[]): Notice[] {
  const compared = rows.filter((row) => row.others_impressions >= othersImpressionsMin);
  const clicks = sumOf(compared, (row) => row.clicks);
  const expected = sumOf(compared, (row) => (row.impressions * row.others_clicks) / row.others_impressions);
  if (clicks < clicksMin || clicks < unlikeFactor * expected || clicks - expected < deviationsMin * Math.sqrt(expected)) return [];
  const message = `${clicks} clicks, where the same ads in the same places elsewhere would have had ${expected.toFixed(1)}.`;
  return [{ code: "click_rate_unlike_elsewhere", statistic: Math.round((100 * clicks) / Math.max(expected, 0.01)) / 100, message }];
}

export function noticeOrigins({ described, known }: { described: number; known: number }): Notice[] {
  const share = known === 0 ? 0 : 1 - described / known;
  if (known < clicksMin || share <= undescribedShareMin) return [];
  return [{ code: "clicks_undescribed", statistic: Math.round(100 * share) / 100, message: `${known - described} of ${known} paid clicks did not say what the request was for (Sec-Fetch-Mode).` }];
}

/** For people to look at: honest sites differ, so it holds nothing. */
export async function noticeClicks(store: Store, { accountId, day }: { accountId: string; day: number }, origins: { described: number; known: number }): Promise<void> {
  const rows = await compareCreatives(store.db, { accountId, fromMs: day, toMs: day + msPerDay, othersFromMs: day - (comparedDays - 1) * msPerDay }).execute();
  const notices = [...noticeRate(rows), ...noticeOrigins(origins)];
  if (notices.length > 0) await insertNotices(store.db, notices.map((notice) => ({ account_id: accountId, day, ...notice }))).execute();
}
