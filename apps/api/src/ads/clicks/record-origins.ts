/**
 * How many clicks of an account came from the same network before, on the same day. The network itself is a keyed hash that is
 * in memory, and in Redis where nodes share it: what is stored with a click is a number that says nothing about anybody.
 */
import { msPerDay, startOfDay } from "../../formats/time.ts";
import type { NetworkTagger } from "../../attestation/networks/network-tags.ts";
import type { Store } from "../../store/store.ts";
import { setClickOrigin } from "./clicks.table.ts";

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
/** More networks of accounts are not told apart on one node: the ones that were counted first are forgotten. */
const countedMax = 50_000;
/** More clicks than this wait only while the store is away: the newest stay without an order. */
const waitingMax = 20_000;
const sharedSeconds = (2 * msPerDay) / 1_000;
const clicksPerWrite = 200;

type Origin = { offerId: string; order: number; described: 0 | 1; writeFromMs: number; giveUpMs: number };

export function recordClickOrigins(
  store: Store,
  context: { tagger: Pick<NetworkTagger, "tagsOf">; sharedOf: ((key: string) => SharedCounts) | undefined; nowMs: () => number; onError: (error: unknown) => void },
): ClickOrigins {
  const { tagger, sharedOf, nowMs, onError } = context;
  let counts = new Map<string, number>();
  let countedDay = -1;
  let waiting: Origin[] = [];
  const counting = new Set<Promise<void>>();

  function countHere(key: string, day: number): number {
    if (day !== countedDay) {
      counts = new Map();
      countedDay = day;
    }
    const count = (counts.get(key) ?? 0) + 1;
    if (!counts.has(key) && counts.size >= countedMax) counts.delete(counts.keys().next().value!);
    counts.set(key, count);
    return count;
  }

  /** The larger count holds: Redis may have been away, or new. */
  async function countAll(key: string, here: number): Promise<number> {
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

  async function flush(): Promise<void> {
    await Promise.all(counting);
    const due = waiting.filter(({ writeFromMs }) => writeFromMs <= nowMs());
    waiting = waiting.filter(({ writeFromMs }) => writeFromMs > nowMs());
    for (let from = 0; from < due.length; from += clicksPerWrite) {
      const part = due.slice(from, from + clicksPerWrite);
      try {
        const changed = await store.write(part.map(({ offerId, order, described }) => setClickOrigin(store.db, { offerId, order, described })));
        // Not paid yet, or never.
        waiting.push(...part.filter(({ giveUpMs }, index) => changed[index] === 0 && nowMs() < giveUpMs).map((each) => ({ ...each, writeFromMs: nowMs() + writeAfterMs })));
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
      if (waiting.length + counting.size >= waitingMax) return;
      const tag = tagger.tagsOf(address, atMs)?.today;
      if (tag === undefined) return;
      const day = startOfDay(atMs);
      const key = `clicks:${day / msPerDay}:${accountId}:${tag}`;
      const counted = countAll(key, countHere(key, day)).then((order) => void waiting.push({ offerId, order, described: isDescribed ? 1 : 0, writeFromMs: nowMs() + writeAfterMs, giveUpMs: nowMs() + giveUpAfterMs }));
      counting.add(counted);
      void counted.finally(() => counting.delete(counted));
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
