import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { LimiterMode } from "../access/limits/limiter.ts";
import { createCallCounts } from "./call-counts.ts";
import { addJobGauges, type JobProbes } from "./job-gauges.ts";

const limiterModes = ["memory", "redis", "fallback"] as const satisfies readonly LimiterMode[];

export type Metrics = {
  /** One answered request of a route. */
  countCall(route: string, status: number, durationMs: number): void;
  countFailure(code: string): void;
  countBatch(batch: { items: number; durationMs: number; failed: boolean }): void;
  setLimiterMode(mode: LimiterMode): void;
  countJob(name: string, outcome: string): void;
  text(): Promise<string>;
  contentType: string;
};

export type MetricProbes = JobProbes & { commitQueueDepth: () => number };

/** Only closed lists become labels: routes as patterns, statuses, codes. Nothing of a caller does. */
export function createMetrics(probes: MetricProbes): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const answered = createCallCounts();
  registry.registerMetric(answered.calls);
  registry.registerMetric(answered.durations);
  const failures = new Counter({
    name: "assay_failures_total",
    help: "Answers that were failures, by code.",
    labelNames: ["code"],
    registers,
  });
  const batchSizes = new Histogram({
    name: "assay_commit_batch_size",
    help: "Calls billed by one commit.",
    buckets: [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000],
    registers,
  });
  const batchDurations = new Histogram({
    name: "assay_commit_duration_seconds",
    help: "Time until a batch was durable.",
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers,
  });
  const failedBatches = new Counter({ name: "assay_commit_failures_total", help: "Batches that were not billed.", registers });
  // oxlint-disable-next-line no-new -- it registers itself
  new Gauge({
    name: "assay_commit_queue_depth",
    help: "Calls that wait for their commit.",
    registers,
    collect() {
      this.set(probes.commitQueueDepth());
    },
  });
  const jobs = new Counter({
    name: "assay_jobs_total",
    help: "Runs of the jobs that are done once for all nodes, by this node: ran, failed, or lost to another node.",
    labelNames: ["job", "result"],
    registers,
  });
  addJobGauges(registers, probes);
  const limiterMode = new Gauge({
    name: "assay_limiter_mode",
    help: "1 for the way in which this node counts calls at the moment.",
    labelNames: ["mode"],
    registers,
  });

  return {
    countCall: answered.count,
    countFailure: (code) => failures.inc({ code }),
    countBatch({ items, durationMs, failed }) {
      batchSizes.observe(items);
      batchDurations.observe(durationMs / 1_000);
      if (failed) failedBatches.inc();
    },
    setLimiterMode(mode) {
      for (const each of limiterModes) limiterMode.set({ mode: each }, Number(each === mode));
    },
    countJob: (job, result) => jobs.inc({ job, result }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
