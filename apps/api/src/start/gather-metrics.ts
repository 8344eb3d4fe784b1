import { AggregatorRegistry } from "prom-client";
import type { WorkerMetrics } from "../operations/siblings.ts";
import type { ToWorker } from "./worker-messages.ts";

/** Of a worker that does not report in time, its last report counts. */
const reportMsMax = 2_000;

/** Only what grows: the gauges of a worker that is gone mean nothing. */
const countersOf = (metrics: WorkerMetrics): WorkerMetrics =>
  metrics.filter(({ type, aggregator }) => aggregator === "sum" && (String(type) === "counter" || String(type) === "histogram"));

/**
 * Collects what all workers count for the one that was asked. What a worker has reported stays in the sums when it dies:
 * to Prometheus a counter that falls has started from 0, and everything would be counted twice.
 */
export function createMetricsGathering<Reporter extends object>({ reporters, tell }: { reporters: () => Reporter[]; tell: (reporter: Reporter, message: ToWorker) => void }) {
  const reports = new Map<Reporter, WorkerMetrics>();
  const rounds = new Map<number, { missing: Set<Reporter>; end: () => void }>();
  let past: WorkerMetrics[] = [];
  let round = 0;

  return {
    gather(asker: Reporter, id: number): void {
      round += 1;
      const own = round;
      const missing = new Set(reporters());
      const late = setTimeout(() => end(), reportMsMax);
      function end(): void {
        clearTimeout(late);
        rounds.delete(own);
        tell(asker, { kind: "gathered", id, metrics: [...past, ...reports.values()] });
      }
      rounds.set(own, { missing, end });
      if (missing.size === 0) end();
      for (const reporter of missing) tell(reporter, { kind: "report", id: own });
    },

    note(reporter: Reporter, { id, metrics }: { id: number; metrics: WorkerMetrics }): void {
      if (metrics.length > 0) reports.set(reporter, metrics);
      const asked = rounds.get(id);
      if (asked?.missing.delete(reporter) && asked.missing.size === 0) asked.end();
    },

    /** Keeps what a worker that died has reported. */
    keep(reporter: Reporter): void {
      const last = reports.get(reporter);
      reports.delete(reporter);
      for (const { missing, end } of [...rounds.values()]) if (missing.delete(reporter) && missing.size === 0) end();
      if (!last) return;
      past = [...past, countersOf(last)];
      const { length } = past;
      // One sum instead of a list that grows with every death.
      void AggregatorRegistry.aggregate(past)
        .getMetricsAsJSON()
        .then((sum) => {
          past = [sum, ...past.slice(length)];
        });
    },
  };
}
