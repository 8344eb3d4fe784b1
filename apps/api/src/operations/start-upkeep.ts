import type { Store } from "../store/store.ts";
import { sumUpHours } from "../traffic/sum-up-hours.ts";
import { keepStore } from "./keep-store.ts";

const roundMs = 3_600_000;
const msPerDay = 24 * 3_600_000;
/** By then a start is over. While it loads everything, a transaction would be left idle for longer than PostgreSQL allows. */
const settledMs = 5_000;

/** Upkeep now, so that today's partitions exist before the first call, and every hour. What can wait comes when the start is over. */
export async function startUpkeep(
  store: Store,
  settings: {
    nowMs: () => number;
    retentionDays: number;
    /** What other rooms keep in order with every round. */
    keepAlso: (nowMs: number) => Promise<unknown>;
    onError: (error: unknown) => void;
  },
): Promise<{ stop: () => Promise<void> }> {
  const { retentionDays } = settings;
  let running = Promise.resolve();
  let isStopping = false;
  const enqueue = (work: (nowMs: number) => Promise<unknown>) => {
    running = running
      .then(async () => {
        if (!isStopping) await work(settings.nowMs());
      })
      .catch(settings.onError);
    return running;
  };
  const keep = () => enqueue((nowMs) => keepStore(store, { nowMs, retentionDays }));
  const sumUp = () =>
    enqueue((nowMs) => sumUpHours(store, { nowMs, retainedFromMs: nowMs - retentionDays * msPerDay, isStopping: () => isStopping }));

  const keepAlso = () => enqueue(settings.keepAlso);

  await keep();
  const afterStart = setTimeout(() => {
    void keepAlso();
    void sumUp();
  }, settledMs);
  const timer = setInterval(() => {
    void keep();
    void keepAlso();
    void sumUp();
  }, roundMs);
  return {
    stop() {
      clearTimeout(afterStart);
      clearInterval(timer);
      isStopping = true;
      return running;
    },
  };
}
