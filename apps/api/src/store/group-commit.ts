import { createFairQueue } from "../queues/fair-queue.ts";

export type GroupCommitSettings<Item, Result> = {
  /** Makes the items durable together, or throws and none of them is. One result per item, in order. */
  commit(items: Item[]): Promise<Result[]>;
  /** Items of one group (an account) may not crowd out the others. */
  groupOf(item: Item): string;
  /**
   * With 2, a second full batch is handed over while the first is being made durable, so that the store
   * need not wait for this thread in between. More gains nothing.
   */
  batchesAtOnceMax: 1 | 2;
  /**
   * So many items make a batch worth handing over before the event loop's turn is over: else callers who
   * come together would all be in one batch, and nothing would be done while it is made durable.
   */
  itemsWorthABatch: number;
  itemsPerBatchMax: number;
  itemsPerGroupMax: number;
  /** Past this many waiting items nobody is let in; a group that floods is turned away long before (see fair-queue.ts). */
  waitingMax: number;
  /** What a newcomer is told who is turned away. */
  refusal(reason: string): Error;
  onBatch?(batch: { items: number; durationMs: number; failed: boolean }): void;
};

export type GroupCommit<Item, Result> = {
  /** Resolves when the item is durable. */
  submit(item: Item): Promise<Result>;
  /** Items that wait or are being committed. */
  depth(): number;
  /** Turns newcomers away and resolves when every item that was taken has its outcome. */
  drain(): Promise<void>;
};

type Waiting<Item, Result> = {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
};

/**
 * While one batch is being made durable the next one gathers; each caller awaits its own. One fsync
 * serves everybody who came meanwhile, and a failure stays within its batch.
 */
export function createGroupCommit<Item, Result>(
  settings: GroupCommitSettings<Item, Result>,
): GroupCommit<Item, Result> {
  const waiting = createFairQueue<Waiting<Item, Result>>(settings.waitingMax);
  let committing = 0;
  let batchesUnderWay = 0;
  let scheduled = false;
  let draining = false;
  let whenEmpty: (() => void)[] = [];

  async function commitNext(): Promise<void> {
    const batch = waiting.take({ itemsMax: settings.itemsPerBatchMax, perGroupMax: settings.itemsPerGroupMax });
    committing += batch.length;
    batchesUnderWay += 1;
    const startedMs = performance.now();
    let failed = false;
    try {
      const results = await settings.commit(batch.map((each) => each.item));
      if (results.length !== batch.length) throw new Error("a commit must give one result per item");
      for (let index = 0; index < batch.length; index += 1) batch[index]!.resolve(results[index]!);
    } catch (error) {
      failed = true;
      for (const each of batch) each.reject(error);
    }
    committing -= batch.length;
    batchesUnderWay -= 1;
    settings.onBatch?.({ items: batch.length, durationMs: performance.now() - startedMs, failed });
    // Whoever gathered meanwhile goes next, unless another batch is under way and they are still few.
    if (waiting.size() > 0 && (batchesUnderWay === 0 || isWorthABatch())) void commitNext();
    else if (batchesUnderWay === 0) tellEmpty();
  }

  const isWorthABatch = () => waiting.size() >= settings.itemsWorthABatch;

  function tellEmpty(): void {
    for (const resolve of whenEmpty) resolve();
    whenEmpty = [];
  }

  return {
    submit(item) {
      if (draining) return Promise.reject(settings.refusal("draining"));
      return new Promise<Result>((resolve, reject) => {
        if (!waiting.add(settings.groupOf(item), { item, resolve, reject })) {
          reject(settings.refusal("the commit queue is full"));
          return;
        }
        if (batchesUnderWay < settings.batchesAtOnceMax && isWorthABatch()) {
          void commitNext();
        } else if (batchesUnderWay === 0 && !scheduled) {
          scheduled = true;
          // Lets the requests that are already readable join the first batch.
          setImmediate(() => {
            scheduled = false;
            if (batchesUnderWay === 0 && waiting.size() > 0) void commitNext();
          });
        }
      });
    },
    depth: () => waiting.size() + committing,
    drain() {
      draining = true;
      if (waiting.size() === 0 && batchesUnderWay === 0) return Promise.resolve();
      return new Promise((resolve) => whenEmpty.push(resolve));
    },
  };
}
