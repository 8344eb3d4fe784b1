import type { Store } from "../../store/store.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { clicksWorthATest, describeFinding, findSelfClicking, gapsLookedAtMax, type PlacementCount } from "./find-self-clicking.ts";
import { countByPlacement } from "../reports/ad-hours.table.ts";
import { openFinding } from "./findings.table.ts";
import { selectClickTimes } from "./clicks.table.ts";
import { msPerDay } from "../../formats/time.ts";

const windowDays = 7;

/** Looks at every account that had clicks in the last seven days; returns how many findings it opened. Meant to run once a day. */
export async function watchClicks(store: Store, chance: { nowMs: number; random: () => number }): Promise<number> {
  const { nowMs, random } = chance;
  const span = { fromMs: nowMs - windowDays * msPerDay, toMs: nowMs };
  const rows = await countByPlacement(store.db, span).execute();
  const counts = rows.map(
    (row): PlacementCount => ({ accountId: row.account_id, placement: row.placement, impressions: row.impressions, clicks: row.clicks }),
  );
  const clicksOf = new Map<string, number>();
  for (const { accountId, clicks } of counts) clicksOf.set(accountId, (clicksOf.get(accountId) ?? 0) + clicks);
  let opened = 0;
  for (const [accountId, clicks] of clicksOf) {
    if (clicks < clicksWorthATest) continue;
    const times = await selectClickTimes(store.db, { ...span, accountId, limit: gapsLookedAtMax }).execute();
    const clickedAtMs = times.map((row) => row.at).toReversed();
    for (const finding of findSelfClicking({ accountId, clickedAtMs }, counts, random)) {
      const row = { id: timeOrderedId("find", nowMs), account_id: accountId, code: finding.code, detail: describeFinding(finding) };
      const { numInsertedOrUpdatedRows } = await openFinding(store.db, {
        ...row,
        opened_at: nowMs,
        closed_at: null,
        resolution: null,
      }).executeTakeFirstOrThrow();
      opened += Number(numInsertedOrUpdatedRows ?? 0n);
    }
  }
  return opened;
}
