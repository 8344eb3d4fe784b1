import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { LimiterMode } from "../access/limits/limiter.ts";
import type { AttemptOutcome } from "../webhooks/deliveries/attempt-delivery.ts";
import { createCallCounts } from "./call-counts.ts";
import { lagMsOf } from "./job-schedule.ts";
import type { JobState } from "./run-jobs.ts";
import { alone, type Siblings } from "./siblings.ts";

const limiterModes = ["memory", "redis", "fallback"] as const satisfies readonly LimiterMode[];

/** A slow or unreachable store must not block the other metrics. */
const countMsMax = 1_000;

export type MetricProbes = {
  commitQueueDepth: () => number;
  nowMs: () => number;
  /** The jobs as this node last read them: the same on every node. */
  jobs: () => readonly JobState[];
  countOverdueFindings: () => Promise<number>;
  measureLog: () => Promise<{ size: number; newestMs: number | undefined; waiting: number }>;
  /** Undefined without a replica for reports; it returns undefined while the lag is not known. */
  reportLagMs: (() => number | undefined) | undefined;
  /** Undefined on the embedded store, which has one copy. */
  survivesLossOfPrimary?: (() => boolean) | undefined;
  measureDeliveries: () => Promise<{ pending: number; oldestDueMs: number }>;
  /** Undefined without witnesses. */
  readWitnessStates: (() => Promise<{ name: string; behindMs: number }[]>) | undefined;
  /** Undefined on the embedded store, which has no partitions. */
  countUnpartitionedRows: (() => Promise<{ table: string; rows: number }[]>) | undefined;
  /** The other workers of this machine, whose counts are added. */
  siblings?: Siblings;
};

/** Of figures that each worker reads from the same store, or of a state that one worker in trouble must show, the largest counts. */
const aggregator = "max";

const inSeconds = (ms: number | null): number | undefined => (ms === null ? undefined : ms / 1_000);

type JobGauge = { name: string; help: string; valueOf: (job: JobState, nowMs: number) => number | undefined };

const jobGauges: readonly JobGauge[] = [
  { name: "assay_job_last_success_timestamp_seconds", help: "Time of the job's last success, on any node.", valueOf: (job) => inSeconds(job.last_success_at) },
  { name: "assay_job_duration_seconds", help: "Duration of the job's last run.", valueOf: (job) => inSeconds(job.last_duration_ms) },
  { name: "assay_job_failures", help: "Consecutive failures of the job.", valueOf: (job) => job.failures },
  { name: "assay_job_lag_seconds", help: "Time since the job became due without being done.", valueOf: (job, nowMs) => lagMsOf(job, nowMs) / 1_000 },
];

function addJobGauge(registers: Registry[], { name, help, valueOf }: JobGauge, { jobs, nowMs }: MetricProbes): void {
  // oxlint-disable-next-line no-new -- it registers itself
  new Gauge({
    aggregator,
    name,
    help,
    labelNames: ["job"],
    registers,
    collect() {
      this.reset();
      for (const job of jobs()) {
        const value = valueOf(job, nowMs());
        if (value !== undefined) this.set({ job: job.name }, value);
      }
    },
  });
}

/** Undefined if the store fails or does not answer in time. */
const countInTime = <Count>(count: () => Promise<Count>): Promise<Count | undefined> => {
  const late = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), countMsMax).unref();
  });
  return Promise.race([count().catch(() => undefined), late]);
};

function addFindingsGauge(registers: Registry[], countOverdueFindings: MetricProbes["countOverdueFindings"]): void {
  // oxlint-disable-next-line no-new -- it registers itself
  new Gauge({
    aggregator,
    name: "assay_findings_overdue",
    help: "Findings that have waited more than 14 days for a decision.",
    registers,
    async collect() {
      const count = await countInTime(countOverdueFindings);
      if (count !== undefined) this.set(count);
    },
  });
}

type MeasuredLog = Awaited<ReturnType<MetricProbes["measureLog"]>>;

const logGauges: readonly { name: string; help: string; valueOf: (log: MeasuredLog, nowMs: number) => number | undefined }[] = [
  { name: "assay_log_size", help: "Ledger entries in the log.", valueOf: ({ size }) => size },
  { name: "assay_log_entries_waiting", help: "Ledger entries that are not in the log yet.", valueOf: ({ waiting }) => waiting },
  {
    name: "assay_log_checkpoint_age_seconds",
    help: "Age of the log's newest checkpoint; it grows while there are no new entries.",
    valueOf: ({ newestMs }, nowMs) => (newestMs === undefined ? undefined : Math.max(0, nowMs - newestMs) / 1_000),
  },
];

