import type { NoFillReason } from "@assay/contract/ads.ts";
import { startOfHour } from "../../formats/time.ts";
import type { Store } from "../../store/store.ts";
import { addToNoFillHours } from "../reports/ad-hours.table.ts";

const writeEveryMs = 1_000;
/** Accounts × reasons within a second. Beyond this, counts are dropped to bound memory. */
const rowsMax = 50_000;
const rowsPerWrite = 500;

export type NoFillCounts = {
  count(noFill: { accountId: string; reason: NoFillReason; atMs: number }): void;
  /** Writes the remaining counts. */
  stop(): Promise<void>;
};

/**
 * Requests without an ad are counted in memory and written every second: they promise nothing, so they need no
 * commit of their own. A node that is killed loses its last second of counts.
 */
export function createNoFillCounts(store: Store, onError: (error: unknown) => void): NoFillCounts {
  let counts = new Map<string, { account_id: string; hour: number; reason: string; requests: number }>();
  let writing = Promise.resolve();

  async function write(): Promise<void> {
    const rows = [...counts.values()];
    counts = new Map();
    // Sorted by key, the lock order.
    rows.sort((a, b) => (a.account_id < b.account_id ? -1 : a.account_id > b.account_id ? 1 : a.hour - b.hour || (a.reason < b.reason ? -1 : 1)));
    for (let from = 0; from < rows.length; from += rowsPerWrite) {
      await addToNoFillHours(store.db, rows.slice(from, from + rowsPerWrite)).execute();
    }
  }
  const enqueue = () => (writing = writing.then(write).catch(onError));
  const timer = setInterval(() => {
    if (counts.size > 0) void enqueue();
  }, writeEveryMs).unref();

  return {
    count({ accountId, reason, atMs }) {
      const hour = startOfHour(atMs);
      const name = `${accountId} ${hour} ${reason}`;
      const known = counts.get(name);
      if (known) known.requests += 1;
      else if (counts.size < rowsMax) counts.set(name, { account_id: accountId, hour, reason, requests: 1 });
    },
    stop() {
      clearInterval(timer);
      return enqueue();
    },
  };
}
