import type { SiteItem } from "@assay/contract/dashboard/sites.ts";
import { isoTime, isoTimeOrNull, msPerDay, startOfDay } from "../../formats/time.ts";
import type { SiteDayRow } from "../../store/schema-attestation.ts";
import type { Store } from "../../store/store.ts";
import { selectSitesOfAccount, type ShownSite, sumSiteDays } from "./sites.table.ts";

const summedDays = 30;

/** The first of the days that are summed up; today is the last. */
export const firstSummedDay = (nowMs: number): number => startOfDay(nowMs) - (summedDays - 1) * msPerDay;

export const readOrigins = ({ origins }: Pick<ShownSite, "origins">): string[] => JSON.parse(origins) as string[];

type Sums = Pick<SiteDayRow, "sessions" | "calls" | "attested_calls">;
const noSums: Sums = { sessions: 0, calls: 0, attested_calls: 0 };

/** A session gives one attested call, so what is attested counts sessions too. Of what only began, strangers decide how much it is. */
export const describeSite = (site: ShownSite, { sessions: begun, calls, attested_calls }: Sums = noSums): SiteItem => ({
  site_id: site.id,
  name: site.name,
  origins: readOrigins(site),
  created_at: isoTime(site.created_at),
  last_seen_at: isoTimeOrNull(site.last_seen_at),
  sessions: attested_calls,
  // One that was used today may have begun before the first day.
  refused: Math.max(0, begun - attested_calls),
  calls,
  attested_calls,
});

/** The account's, the newest first. */
export async function listSites({ db }: Store, { accountId, nowMs }: { accountId: string; nowMs: number }): Promise<SiteItem[]> {
  const [sites, sums] = await Promise.all([
    selectSitesOfAccount(db, accountId).execute(),
    sumSiteDays(db, { accountId, fromDay: firstSummedDay(nowMs) }).execute(),
  ]);
  const sumsOf = new Map(sums.map((each) => [each.site_id, each]));
  return sites.map((site) => describeSite(site, sumsOf.get(site.id)));
}
