import { msPerDay, startOfDay } from "../../formats/time.ts";
import { dayText } from "../../money/days/day-refs.ts";
import type { DayResult } from "../../money/evidence/day-result.ts";
import { addDay, type CheckName, checkWeights, type Evidence, logEvidenceThreshold, startEvidence, weighChecks } from "../../money/evidence/e-process.ts";
import { findContributingDays } from "../../money/evidence/find-contributing-days.ts";
import { selectActiveAccounts } from "../../money/ledger/ledger.table.ts";
import type { Store } from "../../store/store.ts";
import { checkDay } from "./check-duplicates.ts";
import { readDaySample } from "./read-day.ts";

const accountsPerPage = 500;

export type SuspectAccount = { accountId: string; evidence: number; code: CheckName; days: string[] };

type Counted = { day: number; ordinal: number; log_factor: number };

/** The evidence of an account's stored days, as if they had been watched. */
function addUp(days: readonly { day: number; results: readonly DayResult[] }[]): Omit<SuspectAccount, "accountId"> | undefined {
  const evidenceOf = new Map<CheckName, Evidence>();
  const countedOf = new Map<CheckName, Counted[]>();
  let found: { log: number; code: CheckName } | undefined;
  for (const { day, results } of days) {
    for (const { check, logRatio } of results) {
      const added = addDay(evidenceOf.get(check) ?? startEvidence(), logRatio);
      evidenceOf.set(check, added);
      countedOf.set(check, [...(countedOf.get(check) ?? []), { day, ordinal: added.ordinal, log_factor: added.logFactor }]);
    }
    const logs = new Map([...evidenceOf].map(([check, { logEvidence }]) => [check, logEvidence]));
    const log = weighChecks(logs);
    if (log < logEvidenceThreshold || log < (found?.log ?? 0)) continue;
    const [code] = [...logs].toSorted((left, right) => right[1] + Math.log(checkWeights[right[0]]) - left[1] - Math.log(checkWeights[left[0]]))[0]!;
    found = { log, code };
  }
  if (!found) return undefined;
  const named = findContributingDays(countedOf.get(found.code)!);
  return { evidence: Math.exp(found.log), code: found.code, days: named.map(({ day }) => dayText(day)) };
}

/**
 * Runs the checks of single accounts over the sessions that are still stored, and returns the accounts that would have a
 * finding, the strongest evidence first. Reads only, and only tables that earlier versions have too.
 */
export async function checkBeforeUpgrade(store: Store, options: { nowMs: number; retentionDays: number; random: () => number }): Promise<{ checked: number; suspects: SuspectAccount[] }> {
  const { nowMs, retentionDays, random } = options;
  const endMs = startOfDay(nowMs);
  const fromMs = endMs - retentionDays * msPerDay;
  const suspects: SuspectAccount[] = [];
  let checked = 0;
  for (let afterId = "", isMore = true; isMore; ) {
    const accounts = await selectActiveAccounts(store.db, { sinceMs: fromMs, afterId, limit: accountsPerPage }).execute();
    for (const { account_id: accountId } of accounts) {
      const days = [];
      for (let day = fromMs; day < endMs; day += msPerDay) {
        const { rows, calls } = await readDaySample(store, { accountId, day, recordsOnly: true }, random);
        if (calls > 0) days.push({ day, results: checkDay(rows) });
      }
      const suspect = addUp(days);
      if (suspect) suspects.push({ accountId, ...suspect });
      checked += 1;
      afterId = accountId;
    }
    isMore = accounts.length === accountsPerPage;
  }
  return { checked, suspects: suspects.toSorted((left, right) => right.evidence - left.evidence) };
}
