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
  /** Past this many waiting items a newcomer is turned away at once. */
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
  let waiting: Waiting<Item, Result>[] = [];
  let committing = 0;
  let batchesUnderWay = 0;
  let scheduled = false;
  let draining = false;
  let whenEmpty: (() => void)[] = [];

  /** The longest-waiting items, at most so many of one group; the others keep their places. */
  function takeBatch(): Waiting<Item, Result>[] {
    if (waiting.length <= settings.itemsPerGroupMax && waiting.length <= settings.itemsPerBatchMax) {
      const all = waiting;
      waiting = [];
      return all;
    }
    const taken: Waiting<Item, Result>[] = [];
    const left: Waiting<Item, Result>[] = [];
    const takenOf = new Map<string, number>();
    for (const each of waiting) {
      const group = settings.groupOf(each.item);
      const count = takenOf.get(group) ?? 0;
      if (taken.length < settings.itemsPerBatchMax && count < settings.itemsPerGroupMax) {
        takenOf.set(group, count + 1);
        taken.push(each);
      } else {
        left.push(each);
      }
    }
    waiting = left;
    return taken;
  }

  async function commitNext(): Promise<void> {
    const batch = takeBatch();
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
    if (waiting.length > 0 && (batchesUnderWay === 0 || isWorthABatch())) void commitNext();
    else if (batchesUnderWay === 0) tellEmpty();
  }

  const isWorthABatch = () => waiting.length >= settings.itemsWorthABatch;

  function tellEmpty(): void {
    for (const resolve of whenEmpty) resolve();
    whenEmpty = [];
  }

  return {
    submit(item) {
      if (draining || waiting.length >= settings.waitingMax) {
        return Promise.reject(settings.refusal(draining ? "draining" : "the commit queue is full"));
      }
      return new Promise<Result>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (batchesUnderWay < settings.batchesAtOnceMax && isWorthABatch()) {
          void commitNext();
        } else if (batchesUnderWay === 0 && !scheduled) {
          scheduled = true;
          // Lets the requests that are already readable join the first batch.
          setImmediate(() => {
            scheduled = false;
            if (batchesUnderWay === 0 && waiting.length > 0) void commitNext();
          });
        }
      });
    },
    depth: () => waiting.length + committing,
    drain() {
      draining = true;
      if (waiting.length === 0 && batchesUnderWay === 0) return Promise.resolve();
      return new Promise((resolve) => whenEmpty.push(resolve));
    },
  };
}
