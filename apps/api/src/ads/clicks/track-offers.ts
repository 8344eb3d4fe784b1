import { overloaded } from "../../failure/failure.ts";
import { CommitUnknown } from "../../store/store-failure.ts";
import { createGroupCommit } from "../../store/group-commit.ts";
import type { Store } from "../../store/store.ts";
import { impressionWaitMs } from "./click-verdict.ts";
import type { Impression, ImpressionOutcome } from "./count-impressions.work.ts";
import type { Click, ClickOutcome } from "./decide-clicks.work.ts";
import type { Sweep } from "./sweep-awaiting.work.ts";

const clicksModule = new URL("./decide-clicks.work.ts", import.meta.url);
const impressionsModule = new URL("./count-impressions.work.ts", import.meta.url);
const sweepModule = new URL("./sweep-awaiting.work.ts", import.meta.url);

/** One address that is called over and over may not fill a batch. */
const bounds = { batchesAtOnceMax: 1, itemsWorthABatch: 32, itemsPerBatchMax: 250, itemsPerGroupMax: 25, waitingMax: 10_000 } as const;

const sweepEveryMs = 1_000;
/** An impression of the last moment may still be on its way into the store. */
const sweepLateMs = 1_000;
const sweepAtOnceMax = 250;

/** The transaction lost against another one and changed nothing: it may well win the next time. */
const lostCodes = new Set(["40001", "40P01", "55P03", "25P03"]);
/** So does node-postgres of a connection that the server has ended: a node that stood still for a second finds it so. */
const lostConnection = /^(?:Client has encountered a connection error|Connection terminated unexpectedly)/;
const triesMax = 3;

const hasLost = ({ code, message }: { code?: string; message: string }): boolean =>
  (code !== undefined && lostCodes.has(code)) || lostConnection.test(message);

export type OfferTracking = {
  /** Resolves with the verdict when it is durable. */
  click(click: Click): Promise<ClickOutcome>;
  /** Resolves when the impression is durable, if it is counted. */
  impression(impression: Impression): Promise<ImpressionOutcome>;
  /** Settles clicks that waited for their impression for too long. */
  sweep(nowMs: number): Promise<void>;
  stop(): Promise<void>;
};

async function transactWithRetries<Payload, Result>(store: Store, module: URL, payload: Payload): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await store.transact<Payload, Result>(module, payload);
    } catch (error) {
      // Also where COMMIT may have been sent: that outcome would be CommitUnknown, or known by now.
      if (error instanceof CommitUnknown || !hasLost(error as Error) || tries >= triesMax) throw error;
    }
  }
}

export function trackOffers(store: Store, context: { nowMs: () => number; onError: (error: unknown) => void }): OfferTracking {
  const refusal = (reason: string) => overloaded(reason);
  const groupOf = ({ offerId }: { offerId: string }) => offerId;
  const clicks = createGroupCommit<Click, ClickOutcome>({
    ...bounds,
    commit: (items) => transactWithRetries(store, clicksModule, { clicks: items }),
    groupOf,
    refusal,
  });
  const impressions = createGroupCommit<Impression, ImpressionOutcome>({
    ...bounds,
    commit: (items) => transactWithRetries(store, impressionsModule, { impressions: items }),
    groupOf,
    refusal,
  });

  async function sweep(nowMs: number): Promise<void> {
    const wish: Sweep = { clickedBeforeMs: nowMs - impressionWaitMs - sweepLateMs, limit: sweepAtOnceMax };
    while ((await transactWithRetries<Sweep, number>(store, sweepModule, wish)) === sweepAtOnceMax);
  }
  let sweeping: Promise<void> | undefined;
  const timer = setInterval(() => {
    sweeping ??= sweep(context.nowMs())
      .catch(context.onError)
      .finally(() => (sweeping = undefined));
  }, sweepEveryMs).unref();

  return {
    click: clicks.submit,
    impression: impressions.submit,
    sweep,
    async stop() {
      clearInterval(timer);
      await Promise.all([clicks.drain(), impressions.drain(), sweeping]);
    },
  };
}
