import { overloaded } from "../../failure/failure.ts";
import { CommitUnknown, isLostConnection } from "../../store/store-failure.ts";
import { createGroupCommit } from "../../store/group-commit.ts";
import type { Store } from "../../store/store.ts";
import { promised } from "../../store/waiter.ts";
import { impressionWaitMs } from "./click-verdict.ts";
import type { Impression, ImpressionOutcome } from "./count-impressions.work.ts";
import type { Click, ClickOutcome } from "./decide-clicks.work.ts";
import type { Sweep } from "./sweep-awaiting.work.ts";

const clicksModule = new URL("./decide-clicks.work.ts", import.meta.url);
const impressionsModule = new URL("./count-impressions.work.ts", import.meta.url);
const sweepModule = new URL("./sweep-awaiting.work.ts", import.meta.url);

/** `itemsPerGroupMax`: one URL that is called repeatedly must not fill a batch. */
const bounds = { batchesAtOnceMax: 1, itemsWorthABatch: 32, itemsPerBatchMax: 250, itemsPerGroupMax: 25, waitingMax: 10_000 } as const;

const sweepEveryMs = 1_000;
/** A late impression may still be on its way into the store. */
const sweepLateMs = 1_000;
const sweepAtOnceMax = 250;

/** Serialization failure, deadlock, or a lock that was waited for too long: the transaction changed nothing and may be retried. */
const retryableCodes = new Set(["40001", "40P01", "55P03"]);
const triesMax = 3;

const isRetryable = (error: Error & { code?: string }): boolean =>
  (error.code !== undefined && retryableCodes.has(error.code)) || isLostConnection(error);

export type OfferTracking = {
  /** Resolves with the verdict once it is durable. */
  click(click: Click): Promise<ClickOutcome>;
  /** Resolves once the impression is durable, if it is counted. */
  impression(impression: Impression): Promise<ImpressionOutcome>;
  /** Settles clicks whose impression is overdue. */
  sweep(nowMs: number): Promise<void>;
  stop(): Promise<void>;
};

async function transactWithRetries<Payload, Result>(store: Store, module: URL, payload: Payload): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await store.transact<Payload, Result>(module, payload);
    } catch (error) {
      // Safe to retry: if COMMIT was sent and its outcome is unknown, the error is CommitUnknown.
      if (error instanceof CommitUnknown || !isRetryable(error as Error) || tries >= triesMax) throw error;
    }
  }
}

export function trackOffers(store: Store, context: { nowMs: () => number; onError: (error: unknown) => void }): OfferTracking {
  const groupOf = ({ offerId }: { offerId: string }) => offerId;
  const clicks = createGroupCommit<Click, ClickOutcome>({
    ...bounds,
    commit: (items) => transactWithRetries(store, clicksModule, { clicks: items }),
    groupOf,
    refusal: (reason) => overloaded(reason),
  });
  const impressions = createGroupCommit<Impression, ImpressionOutcome>({
    ...bounds,
    commit: (items) => transactWithRetries(store, impressionsModule, { impressions: items }),
    groupOf,
    refusal: (reason) => overloaded(reason),
  });

  async function sweep(nowMs: number): Promise<void> {
    const due: Sweep = { clickedBeforeMs: nowMs - impressionWaitMs - sweepLateMs, limit: sweepAtOnceMax };
    while ((await transactWithRetries<Sweep, number>(store, sweepModule, due)) === sweepAtOnceMax);
  }
  let sweeping: Promise<void> | undefined;
  const timer = setInterval(() => {
    sweeping ??= sweep(context.nowMs())
      .catch(context.onError)
      .finally(() => (sweeping = undefined));
  }, sweepEveryMs).unref();

  return {
    click: (click) => promised((waiter) => clicks.submit(click, waiter)),
    impression: (impression) => promised((waiter) => impressions.submit(impression, waiter)),
    sweep,
    async stop() {
      clearInterval(timer);
      await Promise.all([clicks.drain(), impressions.drain(), sweeping]);
    },
  };
}
