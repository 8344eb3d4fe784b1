/**
 * Is told the outcome of what it waits for, exactly once: later, or at once if that is refused. A call has such an
 * object anyway; a promise for each call, with its closures, costs more.
 */
export type Waiter<Result> = { settle(result: Result): void; fail(error: unknown): void };

/** For tests, and for paths that are not hot. */
export const promised = <Result>(start: (waiter: Waiter<Result>) => void): Promise<Result> =>
  new Promise((settle, fail) => start({ settle, fail }));

/** Called with what a waiter threw, which is a bug: it was told its outcome and has nobody to tell. */
export type OnWaiterError = (error: unknown) => void;

export const throwUncaught: OnWaiterError = (error) =>
  queueMicrotask(() => {
    throw error;
  });
