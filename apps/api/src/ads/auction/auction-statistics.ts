import { msPerHour } from "../../formats/time.ts";
import type { AuctionRequest, Decision } from "./decide.ts";
import { type AuctionCampaign, type BucketKind, matchesTargeting, type Snapshot } from "./snapshot.ts";

/** Auctions of the current hour and the one before, from one campaign's point of view. */
export type RecentAuctions = {
  /** Requests whose format, placement and category it serves. */
  readonly matched: number;
  /** Matched requests whose verified trust reaches its minimum, and that are attested where it asks for it. */
  readonly trusted: number;
  readonly won: number;
};

/** One counter per whole point of verified trust, 0 to 100, and a last one for requests without. */
const trustCounters = 102;
const unverified = trustCounters - 1;

/** `attestedByTrust`: of `byTrust`. */
type KindCounts = { kind: BucketKind; byTrust: Uint32Array; attestedByTrust: Uint32Array };
type Hour = { number: number; kinds: Map<string, KindCounts>; won: Map<string, number> };

/**
 * Counts auctions, to explain later why a campaign does not serve. An auction visits few of its candidates, so
 * requests are counted by kind, and a campaign's targeting determines which kinds it matched. The snapshot's
 * kinds of request and its campaigns bound the memory.
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
  campaign.creatives.some(({ format }) => format === kind.format) && matchesTargeting(campaign, kind);

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
    note(snapshot, { format, placement, category, verifiedTrust, isAttested, nowMs }, decision) {
      turnTo(nowMs);
      const known = snapshot.categoryOf(category);
      const key = `${format} ${placement} ${known}`;
      let counts = current.kinds.get(key);
      if (!counts) {
        counts = { kind: { format, placement, category: known }, byTrust: new Uint32Array(trustCounters), attestedByTrust: new Uint32Array(trustCounters) };
        current.kinds.set(key, counts);
      }
      const counter = verifiedTrust === undefined ? unverified : Math.min(unverified - 1, Math.max(0, Math.floor(verifiedTrust)));
      counts.byTrust[counter]! += 1;
      if (isAttested) counts.attestedByTrust[counter]! += 1;
      if (decision.kind === "offer") current.won.set(decision.campaign.id, (current.won.get(decision.campaign.id) ?? 0) + 1);
    },
    of(campaign, nowMs) {
      turnTo(nowMs);
      let [matched, trusted, won] = [0, 0, 0];
      for (const hour of [current, previous]) {
        won += hour.won.get(campaign.id) ?? 0;
        for (const { kind, byTrust, attestedByTrust } of hour.kinds.values()) {
          if (!serves(campaign, kind)) continue;
          matched += trustedIn(byTrust, 0);
          trusted += trustedIn(campaign.attestedOnly ? attestedByTrust : byTrust, campaign.minTrust);
        }
      }
      return { matched, trusted, won };
    },
  };
}
