import type { UsageReply } from "@assay/contract/usage.ts";
import { usdOf } from "../../formats/money.ts";
import { isoTime, msPerDay, msPerHour } from "../../formats/time.ts";
import type { ReportSource } from "../../store/reports/report-source.ts";
import { sumCallsByTime } from "../ledger/ledger.table.ts";

/** Rollups are hourly, so a span is whole hours. */
export const usageSpan = { daysDefault: 30, daysMax: 92, stepMs: msPerHour };
const hourlyDaysMax = 2;

type Sums = { calls: number; gross_micro: number; developer_micro: number; platform_micro: number };

export function addUp(rows: readonly Sums[]): Sums {
  const total = { calls: 0, gross_micro: 0, developer_micro: 0, platform_micro: 0 };
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

export async function reportUsage(source: ReportSource, span: { accountId: string; fromMs: number; toMs: number }): Promise<UsageReply> {
  const granularity = span.toMs - span.fromMs <= hourlyDaysMax * msPerDay ? "hour" : "day";
  const bucketMs = granularity === "hour" ? msPerHour : msPerDay;
  const rows = await sumCallsByTime(source.db, { ...span, bucketMs }).execute();
  const byEndpoint = Map.groupBy(rows, (row) => row.endpoint);
  const byStart = Map.groupBy(rows, (row) => row.start);
  return {
    from: isoTime(span.fromMs),
    to: isoTime(span.toMs),
    granularity,
    ...inUsd(addUp(rows)),
    endpoints: [...byEndpoint].map(([endpoint, some]) => ({ endpoint, ...inUsd(addUp(some)) })),
    series: [...byStart].map(([start, some]) => ({ start: isoTime(start), ...inUsd(addUp(some)) })),
  };
}
