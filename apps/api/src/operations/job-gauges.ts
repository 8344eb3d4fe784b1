import { Gauge, type Registry } from "prom-client";
import { lagMsOf } from "./job-schedule.ts";
import type { SeenJob } from "./run-jobs.ts";

export type JobProbes = {
  nowMs: () => number;
  /** The jobs as this node saw them last: the same on every node, whoever runs them. */
  jobs: () => readonly SeenJob[];
  /** Rows that lie in no day's partition; undefined where there are no partitions. */
  countOutside: (() => Promise<{ table: string; rows: number }[]>) | undefined;
};

/** A store that is slow or away must not take the other figures with it. */
const countMsMax = 1_000;

function addGauge(
  registers: Registry[],
  about: { name: string; help: string; valueOf: (job: SeenJob, nowMs: number) => number | undefined },
  { jobs, nowMs }: JobProbes,
): void {
  // oxlint-disable-next-line no-new -- it registers itself
  new Gauge({
    name: about.name,
    help: about.help,
    labelNames: ["job"],
    registers,
    collect() {
      this.reset();
      for (const job of jobs()) {
        const value = about.valueOf(job, nowMs());
        if (value !== undefined) this.set({ job: job.name }, value);
      }
    },
  });
}

const inSeconds = (ms: number | null): number | undefined => (ms === null ? undefined : ms / 1_000);

function addOutsideGauge(registers: Registry[], countOutside: NonNullable<JobProbes["countOutside"]>): void {
  // oxlint-disable-next-line no-new -- it registers itself
  new Gauge({
    name: "assay_rows_outside_partitions",
    help: "Rows that no day's partition takes, up to a bound: the default partition keeps them.",
    labelNames: ["table"],
    registers,
    async collect() {
      const late = new Promise<undefined>((resolve) => {
        setTimeout(() => resolve(undefined), countMsMax).unref();
      });
      const counted = await Promise.race([countOutside().catch(() => undefined), late]);
      for (const { table, rows } of counted ?? []) this.set({ table }, rows);
    },
  });
}

/** How the jobs stand: what an operator's alerts look at. */
export function addJobGauges(registers: Registry[], probes: JobProbes): void {
  const gauges: Parameters<typeof addGauge>[1][] = [
    {
      name: "assay_job_last_success_timestamp_seconds",
      help: "When the job last ended well, on whichever node.",
      valueOf: (job) => inSeconds(job.last_success_at),
    },
    { name: "assay_job_duration_seconds", help: "How long the job's last run took.", valueOf: (job) => inSeconds(job.last_duration_ms) },
    { name: "assay_job_failures", help: "Runs that failed in a row, up to now.", valueOf: (job) => job.failures },
    {
      name: "assay_job_lag_seconds",
      help: "For how long the job has been due and is not done.",
      valueOf: (job, nowMs) => lagMsOf(job, nowMs) / 1_000,
    },
  ];
  for (const about of gauges) addGauge(registers, about, probes);
  if (probes.countOutside) addOutsideGauge(registers, probes.countOutside);
}
