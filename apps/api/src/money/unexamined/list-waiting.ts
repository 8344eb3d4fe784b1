import type { WaitingReply } from "@assay/contract/dashboard/waiting.ts";
import { usdOf } from "../../formats/money.ts";
import { isoTime } from "../../formats/time.ts";
import type { Store } from "../../store/store.ts";
import { describeWaiting } from "./describe-waiting.ts";
import { selectAllowances, selectUndecided } from "../waiting/waiting.table.ts";

const shownMax = 500;

/** What no operator has decided, the largest first. */
export async function listUndecided(store: Store): Promise<WaitingReply> {
  const rows = await selectUndecided(store.db, { limit: shownMax }).execute();
  const accountIds = [...new Set(rows.map((row) => row.account_id))];
  const allowances = accountIds.length === 0 ? [] : await selectAllowances(store.db, accountIds).execute();
  const allowancesOf = Map.groupBy(allowances, (row) => row.account_id);
  return {
    waiting: rows.map((row) => ({
      ...describeWaiting(row),
      account_id: row.account_id,
      email: row.email,
      allowances: (allowancesOf.get(row.account_id) ?? []).map((each) => ({ reason: each.reason, daily_usd: usdOf(each.daily_micro), note: each.note, set_at: isoTime(each.set_at) })),
    })),
  };
}
