import { msPerDay } from "../../formats/time.ts";
import { buildBucket, fillColumn } from "./build-bucket.ts";
import { anyCategory, learnClickRates } from "./click-rate.ts";
import { keyForPurpose, keyOf } from "./draws.ts";
import { leftMicroUsd } from "./may-serve.ts";
import type { AuctionCampaign, Bucket, BucketKind, CampaignColumns, CampaignEntry, ClickHistory, ListedCreative, Snapshot, SnapshotContext } from "./snapshot.ts";
import { dayOf } from "./traffic-curve.ts";

const pacePurpose = 1;

function makeEntries(campaigns: readonly AuctionCampaign[], context: SnapshotContext): CampaignEntry[] {
  const advertisers = new Map<string, number>();
  return campaigns.map((campaign, index) => {
    const advertiser = advertisers.get(campaign.advertiserId) ?? advertisers.size;
    advertisers.set(campaign.advertiserId, advertiser);
    return {
      campaign,
      index,
      advertiser,
      paceKey: keyForPurpose(keyOf(campaign.id), pacePurpose),
      offers: context.liveOffers.of(campaign.id),
      spentMicroUsd: campaign.spentMicroUsd,
      spentTodayMicroUsd: campaign.spentTodayMicroUsd,
      spentDay: dayOf(context.nowMs),
      headroom: undefined,
    };
  });
}

function makeColumns(entries: readonly CampaignEntry[], nowMs: number): CampaignColumns {
  const column = (valueOf: (campaign: AuctionCampaign) => number) =>
    fillColumn(new Float64Array(entries.length), entries, ({ campaign }) => valueOf(campaign));
  return {
    startsMs: column(({ startsMs }) => startsMs),
    endsMs: column(({ endsMs }) => endsMs ?? Number.POSITIVE_INFINITY),
    minTrust: column(({ minTrust }) => minTrust),
    attestedOnly: fillColumn(new Uint8Array(entries.length), entries, ({ campaign }) => Number(campaign.attestedOnly)),
    bidMicroUsd: column(({ bidMicroUsd }) => bidMicroUsd),
    leftMicroUsd: fillColumn(new Float64Array(entries.length), entries, (entry) => leftMicroUsd(entry, nowMs)),
    day: dayOf(nowMs),
  };
}

/** In the order of their ids: an order that neither bids nor clicks change. */
function listCreatives(entries: readonly CampaignEntry[]): ListedCreative[] {
  const listed: ListedCreative[] = [];
  for (const entry of entries) for (const creative of entry.campaign.creatives) listed.push({ entry, creative, key: keyOf(creative.id) });
  return listed.toSorted((left, right) => (left.creative.id < right.creative.id ? -1 : 1));
}

export function buildSnapshot(
  campaigns: readonly AuctionCampaign[],
  history: readonly ClickHistory[],
  context: SnapshotContext,
): Snapshot {
  const rates = learnClickRates(campaigns, history);
  const entries = makeEntries(campaigns, context);
  const listed = listCreatives(entries);
  const byId = new Map(entries.map((entry) => [entry.campaign.id, entry]));
  const buckets = new Map<string, { kind: BucketKind & { house: boolean }; bucket: Bucket }>();
  return {
    curve: context.curve,
    entries,
    columns: makeColumns(entries, context.nowMs),
    entryOf: (campaignId) => byId.get(campaignId),
    bucketOf(kind, house) {
      const key = `${kind.format} ${kind.placement} ${house ? "house" : "paying"} ${kind.category}`;
      let known = buckets.get(key);
      if (!known) {
        known = { kind: { ...kind, house }, bucket: buildBucket(listed, { kind, house, rates, floorMicroUsd: context.floorMicroUsd ?? 1 }) };
        buckets.set(key, known);
      }
      return known.bucket;
    },
    categoryOf: (category) => (category !== undefined && rates.categories.has(category) ? category : anyCategory),
    kindsInUse: () => [...buckets.values()].map(({ kind }) => kind),
  };
}

/**
 * Builds the buckets in `next` that were in use in `previous`, one per step. The caller can yield to the event loop
 * between steps, and no request has to wait for a missing index.
 */
export function* prebuildBuckets(next: Snapshot, previous: Snapshot): Generator<undefined> {
  for (const { house, ...kind } of previous.kindsInUse()) {
    next.bucketOf({ ...kind, category: next.categoryOf(kind.category) }, house);
    yield;
  }
}

/**
 * Sets what a campaign has spent in total and on the UTC day of `nowMs`; the last call wins. A refund to a campaign
 * that had spent its budget takes effect with the next snapshot, because this one does not index the campaign.
 */
export function updateSpend(
  snapshot: Snapshot,
  spend: { campaignId: string; spentMicroUsd: number; spentTodayMicroUsd: number; nowMs: number },
): void {
  const entry = snapshot.entryOf(spend.campaignId);
  if (!entry) return;
  entry.spentMicroUsd = spend.spentMicroUsd;
  entry.spentTodayMicroUsd = spend.spentTodayMicroUsd;
  entry.spentDay = dayOf(spend.nowMs);
  entry.headroom = undefined;
  const { columns } = snapshot;
  columns.leftMicroUsd[entry.index] = leftMicroUsd(entry, columns.day * msPerDay);
}
