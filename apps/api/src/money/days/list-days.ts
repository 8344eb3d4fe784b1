import type { CallDay, CallDaysReply } from "@assay/contract/dashboard/integrity.ts";
import { usdOf } from "../../formats/money.ts";
import { isoTime, isoTimeOrNull } from "../../formats/time.ts";
import type { Store } from "../../store/store.ts";
import { dayText } from "./day-refs.ts";
import { selectCallDays, selectNewestDays, selectReversalsOfDays, selectSettlement, sumPendingCalls } from "./days.table.ts";
import { describeReversal } from "./describe-days.ts";
import { confirmsAtMs } from "./settle-calls.ts";

const daysShown = 62;

/** The account's newest days of platform-paid calls, each with what became of it. */
export async function listCallDays(store: Store, options: { accountId: string; holdDays: number }): Promise<CallDaysReply> {
  const { accountId, holdDays } = options;
  const days = await selectNewestDays(store.db, { accountId, limit: daysShown }).execute();
  const fromMs = days.at(-1)?.day ?? 0;
  const [settlement, rows, reversals, pending] = await Promise.all([
    selectSettlement(store.db, accountId).executeTakeFirst(),
    selectCallDays(store.db, { accountId, fromMs, toMs: Number.MAX_SAFE_INTEGER }).execute(),
    selectReversalsOfDays(store.db, { accountId, fromMs }).execute(),
    sumPendingCalls(store.db, { accountId }).executeTakeFirstOrThrow(),
  ]);
  const rowOf = new Map(rows.map((row) => [row.day, row]));
  const reversalsOf = Map.groupBy(reversals, (row) => row.day);
  const describe = ({ day, calls, developer_micro: developerMicro }: (typeof days)[number]): CallDay => {
    const row = rowOf.get(day);
    const isSettled = day < (settlement?.confirmed_to ?? 0);
    // Nothing is left to confirm of a day that was reversed as a whole: it is shown so before it is settled.
    const isReversed = row !== undefined && row.reversed_calls >= calls;
    const state = isReversed ? "reversed" : isSettled ? "confirmed" : "pending";
    return {
      day: dayText(day),
      state,
      calls,
      developer_usd: usdOf(developerMicro),
      reversed_usd: usdOf(row?.reversed_developer_micro ?? 0),
      settled_at: isoTimeOrNull(row?.settled_at ?? null),
      confirms_at: state === "pending" ? isoTime(confirmsAtMs(day, holdDays)) : null,
      reversals: (reversalsOf.get(day) ?? []).map(describeReversal),
    };
  };
  return { days: days.map(describe), hold_days: holdDays, pending_usd: usdOf(pending.developer_micro - pending.reversed_micro) };
}
