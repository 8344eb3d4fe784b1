import { findShedCalls } from "./count-shed.ts";

/** Calls that start this long after a fault may still be affected. */
const graceMs = 5_000;
const problemsKeptMax = 1_000;

/** Permitted results during an outage: a retryable answer or none. Any other failure is always a problem. */
const transient = new Set(["503", "409", "cut", "refused"]);

/** Result of a call (a status, `cut`, `refused` or `hung`) and its start. */
export type Seen = { what: string; outcome: string; isGood: boolean; startedMs: number; requestId?: string | undefined };

type Problem = { text: string; requestId: string | undefined };

/** Knows when failures are permitted, and collects those that are not. */
export type FaultWindows = {
  /** From now on calls may fail. */
  open(fault: string): void;
  /** The fault is over; its effects must end within `graceMs`. */
  close(): void;
  /** The installation has recovered: calls that start from now on must not fail. */
  calm(): void;
  note(seen: Seen): void;
  /** Time of the last failure; `-Infinity` before the first. */
  lastFailureMs(): number;
  /**
   * Failures that are not excused, given the nodes' logs. A 503 of a node that got no processor time is correct
   * behaviour on an overloaded machine: it is not a problem, but it is counted.
   */
  problems(logs: string): { texts: string[]; shed: number };
  /** Number of all calls so far. */
  countCalls(): number;
  /** Number of calls by result since the last call of this function. */
  takeCounts(): Record<string, number>;
};

export function createFaultWindows(nowMs: () => number): FaultWindows {
  const problems: Problem[] = [];
  let counts: Record<string, number> = {};
  let calls = 0;
  let fault = "none";
  /** A call that started by then is excused, however late it is answered. */
  let excusedUntilMs = Number.NEGATIVE_INFINITY;
  let lastFailureMs = Number.NEGATIVE_INFINITY;
  return {
    open(name) {
      fault = name;
      excusedUntilMs = Number.POSITIVE_INFINITY;
    },
    close() {
      excusedUntilMs = nowMs() + graceMs;
    },
    calm() {
      excusedUntilMs = Math.min(excusedUntilMs, nowMs());
    },
    note({ what, outcome, isGood, startedMs, requestId }) {
      calls += 1;
      const name = isGood ? "good" : `${what} ${outcome}`;
      counts[name] = (counts[name] ?? 0) + 1;
      if (isGood) return;
      lastFailureMs = nowMs();
      const isInWindow = startedMs <= excusedUntilMs;
      if ((!isInWindow || !transient.has(outcome)) && problems.length < problemsKeptMax) {
        const when = isInWindow ? "during" : `${Math.round(startedMs - excusedUntilMs)} ms after`;
        const text = `${what} ended with ${outcome} ${when} the fault (last: ${fault}), after ${Math.round(lastFailureMs - startedMs)} ms`;
        problems.push({ text, requestId });
      }
    },
    lastFailureMs: () => lastFailureMs,
    problems(logs) {
      const shed = findShedCalls(logs);
      const left = problems.filter(({ requestId }) => requestId === undefined || !shed.has(requestId));
      return { texts: left.map(({ text }) => text), shed: problems.length - left.length };
    },
    countCalls: () => calls,
    takeCounts() {
      const taken = counts;
      counts = {};
      return taken;
    },
  };
}
