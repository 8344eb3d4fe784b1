import type { Store } from "../../store/store.ts";
import type { FoundWaiting, RecordWaiting } from "./record-waiting.work.ts";
import { selectAllowances } from "../waiting/waiting.table.ts";

const workModule = new URL("./record-waiting.work.ts", import.meta.url);

/** What a day may earn although nobody can examine it, by reason: an operator knows the account. */
export async function readDailyAllowances(store: Store, accountId: string): Promise<ReadonlyMap<string, number>> {
  return new Map((await selectAllowances(store.db, [accountId]).execute()).map((row) => [row.reason, row.daily_micro]));
}

export async function recordWaiting(store: Store, day: Omit<RecordWaiting, "found"> & { found: readonly FoundWaiting[] }): Promise<void> {
  if (day.found.length > 0) await store.transact<RecordWaiting, { recorded: number }>(workModule, { ...day, found: [...day.found] });
}
