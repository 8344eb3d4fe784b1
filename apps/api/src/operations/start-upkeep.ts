import type { Store } from "../store/store.ts";
import { keepStore } from "./keep-store.ts";

const roundMs = 3_600_000;

/** Upkeep now, so that today's partitions exist before the first call, and every hour. */
export async function startUpkeep(
  store: Store,
  settings: { nowMs: () => number; retentionDays: number; onError: (error: unknown) => void },
): Promise<{ stop: () => Promise<void> }> {
  let running = Promise.resolve();
  const round = () => {
    const { retentionDays } = settings;
    running = running.then(() => keepStore(store, { nowMs: settings.nowMs(), retentionDays })).catch(settings.onError);
    return running;
  };
  await round();
  const timer = setInterval(() => void round(), roundMs);
  return {
    stop() {
      clearInterval(timer);
      return running;
    },
  };
}
