/** When a job is due, and for how long a run of it belongs to one node: rules, without a clock of their own. */

/** A node that runs a job has to say so within this time; a job whose node died is anybody's after it. */
export const leaseMs = 30_000;
/** How often it says so: two of them may be lost. */
export const renewMs = 10_000;
/** Clocks of nodes may differ by this much; a time further ahead than that comes from a clock that was wrong. */
export const clockSkewMsMax = 5 * 60_000;
/** No run takes longer: what is left of it is done by the next one. */
export const runMsMax = 30 * 60_000;

const firstRetryMs = 60_000;
const retryMsMax = 3_600_000;

/** After so many failures in a row: a minute, doubling up to an hour, and never later than the usual turn. */
export function retryMsAfter(failures: number, everyMs: number): number {
  return Math.min(firstRetryMs * 2 ** Math.min(failures - 1, 10), retryMsMax, everyMs);
}

/** What a claim at `nowMs` may overrule: see jobs.table.ts. */
export const latestTimesOf = (nowMs: number, everyMs: number): { latestRunMs: number; latestLeaseMs: number } => ({
  latestRunMs: nowMs + everyMs + clockSkewMsMax,
  latestLeaseMs: nowMs + leaseMs + clockSkewMsMax,
});

/** Whether it is worth trying to claim the job: its row may have changed since it was read. */
export function isDue(row: { next_run_at: number; leased_until: number }, nowMs: number, everyMs: number): boolean {
  const { latestRunMs, latestLeaseMs } = latestTimesOf(nowMs, everyMs);
  const isTime = row.next_run_at <= nowMs || row.next_run_at > latestRunMs;
  const isFree = row.leased_until <= nowMs || row.leased_until > latestLeaseMs;
  return isTime && isFree;
}

/** For how long a job has been due without being done; zero before its time. */
export const lagMsOf = (row: { next_run_at: number }, nowMs: number): number => Math.max(0, nowMs - row.next_run_at);
