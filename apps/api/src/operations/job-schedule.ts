/** When a job is due, and how long its lease lasts. Pure rules. */

/** A node must renew its lease within this time; after it, another node may take over the job. */
export const leaseMs = 30_000;
/** Two renewals may fail before the lease expires. */
export const renewMs = 10_000;
/** Allowed clock skew between nodes. A time further ahead was written by a wrong clock. */
export const clockSkewMsMax = 5 * 60_000;
/** The next run does what a longer run left. */
export const runMsMax = 30 * 60_000;

const firstRetryMs = 60_000;
const retryMsMax = 3_600_000;

/** Exponential back-off: a minute, doubling up to an hour, and never longer than the job's interval. */
export function retryMsAfter(failures: number, everyMs: number): number {
  return Math.min(firstRetryMs * 2 ** Math.min(failures - 1, 10), retryMsMax, everyMs);
}

/** A claim at `nowMs` overrules later times: see `claimJob`. */
export const latestTimesOf = (nowMs: number, everyMs: number): { latestRunMs: number; latestLeaseMs: number } => ({
  latestRunMs: nowMs + everyMs + clockSkewMsMax,
  latestLeaseMs: nowMs + leaseMs + clockSkewMsMax,
});

/** Whether a claim is worth trying: the row may have changed since it was read. */
export function isDue(row: { next_run_at: number; leased_until: number }, nowMs: number, everyMs: number): boolean {
  const { latestRunMs, latestLeaseMs } = latestTimesOf(nowMs, everyMs);
  const isTime = row.next_run_at <= nowMs || row.next_run_at > latestRunMs;
  const isFree = row.leased_until <= nowMs || row.leased_until > latestLeaseMs;
  return isTime && isFree;
}

/** How long a job has been overdue; zero before it is due. */
export const lagMsOf = (row: { next_run_at: number }, nowMs: number): number => Math.max(0, nowMs - row.next_run_at);