/** One measurement for all of them: they are collected at the same time. */
function addLogGauges(registers: Registry[], { measureLog, nowMs }: Pick<MetricProbes, "measureLog" | "nowMs">): void {
  let underWay: Promise<MeasuredLog | undefined> | undefined;
  const measure = () =>
    (underWay ??= countInTime(measureLog).finally(() => {
      underWay = undefined;
    }));
  for (const { name, help, valueOf } of logGauges) {
    // oxlint-disable-next-line no-new -- it registers itself
    new Gauge({
      aggregator,
      name,
      help,
      registers,
      async collect() {
        const measured = await measure();
        const value = measured && valueOf(measured, nowMs());
        if (value !== undefined) this.set(value);
      },
    });
  }
}

type MeasuredDeliveries = Awaited<ReturnType<MetricProbes["measureDeliveries"]>>;

const deliveryGauges: readonly { name: string; help: string; valueOf: (measured: MeasuredDeliveries) => number }[] = [
  { name: "assay_webhook_pending", help: "Deliveries of webhooks that wait for their first or next attempt, counted up to a bound.", valueOf: ({ pending }) => pending },
  { name: "assay_webhook_due_seconds", help: "For how long the oldest delivery has been due at an active endpoint.", valueOf: ({ oldestDueMs }) => oldestDueMs / 1_000 },
];

/** One measurement for both of them: they are collected at the same time. */
function addDeliveryGauges(registers: Registry[], measureDeliveries: MetricProbes["measureDeliveries"]): void {
  let underWay: Promise<MeasuredDeliveries | undefined> | undefined;
  const measure = () =>
    (underWay ??= countInTime(measureDeliveries).finally(() => {
      underWay = undefined;
    }));
  for (const { name, help, valueOf } of deliveryGauges) {
    // oxlint-disable-next-line no-new -- it registers itself
    new Gauge({
      aggregator,
      name,
      help,
      registers,
      async collect() {
        const measured = await measure();
        if (measured) this.set(valueOf(measured));
      },
    });
  }
}

function addWitnessGauge(registers: Registry[], readStates: NonNullable<MetricProbes["readWitnessStates"]>): void {
  // oxlint-disable-next-line no-new -- it registers itself
  new Gauge({
    aggregator,
    name: "assay_log_witness_behind_seconds",
    help: "For how long the witness has not cosigned although there was a new checkpoint; 0 if it has cosigned the newest one.",
    labelNames: ["witness"],
    registers,
    async collect() {
      const states = await countInTime(readStates);
      for (const { name, behindMs } of states ?? []) this.set({ witness: name }, behindMs / 1_000);
    },
  });
}

function addUnpartitionedGauge(registers: Registry[], countRows: NonNullable<MetricProbes["countUnpartitionedRows"]>): void {
  // oxlint-disable-next-line no-new -- it registers itself
  new Gauge({
    aggregator,
    name: "assay_rows_outside_partitions",
    help: "Rows in the default partition instead of a day's, counted up to a bound.",
    labelNames: ["table"],
    registers,
    async collect() {
      for (const { table, rows } of (await countInTime(countRows)) ?? []) this.set({ table }, rows);
    },
  });
}

function addReportLagGauge(registers: Registry[], reportLagMs: NonNullable<MetricProbes["reportLagMs"]>): void {
  // oxlint-disable-next-line no-new -- it registers itself
  new Gauge({
    aggregator,
    name: "assay_report_replica_lag_seconds",
    help: "By how much the replica for reports may be behind; absent while that is not known.",
    registers,
    collect() {
      this.reset();
      const lagMs = reportLagMs();
      if (lagMs === undefined) this.remove();
      else this.set(lagMs / 1_000);
    },
  });
}

function addDurabilityGauge(registers: Registry[], survivesLoss: NonNullable<MetricProbes["survivesLossOfPrimary"]>): void {
  // oxlint-disable-next-line no-new -- it registers itself
  new Gauge({
    aggregator: "min",
    name: "assay_survives_loss_of_primary",
    help: "1 if an acknowledged call survives the loss of the primary; 0 if not, or if that is not known.",
    registers,
    collect() {
      this.set(Number(survivesLoss()));
    },
  });
}

