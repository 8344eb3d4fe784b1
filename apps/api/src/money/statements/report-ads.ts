import type { MovementHourRow } from "../../store/schema-dashboard.ts";
import type { Store } from "../../store/store.ts";
import { sumClicksOf } from "../ledger/movements.table.ts";

export type AdMoney = { clicks: number; clickedMicroUsd: number; pendingMicroUsd: number; confirmedMicroUsd: number; reversedMicroUsd: number };

/**
 * Clicks of a span and their outcome: `movements` are the span's, `range` the same span as entry numbers. Confirmed
 * revenue is neither pending nor reversed since. `reversedMicroUsd` was reversed within the span, whenever the click was.
 */
export async function reportAds(
  store: Store,
  range: { accountId: string; fromSeq: number; toSeq: number },
  movements: readonly Pick<MovementHourRow, "kind" | "payer" | "entries" | "developer_micro">[],
): Promise<AdMoney> {
  const total = (kind: string, field: "entries" | "developer_micro") =>
    movements.filter((each) => each.kind === kind && each.payer === "advertiser").reduce((sum, each) => sum + each[field], 0);
  const sumOf = async (status: "pending" | "reversed") =>
    (await sumClicksOf(store.db, { ...range, status }).executeTakeFirstOrThrow()).developer_micro ?? 0;
  const [pendingMicroUsd, reversedSinceMicroUsd] = await Promise.all([sumOf("pending"), sumOf("reversed")]);
  const clickedMicroUsd = total("click", "developer_micro");
  return {
    clicks: total("click", "entries"),
    clickedMicroUsd,
    pendingMicroUsd,
    confirmedMicroUsd: clickedMicroUsd - pendingMicroUsd - reversedSinceMicroUsd,
    reversedMicroUsd: 0 - total("reversal", "developer_micro"),
  };
}
