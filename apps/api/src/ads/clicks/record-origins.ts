/**
 * How many clicks of an account came from the same network before, on the same day. The network itself is a keyed hash that is
 * in memory, and in Redis where nodes share it: what is stored with a click is a number that says nothing about anybody.
 */
import { msPerDay, startOfDay } from "../../formats/time.ts";
import type { NetworkTagger } from "../../attestation/networks/network-tags.ts";
import type { Store } from "../../store/store.ts";
import { selectPaidClicks, setClickOrigin } from "./clicks.table.ts";

/** Counts that all nodes share. */
type SharedCounts = { incr(key: string): Promise<number>; expire(key: string, seconds: number): Promise<unknown> };

export type ClickOrigins = {
  /** Of a click that is paid, or awaits its impression. Never delays the redirect. */
  note(click: { offerId: string; accountId: string; address: string; atMs: number; isDescribed: boolean }): void;
  flush(): Promise<void>;
  stop(): Promise<void>;
};

/** Longer than a click awaits its impression: until then it is not among the paid ones. */
const writeAfterMs = 4_000;
/** A click that is not among the paid ones by then was not paid. */
const giveUpAfterMs = 60_000;
const flushEveryMs = 2_000;
/** More networks of accounts and days are not told apart on one node: the ones that clicked longest ago are forgotten. */
const countedMax = 50_000;
/** More clicks than this wait only while the store is away: the newest stay without an order. */
const waitingMax = 20_000;
const sharedSeconds = (2 * msPerDay) / 1_000;
const clicksPerWrite = 200;

/** `order`: once it is counted. */
type Origin = { offerId: string; key: string; order: number | undefined; described: 0 | 1; writeFromMs: number; giveUpMs: number };

/** Counts by key. Of more keys than `max`, those that were counted longest ago begin anew. */
export function createRecentCounts(max: number): (key: string) => number {
  const counts = new Map<string, number>();
  return (key) => {
    const count = (counts.get(key) ?? 0) + 1;
    // To the end: one that goes on is never the one that is forgotten.
    counts.delete(key);
    counts.set(key, count);
    if (counts.size > max) counts.delete(counts.keys().next().value!);
    return count;
  };
}

export function recordClickOrigins(
  store: Store,
  context: { tagger: Pick<NetworkTagger, "tagsOf">; sharedOf: ((key: string) => SharedCounts) | undefined; nowMs: () => number; onError: (error: unknown) => void },
): ClickOrigins {
  const { tagger, sharedOf, nowMs, onError } = context;
  // The day is part of the key: around midnight clicks of both days come.
  const countHere = createRecentCounts(countedMax);
  let waiting: Origin[] = [];

  /** The larger count holds: Redis may have been away, or new. */
  async function countAll(key: string): Promise<number> {
    const here = countHere(key);
    if (!sharedOf) return here;
    try {
      const shared = sharedOf(key);
      const all = await shared.incr(key);
      if (all === 1) await shared.expire(key, sharedSeconds);
      return Math.max(all, here);
    } catch {
      return here;
    }
  }

  /** Only what is paid counts: clicks that pay nobody must not use up what a network's others may earn. */
  async function write(part: readonly Origin[]): Promise<void> {
    const paid = new Set((await selectPaidClicks(store.db, part.map(({ offerId }) => offerId)).execute()).map((row) => row.offer_id));
    const known = part.filter(({ offerId }) => paid.has(offerId));
    await Promise.all(known.map(async (each) => (each.order ??= await countAll(each.key))));
    if (known.length > 0) await store.write(known.map(({ offerId, order, described }) => setClickOrigin(store.db, { offerId, order: order!, described })));
    // Not paid yet, or never.
    waiting.push(...part.filter(({ offerId, giveUpMs }) => !paid.has(offerId) && nowMs() < giveUpMs).map((each) => ({ ...each, writeFromMs: nowMs() + writeAfterMs })));
  }

  async function flush(): Promise<void> {
    const due = waiting.filter(({ writeFromMs }) => writeFromMs <= nowMs());
    waiting = waiting.filter(({ writeFromMs }) => writeFromMs > nowMs());
    for (let from = 0; from < due.length; from += clicksPerWrite) {
      try {
        await write(due.slice(from, from + clicksPerWrite));
      } catch (error) {
        waiting = [...due.slice(from), ...waiting].slice(0, waitingMax);
        throw error;
      }
    }
  }

  let flushing: Promise<void> | undefined;
  const timer = setInterval(() => {
    flushing ??= flush()
      .catch(onError)
      .finally(() => (flushing = undefined));
  }, flushEveryMs).unref();

  return {
    note({ offerId, accountId, address, atMs, isDescribed }) {
      if (waiting.length >= waitingMax) return;
      const tag = tagger.tagsOf(address, atMs)?.today;
      if (tag === undefined) return;
      const key = `clicks:${startOfDay(atMs) / msPerDay}:${accountId}:${tag}`;
      waiting.push({ offerId, key, order: undefined, described: isDescribed ? 1 : 0, writeFromMs: nowMs() + writeAfterMs, giveUpMs: nowMs() + giveUpAfterMs });
    },
    flush,
    async stop() {
      clearInterval(timer);
      await flushing;
      // What is not written now stays without an order.
      for (const each of waiting) each.writeFromMs = 0;
      await flush().catch(onError);
    },
  };
}