export type Metrics = ReturnType<typeof createMetrics>;

/** The same in every worker: the supervisor tells them. */
function addWorkerMetrics(registers: Registry[], status: Siblings["status"]): void {
  // oxlint-disable-next-line no-new -- it registers itself
  new Gauge({
    aggregator,
    name: "assay_workers",
    help: "Processes that serve the port of this node.",
    registers,
    collect() {
      this.set(status().ready);
    },
  });
  // oxlint-disable-next-line no-new -- it registers itself
  new Counter({
    aggregator,
    name: "assay_worker_restarts_total",
    help: "Workers that died and were started again.",
    registers,
    collect() {
      this.reset();
      this.inc(status().restarts);
    },
  });
}

/** Labels come from closed lists only (route patterns, statuses, codes), never from a caller's input. */
export function createMetrics(probes: MetricProbes) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const { siblings = alone } = probes;
  siblings.setReport(() => registry.getMetricsAsJSON());
  addWorkerMetrics(registers, siblings.status);
  // prom-client would leave it out.
  (registry.getSingleMetric("process_start_time_seconds") as unknown as { aggregator: string }).aggregator = "min";
  const answered = createCallCounts();
  registry.registerMetric(answered.calls);
  registry.registerMetric(answered.durations);
  const failures = new Counter({ name: "assay_failures_total", help: "Failed answers, by code.", labelNames: ["code"], registers });
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
    help: "Calls waiting for their commit.",
    registers,
    collect() {
      this.set(probes.commitQueueDepth());
    },
  });
  let laneCalls = 0;
  // oxlint-disable-next-line no-new -- it registers itself
  new Counter({
    name: "assay_lane_calls_total",
    help: "Calls that took the express lane; all others were answered by their routes.",
    registers,
    collect() {
      this.reset();
      this.inc(laneCalls);
    },
  });
  const jobs = new Counter({
    name: "assay_jobs_total",
    help: "Job runs by this node: ran, failed, or lost to another node.",
    labelNames: ["job", "result"],
    registers,
  });
  for (const gauge of jobGauges) addJobGauge(registers, gauge, probes);
  addFindingsGauge(registers, probes.countOverdueFindings);
  addLogGauges(registers, probes);
  addDeliveryGauges(registers, probes.measureDeliveries);
  if (probes.survivesLossOfPrimary) addDurabilityGauge(registers, probes.survivesLossOfPrimary);
  if (probes.reportLagMs) addReportLagGauge(registers, probes.reportLagMs);
  const webhookAttempts = new Counter({ name: "assay_webhook_attempts_total", help: "Attempts of this node to deliver webhooks, by outcome.", labelNames: ["outcome"], registers });
  if (probes.readWitnessStates) addWitnessGauge(registers, probes.readWitnessStates);
  if (probes.countUnpartitionedRows) addUnpartitionedGauge(registers, probes.countUnpartitionedRows);
  const limiterMode = new Gauge({
    aggregator,
    name: "assay_limiter_mode",
    help: "1 for the limiter mode that this node currently uses.",
    labelNames: ["mode"],
    registers,
  });

  return {
    countCall: answered.count,
    countLaneCall(): void {
      laneCalls += 1;
    },
    laneCalls: () => laneCalls,
    countFailure: (code: string) => failures.inc({ code }),
    countBatch({ items, durationMs, failed }: { items: number; durationMs: number; failed: boolean }) {
      batchSizes.observe(items);
      batchDurations.observe(durationMs / 1_000);
      if (failed) failedBatches.inc();
    },
    setLimiterMode(mode: LimiterMode) {
      for (const each of limiterModes) limiterMode.set({ mode: each }, Number(each === mode));
    },
    countWebhookAttempt: (outcome: AttemptOutcome) => webhookAttempts.inc({ outcome }),
    countJob: (job: string, result: string) => jobs.inc({ job, result }),
    /** Of all workers. */
    text: async () => (siblings.gatherMetrics ? AggregatorRegistry.aggregate(await siblings.gatherMetrics()) : registry).metrics(),
    contentType: registry.contentType,
  };
}
