import { startOfHour } from "../../formats/time.ts";
import type { MovementHourRow } from "../../store/schema-dashboard.ts";
import type { LedgerEntryRow } from "../../store/schema.ts";

/** Entries that are no calls, summed by account, hour, kind and payer, in the order of their keys. */
export function sumMovementsByHour(entries: readonly LedgerEntryRow[]): MovementHourRow[] {
  const hours = new Map<string, MovementHourRow>();
  for (const { account_id, at, kind, payer, gross_micro, developer_micro, platform_micro } of entries) {
    if (kind === "call") continue;
    const hour = startOfHour(at);
    const name = `${account_id} ${hour} ${kind} ${payer}`;
    const sums = hours.get(name) ?? { account_id, hour, kind, payer, entries: 0, gross_micro: 0, developer_micro: 0, platform_micro: 0 };
    sums.entries += 1;
    sums.gross_micro += gross_micro;
    sums.developer_micro += developer_micro;
    sums.platform_micro += platform_micro;
    hours.set(name, sums);
  }
  return [...hours].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, sums]) => sums);
}
