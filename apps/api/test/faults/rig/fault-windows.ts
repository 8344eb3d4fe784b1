/** Calls that begin so long after a fault may still suffer from it. */
const graceMs = 5_000;
const problemsKeptMax = 1_000;

/** What an outage may look like to a caller: an answer that says to try again, or none. Anything else is always wrong. */
const transient = new Set(["503", "409", "cut", "refused"]);

/** What a caller saw: a status, or `cut`, `refused` or `hung`; and when the call began. */
export type Seen = { what: string; outcome: string; isGood: boolean; startedMs: number; requestId?: string | undefined };

type Problem = { text: string; requestId: string | undefined };

/** What a node says in its log of a call that it turned away because it did not get the processor for a second. */
export const starved = "the event loop lags";

/** Knows when something may go wrong, and holds everything that was seen against it. */
export type FaultWindows = {
  /** From now on calls may suffer. */
  open(fault: string): void;
  /** The fault is over; what is left of it must be gone within a few seconds. */
  close(): void;
  /** All is well again: for what begins from now on the fault is no excuse. */
  calm(): void;
  note(seen: Seen): void;
  /** When the last thing went wrong; `-Infinity` before the first. */
  lastFailureMs(): number;
  /**
   * What went wrong without an excuse, given the nodes' logs. A node that the machine leaves without a processor says
   * 503, as it should: that is a fact about the machine, and counted apart.
   */
  problems(logs: string): string[];
  /** How often each outcome was seen since it was last asked. */
  takeCounts(): Record<string, number>;
};

export function createFaultWindows(nowMs: () => number): FaultWindows {
  const problems: Problem[] = [];
  let counts: Record<string, number> = {};
  let fault = "none";
  /** A call that began by then has an excuse, however late it is answered. */
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
      const name = isGood ? "good" : `${what} ${outcome}`;
      counts[name] = (counts[name] ?? 0) + 1;
      if (isGood) return;
      lastFailureMs = nowMs();
      const isInWindow = startedMs <= excusedUntilMs;
      if ((!isInWindow || !transient.has(outcome)) && problems.length < problemsKeptMax) {
        const when = isInWindow ? "during" : `${Math.round(startedMs - excusedUntilMs)} ms after`;
        const text = `${what} came to ${outcome} ${when} the fault (last: ${fault}), after ${Math.round(lastFailureMs - startedMs)} ms`;
        problems.push({ text, requestId });
      }
    },
    lastFailureMs: () => lastFailureMs,
    problems(logs) {
      const shed = new Set(logs.split("\n").filter((line) => line.includes(starved)).map((line) => /"requestId":"([^"]+)"/.exec(line)?.[1]));
      return problems.filter(({ requestId }) => requestId === undefined || !shed.has(requestId)).map(({ text }) => text);
    },
    takeCounts() {
      const taken = counts;
      counts = {};
      return taken;
    },
  };
}
