import type { Metric } from "prom-client";

const bucketsMs = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000];

type RouteCounts = { statuses: Map<number, number>; buckets: Float64Array; sumMs: number; count: number };

/** Answers by route and status, and their durations. Plain numbers on the hot path, converted only when Prometheus scrapes. */
export function createCallCounts() {
  const routes = new Map<string, RouteCounts>();

  function countsOf(route: string): RouteCounts {
    let counts = routes.get(route);
    if (!counts) {
      counts = { statuses: new Map(), buckets: new Float64Array(bucketsMs.length), sumMs: 0, count: 0 };
      routes.set(route, counts);
    }
    return counts;
  }

  // What `get` returns is sent to other processes, so it contains no function.
  const callsInfo = { name: "assay_calls_total", help: "Answered requests by route and status.", type: "counter", aggregator: "sum" };
  const callsMetric = {
    ...callsInfo,
    get: () => ({
      ...callsInfo,
      values: [...routes].flatMap(([route, { statuses }]) =>
        [...statuses].map(([status, value]) => ({ value, labels: { route, status } })),
      ),
    }),
    reset: () => routes.clear(),
  };

  const durationsInfo = {
    name: "assay_call_duration_seconds",
    help: "Time from a request's arrival until its answer was handed to the socket, by route.",
    type: "histogram",
    aggregator: "sum",
  };
  const durationsMetric = {
    ...durationsInfo,
    get: () => ({ ...durationsInfo, values: [...routes].flatMap(([route, counts]) => valuesOf(route, counts)) }),
    reset: () => routes.clear(),
  };

  function valuesOf(route: string, { buckets, sumMs, count }: RouteCounts) {
    const metricName = (suffix: string) => `${durationsInfo.name}_${suffix}`;
    let upTo = 0;
    const cumulated = bucketsMs.map((ms, index) => {
      upTo += buckets[index]!;
      return { value: upTo, labels: { le: ms / 1_000, route }, metricName: metricName("bucket") };
    });
    return [
      ...cumulated,
      { value: count, labels: { le: "+Inf", route }, metricName: metricName("bucket") },
      { value: sumMs / 1_000, labels: { route }, metricName: metricName("sum") },
      { value: count, labels: { route }, metricName: metricName("count") },
    ];
  }

  return {
    count(route: string, status: number, durationMs: number): void {
      const counts = countsOf(route);
      counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1);
      counts.sumMs += durationMs;
      counts.count += 1;
      let bucket = 0;
      while (bucket < bucketsMs.length && durationMs > bucketsMs[bucket]!) bucket += 1;
      if (bucket < bucketsMs.length) counts.buckets[bucket]! += 1;
    },
    calls: callsMetric as unknown as Metric<"route" | "status">,
    durations: durationsMetric as unknown as Metric<"route">,
  };
}
