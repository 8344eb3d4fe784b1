import type { Store } from "../../store/store.ts";
import { type AuctionStatistics, createAuctionStatistics } from "../auction/auction-statistics.ts";
import { buildSnapshot, updateSpend, prebuildBuckets } from "../auction/build-snapshot.ts";
import { createLiveOffers, type LiveOffers } from "../auction/live-offers.ts";
import { floorMicroUsd, type Snapshot } from "../auction/snapshot.ts";
import { selectInventoryEpoch } from "./inventory.table.ts";
import { createCurveLearner } from "./learn-curve.ts";
import { type CampaignFacts, createClickHistory, readInventory, readSpending, type ServedCreative, type Spending } from "./read-inventory.ts";

export type { CampaignFacts, ServedCreative, ServedImage } from "./read-inventory.ts";

export type InventoryNow = {
  snapshot: Snapshot;
  /** By id. */
  creatives: ReadonlyMap<string, ServedCreative>;
  /** By id, with their spend when the snapshot was built. The snapshot has the current spend. */
  campaigns: ReadonlyMap<string, CampaignFacts>;
};

export type Inventory = {
  /** What this node may serve. The object is replaced as a whole, never changed. */
  current(): InventoryNow;
  /** This node's offers that can still be clicked. Outlives snapshots. */
  liveOffers: LiveOffers;
  /** This node's recent auctions, to explain why a campaign does not serve. Callers record every auction here. */
  statistics: AuctionStatistics;
  /** Reads changes now instead of at the next poll. */
  refresh(): Promise<void>;
  stop(): void;
};

const pollMs = 500;
/** Every other poll also reads spend and click rates. */
const pollsPerRound = 2;
/** New click rates need a new index. Building may take this much of each one-second round: a large index is built less often. */
const buildMsPerRound = 40;

type Context = { nowMs: () => number; onError: (error: unknown) => void };

const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Keeps the inventory in memory on every node. A change is served within a second, and other nodes' spend is known
 * within another second. While the store is unreachable, the node keeps serving what it read last.
 */
export async function followInventory(store: Store, context: Context): Promise<Inventory> {
  const liveOffers = createLiveOffers();
  const history = createClickHistory(store);
  const traffic = createCurveLearner(store);
  const spending = new Map<string, Spending>();
  let facts = new Map<string, CampaignFacts>();
  let epoch = -1;
  let now: InventoryNow = { snapshot: emptySnapshot(), creatives: new Map(), campaigns: facts };
  let polls = 0;
  let roundsToSkip = 0;
  /** Click rates or the traffic curve changed since the snapshot was built. */
  let isOutdated = false;

  function emptySnapshot(): Snapshot {
    return buildSnapshot([], [], { nowMs: context.nowMs(), liveOffers, curve: traffic.curve(), floorMicroUsd });
  }

  const withSpending = (campaign: CampaignFacts): CampaignFacts => ({ ...campaign, ...spending.get(campaign.id) });

  /** In steps: between them the node serves requests from the old snapshot. */
  async function rebuild(creatives: ReadonlyMap<string, ServedCreative>): Promise<void> {
    const nowMs = context.nowMs();
    let busyMs = 0;
    const step = <Result>(work: () => Result): Result => {
      const startedMs = performance.now();
      const result = work();
      busyMs += performance.now() - startedMs;
      return result;
    };
    const campaigns = step(() => new Map([...facts].map(([id, campaign]) => [id, withSpending(campaign)])));
    await yieldToEventLoop();
    const snapshot = step(() => buildSnapshot([...campaigns.values()], history.rows(), { nowMs, liveOffers, curve: traffic.curve(), floorMicroUsd }));
    const warming = prebuildBuckets(snapshot, now.snapshot);
    while (!step(() => warming.next()).done) await yieldToEventLoop();
    now = { snapshot, creatives, campaigns };
    liveOffers.evictIdle(nowMs, new Set(campaigns.keys()));
    isOutdated = false;
    roundsToSkip = Math.floor(busyMs / buildMsPerRound);
  }

  async function readChanges(): Promise<void> {
    const { value } = await selectInventoryEpoch(store.db).executeTakeFirstOrThrow();
    if (value === epoch) return;
    const nowMs = context.nowMs();
    const read = await readInventory(store, nowMs);
    facts = read.campaigns;
    for (const id of spending.keys()) if (!facts.has(id)) spending.delete(id);
    await readSpending(store, spending, nowMs);
    history.retainOnly(read.creatives);
    await rebuild(read.creatives);
    epoch = value;
  }

  async function readProgress(): Promise<void> {
    const nowMs = context.nowMs();
    for (const each of await readSpending(store, spending, nowMs)) updateSpend(now.snapshot, { ...each, nowMs });
    const outcomes = [await history.readNextPage(), await traffic.readFinishedHours(nowMs)];
    if (outcomes.includes("changed")) isOutdated = true;
    if (roundsToSkip > 0) roundsToSkip -= 1;
    else if (isOutdated) await rebuild(now.creatives);
  }

  let running: Promise<void> = Promise.resolve();
  let waiting = 0;
  let isStopped = false;
  /** One at a time: a read that overtakes another would revert a change. */
  function enqueue(work: () => Promise<void>): Promise<void> {
    waiting += 1;
    const done = running.then(work).finally(() => (waiting -= 1));
    running = done.catch(() => {});
    return done;
  }

  await history.readAll();
  await readChanges();
  const timer = setInterval(() => {
    if (waiting > 0) return;
    polls += 1;
    enqueue(async () => {
      await readChanges();
      if (polls % pollsPerRound === 0) await readProgress();
    }).catch((error: unknown) => {
      if (!isStopped) context.onError(error);
    });
  }, pollMs);
  return {
    current: () => now,
    liveOffers,
    statistics: createAuctionStatistics(),
    refresh: () =>
      enqueue(async () => {
        await readChanges();
        await readProgress();
      }),
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
