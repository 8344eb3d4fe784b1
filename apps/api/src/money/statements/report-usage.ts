import type { UsageReply } from "@assay/contract/usage.ts";
import { usdOf } from "../../formats/money.ts";
import { msPerDay, msPerHour } from "../../formats/time.ts";
import type { Store } from "../../store/store.ts";
import { sumCallsByTime } from "../ledger/ledger.table.ts";

/** Rollups are by the hour, so a span is whole hours. */
export const usageSpan = { daysDefault: 30, daysMax: 92, stepMs: msPerHour };
const hourlyDaysMax = 2;

type Sums = { calls: number; gross_micro: number; developer_micro: number; platform_micro: number };

const emptySums = (): Sums => ({ calls: 0, gross_micro: 0, developer_micro: 0, platform_micro: 0 });

export function addUp(rows: readonly Sums[]): Sums {
  const total = emptySums();
  for (const row of rows) {
    total.calls += row.calls;
    total.gross_micro += row.gross_micro;
    total.developer_micro += row.developer_micro;
    total.platform_micro += row.platform_micro;
  }
  return total;
}

export const inUsd = (sums: Sums) => ({
  calls: sums.calls,
  gross_usd: usdOf(sums.gross_micro),
  developer_usd: usdOf(sums.developer_micro),
  platform_usd: usdOf(sums.platform_micro),
});

export async function reportUsage(
  store: Store,
  span: { accountId: string; fromMs: number; toMs: number },
): Promise<UsageReply> {
  const granularity = span.toMs - span.fromMs <= hourlyDaysMax * msPerDay ? "hour" : "day";
  const bucketMs = granularity === "hour" ? msPerHour : msPerDay;
  const rows = await sumCallsByTime(store.db, { ...span, bucketMs }).execute();
  const byEndpoint = Map.groupBy(rows, (row) => row.endpoint);
  const byStart = Map.groupBy(rows, (row) => row.start);
  return {
    from: new Date(span.fromMs).toISOString(),
    to: new Date(span.toMs).toISOString(),
    granularity,
    ...inUsd(addUp(rows)),
    endpoints: [...byEndpoint].map(([endpoint, some]) => ({ endpoint, ...inUsd(addUp(some)) })),
    series: [...byStart].map(([start, some]) => ({ start: new Date(start).toISOString(), ...inUsd(addUp(some)) })),
  };
}
