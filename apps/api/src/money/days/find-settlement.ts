import { startOfDay } from "../../formats/time.ts";
import type { CallDayRow } from "../../store/schema-integrity.ts";
import type { Store } from "../../store/store.ts";
import { selectSettlementOfCall } from "./days.table.ts";
import { wholeDayRef } from "./day-refs.ts";

/** Whether what a platform-paid call earned may still be reversed, is confirmed, or was reversed, with its day or by itself. */
export async function findCallSettlement(store: Store, call: { accountId: string; sessionId: string; billedAtMs: number }): Promise<CallDayRow["state"]> {
  const day = startOfDay(call.billedAtMs);
  const row = await selectSettlementOfCall(store.db, { ...call, wholeDayRef: wholeDayRef(day) }).executeTakeFirstOrThrow();
  if ((row.reversed_alone ?? 0) + (row.reversed_with_day ?? 0) > 0) return "reversed";
  return day < (row.confirmed_to ?? 0) ? "confirmed" : "pending";
}
