import { overloaded } from "../failure/failure.ts";
import { createFairQueue } from "./fair-queue.ts";

/** Runs the work when it is its subject's turn. Throws `overloaded` if the subject has too much waiting already. */
export type TakeTurn = <Result>(subject: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Limits the concurrency of work that is heavier than a call, and serves what waits subject by subject. A subject (an
 * account, a network) that floods it waits behind itself and is refused first. `what` names the work in the log.
 */
export function takeTurns(options: { atOnceMax: number; perSubjectMax: number; waitingMax: number; what: string }): TakeTurn {
  const { atOnceMax, perSubjectMax, waitingMax, what } = options;
  const waiting = createFairQueue<() => void>(waitingMax);
  const runningOf = new Map<string, number>();
  let running = 0;

  const hasRoom = (subject: string) => running < atOnceMax && (runningOf.get(subject) ?? 0) < perSubjectMax;

  function enter(subject: string): void {
    running += 1;
    runningOf.set(subject, (runningOf.get(subject) ?? 0) + 1);
  }

  function leave(subject: string): void {
    running -= 1;
    const left = runningOf.get(subject)! - 1;
    if (left === 0) runningOf.delete(subject);
    else runningOf.set(subject, left);
    // One place is free, so one piece of work starts. It takes the place synchronously, before any other can.
    waiting.takeOne(hasRoom)?.();
  }

  async function run<Result>(subject: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } finally {
      leave(subject);
    }
  }

  return async (subject, work) => {
    if (hasRoom(subject)) {
      enter(subject);
      return run(subject, work);
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const begin = () => {
      enter(subject);
      resolve();
    };
    if (!waiting.add(subject, begin)) throw overloaded(`too many ${what} wait`);
    await promise;
    return run(subject, work);
  };
}
