import type { DashboardUsageReply } from "@assay/contract/dashboard/usage.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { barsOf } from "./usage-bars.ts";

const billed = { calls: 0, gross_usd: 0, developer_usd: 0 };

function usageWith(counts: number[], group: DashboardUsageReply["group"] = "key"): DashboardUsageReply {
  const groups = counts.map((requests, index) => ({ name: `k${index}`, label: `Key ${index}`, requests, billed: null }));
  return {
    from: "2026-01-01T00:00:00.000Z",
    to: "2026-01-02T00:00:00.000Z",
    by: "day",
    group,
    requests: counts.reduce((sum, count) => sum + count, 0),
    billed,
    groups,
    series: [{ start: "2026-01-01T00:00:00.000Z", requests: 0, billed_calls: 0, developer_usd: 0, groups: groups.map(({ name, requests }) => ({ name, requests })) }],
  };
}

const sumOf = (bar: Record<string, number | string> | undefined) =>
  Object.values(bar ?? {}).reduce<number>((sum, value) => sum + (typeof value === "number" ? value : 0), 0);

describe("usage bars", () => {
  it("count every request, however many groups there are", () => {
    const usage = usageWith([90, 80, 70, 60, 50, 40, 30]);
    const { bars, series } = barsOf(usage, (start) => start);
    assert.equal(sumOf(bars[0]), usage.requests);
    assert.equal(series.at(-1)?.label, "Other");
    assert.equal(series.length, 6);
  });

  it("have no Other series if every group is shown", () => {
    const { series } = barsOf(usageWith([5, 3]), (start) => start);
    assert.deepEqual(series.map(({ label }) => label), ["Key 0", "Key 1"]);
  });

  it("leave out groups without requests", () => {
    assert.deepEqual(barsOf(usageWith([0, 0]), (start) => start).series, []);
  });
});
