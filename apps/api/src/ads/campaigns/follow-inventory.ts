import { type AuctionStatistics, createAuctionStatistics } from "../auction/auction-statistics.ts";
import { buildSnapshot, updateSpend, prebuildBuckets } from "../auction/build-snapshot.ts";
import { createLiveOffers, type LiveOffers } from "../auction/live-offers.ts";
import { floorMicroUsd, type Snapshot } from "../auction/snapshot.ts";
import type { Store } from "../../store/store.ts";
import { selectInventoryEpoch } from "./inventory.table.ts";
import { createCurveLearner } from "./learn-curve.ts";
import { type CampaignFacts, createClickHistory, readInventory, readSpending, type ServedCreative, type Spending } from "./read-inventory.ts";

export type { CampaignFacts, ServedCreative, ServedImage } from "./read-inventory.ts";

export type InventoryNow = {
  snapshot: Snapshot;
  /** By id. */
  creatives: ReadonlyMap<string, ServedCreative>;
  /** By id; what they had spent when the snapshot was built: the snapshot knows what came after. */
  campaigns: ReadonlyMap<string, CampaignFacts>;
};

export type Inventory = {
  /** What may be served, as far as this node knows. The object is replaced as a whole, never changed. */
  current(): InventoryNow;
  /** This node's offers that can still be clicked; snapshots come and go, this stays. */
  liveOffers: LiveOffers;
  /** What this node's auctions came to lately: tell it of each, to know why a campaign does not serve. */
  statistics: AuctionStatistics;
  /** Looks for changes now instead of within the next half second. */
  refresh(): Promise<void>;
  stop(): void;
};

const pollMs = 500;
/** Spending and click rates are looked at with every other poll. */
const pollsPerRound = 2;
/**
 * New click rates need a new index. Of each round's second, this much may go into building one: a large index
 * is built less often instead.
 */
const buildMsPerRound = 40;

type Context = { nowMs: () => number; onError: (error: unknown) => void };

const letOthersRun = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Keeps the inventory in memory, on every node: a change is served within a second, and what campaigns have
 * spent elsewhere is known a second later. While the store is away, what was last read goes on serving.
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
  /** Click rates or the curve moved since the snapshot was built. */
  let isOutdated = false;

  function emptySnapshot(): Snapshot {
    return buildSnapshot([], [], { nowMs: context.nowMs(), liveOffers, curve: traffic.curve(), floorMicroUsd });
  }

  const withSpending = (campaign: CampaignFacts): CampaignFacts => ({ ...campaign, ...spending.get(campaign.id) });

  /** In steps between which requests are served, from the old snapshot. */
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
    await letOthersRun();
    const snapshot = step(() => buildSnapshot([...campaigns.values()], history.rows(), { nowMs, liveOffers, curve: traffic.curve(), floorMicroUsd }));
    const warming = prebuildBuckets(snapshot, now.snapshot);
    while (!step(() => warming.next()).done) await letOthersRun();
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
    history.forgetAllBut(read.creatives);
    await rebuild(read.creatives);
    epoch = value;
  }

  async function readProgress(): Promise<void> {
    const nowMs = context.nowMs();
    for (const each of await readSpending(store, spending, nowMs)) updateSpend(now.snapshot, { ...each, nowMs });
    const learnt = [await history.readOn(), await traffic.readOn(nowMs)];
    if (learnt.includes("moved")) isOutdated = true;
    if (roundsToSkip > 0) roundsToSkip -= 1;
    else if (isOutdated) await rebuild(now.creatives);
  }

  let running: Promise<void> = Promise.resolve();
  let waiting = 0;
  let isStopped = false;
  /** One at a time: reads that overtake each other would take a change back. */
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
