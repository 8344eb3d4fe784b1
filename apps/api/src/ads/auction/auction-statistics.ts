import type { AuctionRequest, Decision } from "./decide.ts";
import type { AuctionCampaign, BucketKind, Snapshot } from "./snapshot.ts";
import { wants } from "./targeting.ts";
import { msPerHour } from "../../formats/time.ts";

/** What a campaign's requests came to within this hour and the one before. */
export type RecentAuctions = {
  /** Requests of a format, a placement and a category that it serves. */
  readonly matched: number;
  /** Of these, those whose verified trust reaches its minimum. */
  readonly trusted: number;
  readonly won: number;
};

/** Requests by whole points of verified trust, 0 to 100; the last counts those without. */
const trustCounters = 102;
const unverified = trustCounters - 1;

type KindCounts = { kind: BucketKind; byTrust: Uint32Array };
type Hour = { number: number; kinds: Map<string, KindCounts>; won: Map<string, number> };

/**
 * Counts auctions, to tell later why a campaign does not serve. Few candidates of an auction are ever looked
 * at, so what is counted is requests by kind; which of them a campaign could have had follows from its
 * targeting. Memory is bounded by the kinds of request that a snapshot tells apart, and by its campaigns.
 */
export type AuctionStatistics = {
  note(snapshot: Snapshot, request: AuctionRequest, decision: Decision): void;
  of(campaign: AuctionCampaign, nowMs: number): RecentAuctions;
};

const emptyHour = (number: number): Hour => ({ number, kinds: new Map(), won: new Map() });

function trustedIn(byTrust: Uint32Array, minTrust: number): number {
  let count = 0;
  const from = minTrust > 0 ? Math.min(unverified, Math.ceil(minTrust)) : 0;
  const until = minTrust > 0 ? unverified : trustCounters;
  for (let points = from; points < until; points += 1) count += byTrust[points]!;
  return count;
}

const serves = (campaign: AuctionCampaign, kind: BucketKind): boolean =>
  campaign.creatives.some(({ format }) => format === kind.format) && wants(campaign, kind);

export function createAuctionStatistics(): AuctionStatistics {
  let current = emptyHour(0);
  let previous = emptyHour(-1);

  function turnTo(nowMs: number): void {
    const number = Math.floor(nowMs / msPerHour);
    if (number <= current.number) return;
    previous = number === current.number + 1 ? current : emptyHour(number - 1);
    current = emptyHour(number);
  }
  return {
    note(snapshot, { format, placement, category, verifiedTrust, nowMs }, decision) {
      turnTo(nowMs);
      const known = snapshot.categoryOf(category);
      const key = `${format} ${placement} ${known}`;
      let counts = current.kinds.get(key);
      if (!counts) current.kinds.set(key, (counts = { kind: { format, placement, category: known }, byTrust: new Uint32Array(trustCounters) }));
      const counter = verifiedTrust === undefined ? unverified : Math.min(unverified - 1, Math.max(0, Math.floor(verifiedTrust)));
      counts.byTrust[counter]! += 1;
      if (decision.kind === "offer") current.won.set(decision.campaign.id, (current.won.get(decision.campaign.id) ?? 0) + 1);
    },
    of(campaign, nowMs) {
      turnTo(nowMs);
      let [matched, trusted, won] = [0, 0, 0];
      for (const hour of [current, previous]) {
        won += hour.won.get(campaign.id) ?? 0;
        for (const { kind, byTrust } of hour.kinds.values()) {
          if (!serves(campaign, kind)) continue;
          matched += trustedIn(byTrust, 0);
          trusted += trustedIn(byTrust, campaign.minTrust);
        }
      }
      return { matched, trusted, won };
    },
  };
}
