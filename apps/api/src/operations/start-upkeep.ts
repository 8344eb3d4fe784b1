import { deleteOldMailFiles } from "../mail/delete-old-mails.ts";
import type { Store } from "../store/store.ts";
import { makeDays } from "./make-partitions.ts";

const roundMs = 3_600_000;
/** By then a start is over, and what can wait is in nobody's way. */
const settledMs = 5_000;

/**
 * What no other node can do for this one. Today's partitions must be there before its first call, whoever should have made
 * them; and files of mails lie in its own folder. Everything else is a job that one node does for all (list-jobs.ts).
 */
export async function startUpkeep(
  store: Store,
  settings: { nowMs: () => number; retentionDays: number; dataDir: string; onError: (error: unknown) => void },
): Promise<{ stop: () => Promise<void> }> {
  const { nowMs, retentionDays, dataDir, onError } = settings;
  let running = Promise.resolve();
  let isStopping = false;
  const keepFiles = () => {
    running = running.then(() => (isStopping ? undefined : deleteOldMailFiles(store, { dataDir, nowMs: nowMs() }))).catch(onError);
  };
  // A day without a partition is kept by the default one: no reason not to start.
  if (store.dialect === "postgres") await makeDays(store, { nowMs: nowMs(), retentionDays }).catch(onError);
  const afterStart = setTimeout(keepFiles, settledMs);
  const timer = setInterval(keepFiles, roundMs);
  return {
    stop() {
      clearTimeout(afterStart);
      clearInterval(timer);
      isStopping = true;
      return running;
    },
  };
}
