import { msPerDay, msPerMinute, startOfDay } from "../../formats/time.ts";
import { moveDate, selectDate } from "../../money/corrections/corrections.table.ts";
import { selectAccountsWithEvidence } from "../../money/evidence/evidence.table.ts";
import { recordDay } from "../../money/findings/record-day.ts";
import type { Store } from "../../store/store.ts";
import { countByPlacement } from "../reports/ad-hours.table.ts";
import { checkClickDay, gapClicksMax } from "./check-clicks.ts";
import { selectClickTimes, selectOldestPending } from "./clicks.table.ts";
import { holdCrowded } from "./hold-crowded.ts";
import { noticeClicks, readElsewhere } from "./notice-clicks.ts";

/** A click is counted seconds after it happened; after this long every node's clicks are stored. */
const clickDelayMsMax = 5 * msPerMinute;

export type WatchedClicks = { days: number; opened: number; isMore: boolean };

/** Checks every complete day of every account with impressions or clicks, once, the oldest day first. `only` names the accounts, where not all are meant. */
export async function watchClicks(store: Store, { nowMs, isOver, only }: { nowMs: number; isOver: () => boolean; only?: ReadonlySet<string> }): Promise<WatchedClicks> {
  const watched: WatchedClicks = { days: 0, opened: 0, isMore: false };
  const endMs = startOfDay(nowMs - clickDelayMsMax);
  for (let day = await readClicksCheckedTo(store, nowMs); day < endMs; day += msPerDay) {
    const span = { fromMs: day, toMs: day + msPerDay };
    const countsOf = Map.groupBy(await countByPlacement(store.db, span).execute(), (row) => row.account_id);
    const seen = new Set((await selectAccountsWithEvidence(store.db, { check: "click_rate", day }).execute()).map((row) => row.account_id));
    let elsewhere: Awaited<ReturnType<typeof readElsewhere>> | undefined;
    for (const [accountId, counts] of countsOf) {
      if (seen.has(accountId) || only?.has(accountId) === false) continue;
      if (isOver()) return { ...watched, isMore: true };
      elsewhere ??= await readElsewhere(store, day);
      await noticeClicks(store, { accountId, day }, { rows: elsewhere(accountId), ...(await holdCrowded(store, { accountId, day }, nowMs)) });
      const times = await selectClickTimes(store.db, { ...span, accountId, limit: gapClicksMax }).execute();
      const results = checkClickDay({ accountId, dayMs: day, counts, clickedAtMs: times.map(({ at }) => at) });
      if (results.length === 0) continue;
      const outcome = await recordDay(store, { accountId, day, results: results.map((result) => ({ ...result, sessions: [] })), nowMs });
      if (outcome.kind === "recorded" && outcome.opened !== undefined) watched.opened += 1;
      watched.days += 1;
    }
    if (only === undefined) await moveDate(store.db, { name: "clicks_checked_to", at: day + msPerDay }).execute();
  }
  return watched;
}

/** Every day before this one was checked, of every account: no click of a later day is confirmed, however long the service was away. */
export async function readClicksCheckedTo(store: Store, nowMs: number): Promise<number> {
  const known = await selectDate(store.db, "clicks_checked_to").executeTakeFirst();
  if (known) return known.at;
  const oldest = await selectOldestPending(store.db).executeTakeFirstOrThrow();
  return startOfDay(oldest.at ?? nowMs - clickDelayMsMax);
}
