import { msPerDay } from "../../formats/time.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import type { Store } from "../../store/store.ts";
import { countByPlacement } from "../reports/ad-hours.table.ts";
import { selectClickTimes } from "./clicks.table.ts";
import { clicksTestedMin, describeFinding, findSelfClicking, gapClicksMax, type PlacementCount } from "./find-self-clicking.ts";
import { openFinding } from "../../money/findings/findings.table.ts";

const windowDays = 7;

/** Tests every account with clicks in the last seven days, and returns how many findings it opened. Runs once a day. */
export async function watchClicks(store: Store, context: { nowMs: number; random: () => number }): Promise<number> {
  const { nowMs, random } = context;
  const span = { fromMs: nowMs - windowDays * msPerDay, toMs: nowMs };
  const rows = await countByPlacement(store.db, span).execute();
  const counts = rows.map(
    (row): PlacementCount => ({ accountId: row.account_id, placement: row.placement, impressions: row.impressions, clicks: row.clicks }),
  );
  const clicksOf = new Map<string, number>();
  for (const { accountId, clicks } of counts) clicksOf.set(accountId, (clicksOf.get(accountId) ?? 0) + clicks);
  let opened = 0;
  for (const [accountId, clicks] of clicksOf) {
    if (clicks < clicksTestedMin) continue;
    const times = await selectClickTimes(store.db, { ...span, accountId, limit: gapClicksMax }).execute();
    const clickedAtMs = times.map((row) => row.at).toReversed();
    for (const finding of findSelfClicking({ accountId, clickedAtMs }, counts, random)) {
      const { numInsertedOrUpdatedRows } = await openFinding(store.db, {
        id: timeOrderedId("find", nowMs),
        account_id: accountId,
        code: finding.code,
        detail: describeFinding(finding),
        opened_at: nowMs,
        closed_at: null,
        resolution: null,
      }).executeTakeFirstOrThrow();
      opened += Number(numInsertedOrUpdatedRows ?? 0n);
    }
  }
  return opened;
}
