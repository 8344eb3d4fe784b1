import { createFairQueue } from "./fair-queue.ts";
import { overloaded } from "../failure/failure.ts";

/** Runs the work when it is its subject's turn; throws `overloaded` where too much waits already. */
export type TakeTurn = <Result>(subject: string, work: () => Promise<Result>) => Promise<Result>;

export type Turns = {
  /** Pieces of work at once, of all subjects and of one. */
  atOnceMax: number;
  perSubjectMax: number;
  waitingMax: number;
  /** What waits, for the operator's log. */
  what: string;
};

/**
 * Work that is heavier than a call takes turns: a few pieces at once, and whoever waits is served subject by subject.
 * A subject (an account, a network) that asks for much waits behind itself, and is the first to be turned away.
 */
export function takeTurns({ atOnceMax, perSubjectMax, waitingMax, what }: Turns): TakeTurn {
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
    // One place is free: at most one may come in, and its place is taken before anybody else can look.
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
