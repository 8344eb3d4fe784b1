import type { NoFillReason } from "@assay/contract/ads.ts";
import { startOfDay, startOfHour } from "../../formats/time.ts";
import type { AdFormat, NoFillDayRow, Placement } from "../../store/schema-ads.ts";
import type { Store } from "../../store/store.ts";
import { addToNoFillDays } from "../reports/ad-days.table.ts";
import { addToNoFillHours } from "../reports/ad-hours.table.ts";

const writeEveryMs = 1_000;
/** Accounts × formats × placements × categories × reasons within a second. Beyond this, counts are dropped to bound memory. */
const rowsMax = 50_000;
const rowsPerWrite = 500;

export type NoFill = { accountId: string; format: AdFormat; placement: Placement; category: string; reason: NoFillReason; atMs: number };

export type NoFillCounts = {
  count(noFill: NoFill): void;
  /** Writes the remaining counts. */
  stop(): Promise<void>;
};

type Counted = NoFillDayRow & { hour: number };

/** The sums of the rows with the same name, sorted by it: names are made of keys, and that is the lock order. No key has a character below the space. */
function sumUp<Row extends { requests: number }>(rows: readonly Counted[], toRow: (row: Counted) => { name: string; row: Row }): Row[] {
  const sums = new Map<string, Row>();
  for (const each of rows) {
    const { name, row } = toRow(each);
    const known = sums.get(name);
    if (known) known.requests += row.requests;
    else sums.set(name, row);
  }
  return [...sums].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, row]) => row);
}

const toHour = ({ account_id, hour, reason, requests }: Counted) => ({ name: `${account_id} ${hour} ${reason}`, row: { account_id, hour, reason, requests } });

const toDay = ({ account_id, day, format, placement, category, reason, requests }: Counted) => ({
  name: `${account_id} ${day} ${format} ${placement} ${category} ${reason}`,
  row: { account_id, day, format, placement, category, reason, requests },
});

/**
 * Requests without an ad are counted in memory and written every second: they promise nothing, so they need no
 * commit of their own. A node that is killed loses its last second of counts.
 */
export function createNoFillCounts(store: Store, onError: (error: unknown) => void): NoFillCounts {
  let counts = new Map<string, Counted>();
  let writing = Promise.resolve();

  /** Hours and days are written together, so that reports find the same sums in both. */
  async function write(): Promise<void> {
    const rows = [...counts.values()];
    counts = new Map();
    for (let from = 0; from < rows.length; from += rowsPerWrite) {
      const part = rows.slice(from, from + rowsPerWrite);
      await store.write([addToNoFillHours(store.db, sumUp(part, toHour)), addToNoFillDays(store.db, sumUp(part, toDay))]);
    }
  }
  const enqueue = () => (writing = writing.then(write).catch(onError));
  const timer = setInterval(() => {
    if (counts.size > 0) void enqueue();
  }, writeEveryMs).unref();

  return {
    count({ accountId, format, placement, category, reason, atMs }) {
      const hour = startOfHour(atMs);
      const name = `${accountId} ${hour} ${format} ${placement} ${category} ${reason}`;
      const known = counts.get(name);
      if (known) known.requests += 1;
      else if (counts.size < rowsMax) counts.set(name, { account_id: accountId, hour, day: startOfDay(atMs), format, placement, category, reason, requests: 1 });
    },
    stop() {
      clearInterval(timer);
      return enqueue();
    },
  };
}
