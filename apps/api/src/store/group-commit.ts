import { createFairQueue } from "../queues/fair-queue.ts";
import { type OnWaiterError, throwUncaught, type Waiter } from "./waiter.ts";

export type GroupCommitSettings<Item, Result> = {
  /** Commits the items together, or throws and commits none. Returns one result per item, in order. */
  commit(items: Item[]): Promise<Result[]>;
  /** Items of one group (an account) must not displace the others. */
  groupOf(item: Item): string;
  /**
   * With 2, a second batch worth it is sent while the first is in flight, so that the store does not idle; but not before
   * half of the time that commits take has passed. While a commit takes long compared with gathering a batch, a larger
   * one saves more than overlap does. More than 2 gain nothing.
   */
  batchesAtOnceMax: 1 | 2;
  /**
   * This many waiting items are committed before the event-loop turn is over. Otherwise concurrent callers would all be
   * in one batch, and this thread would idle while it is committed.
   */
  itemsWorthABatch: number;
  itemsPerBatchMax: number;
  itemsPerGroupMax: number;
  /** Backpressure: beyond this, new items are refused. A single flooding group is refused earlier (see fair-queue.ts). */
  waitingMax: number;
  /** The error for a refused item. */
  refusal(reason: string): Error;
  /** Of a monotonic clock. */
  nowMs?(): number;
  onBatch?(batch: { items: number; durationMs: number; failed: boolean }): void;
  /** Called when a waiter throws; without it, the error is uncaught. The other waiters of its batch are told their outcomes first. */
  onWaiterError?: OnWaiterError;
};

export type GroupCommit<Item, Result> = {
  /** Tells the waiter the result once the item is durable. A refused item fails before `submit` returns. */
  submit(item: Item, waiter: Waiter<Result>): void;
  /** The number of items that wait or are being committed. */
  depth(): number;
  /** Refuses new items, and resolves when every accepted item has its outcome. */
  drain(): Promise<void>;
};

type Waiting<Item, Result> = { item: Item; waiter: Waiter<Result> };
type Outcome<Result> = { results: Result[] } | { error: unknown };

/** How much the newest commit counts in what commits take. */
const newestCommitShare = 0.2;

/**
 * While one batch is being committed, the next one is collected. One fsync serves all items that arrived meanwhile, and
 * a failure affects only its batch.
 */
export function createGroupCommit<Item, Result>(settings: GroupCommitSettings<Item, Result>): GroupCommit<Item, Result> {
  const { onWaiterError = throwUncaught, nowMs = () => performance.now() } = settings;
  const waiting = createFairQueue<Waiting<Item, Result>>(settings.waitingMax);
  let committing = 0;
  let batchesInFlight = 0;
  /** What a commit takes from when the store can begin with it, on average; 0 before the first. */
  let usualMs = 0;
  /** When the store could begin with the batch in flight that was sent first. */
  let begunMs = 0;
  let scheduled = false;
  let draining = false;
  let drains: (() => void)[] = [];

  function tell(waiter: Waiter<Result>, outcome: Outcome<Result>, index: number): void {
    try {
      if ("error" in outcome) waiter.fail(outcome.error);
      else waiter.settle(outcome.results[index]!);
    } catch (error) {
      onWaiterError(error);
    }
  }

  async function commitNext(): Promise<void> {
    const batch = waiting.take({ itemsMax: settings.itemsPerBatchMax, perGroupMax: settings.itemsPerGroupMax });
    committing += batch.length;
    const startedMs = nowMs();
    if (batchesInFlight === 0) begunMs = startedMs;
    batchesInFlight += 1;
    let outcome: Outcome<Result>;
    try {
      outcome = { results: await settings.commit(batch.map(({ item }) => item)) };
      if (outcome.results.length !== batch.length) throw new Error("a commit must return one result per item");
    } catch (error) {
      outcome = { error };
    }
    const endedMs = nowMs();
    usualMs += (usualMs === 0 ? 1 : newestCommitShare) * (endedMs - begunMs - usualMs);
    begunMs = endedMs;
    for (let index = 0; index < batch.length; index += 1) tell(batch[index]!.waiter, outcome, index);
    committing -= batch.length;
    batchesInFlight -= 1;
    settings.onBatch?.({ items: batch.length, durationMs: endedMs - startedMs, failed: "error" in outcome });
    // Items that arrived meanwhile are next, unless they are few and another batch is in flight.
    if (waiting.size() > 0 && (batchesInFlight === 0 || isWorthOverlap())) void commitNext();
    else if (batchesInFlight === 0) resolveDrains();
  }

  const isWorthABatch = () => waiting.size() >= settings.itemsWorthABatch;
  const isWorthOverlap = () => batchesInFlight < settings.batchesAtOnceMax && isWorthABatch() && 2 * (nowMs() - begunMs) >= usualMs;

  function resolveDrains(): void {
    for (const resolve of drains) resolve();
    drains = [];
  }

  return {
    submit(item, waiter) {
      if (draining || !waiting.add(settings.groupOf(item), { item, waiter })) {
        waiter.fail(settings.refusal(draining ? "draining" : "the commit queue is full"));
      } else if (batchesInFlight === 0 ? isWorthABatch() : isWorthOverlap()) {
        void commitNext();
      } else if (batchesInFlight === 0 && !scheduled) {
        scheduled = true;
        // Requests that are already readable join the first batch.
        setImmediate(() => {
          scheduled = false;
          if (batchesInFlight === 0 && waiting.size() > 0) void commitNext();
        });
      }
    },
    depth: () => waiting.size() + committing,
    drain() {
      draining = true;
      if (waiting.size() === 0 && batchesInFlight === 0) return Promise.resolve();
      return new Promise((resolve) => drains.push(resolve));
    },
  };
}
