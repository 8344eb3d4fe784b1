import { Failure, overloadedText } from "../http/failure.ts";

/** Runs a few pieces of work at once and lets the next ones wait; beyond that newcomers are turned away. */
export function takeTurns({ atOnceMax, waitingMax }: { atOnceMax: number; waitingMax: number }) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running < atOnceMax) running += 1;
    else if (waiting.length >= waitingMax) throw new Failure("overloaded", overloadedText, "too many analyses wait");
    // Who is called has the place of the one who calls.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
