import { type Seed, uniformOf } from "./draws.ts";
import { participation, targetAt } from "./pace.ts";
import type { CampaignEntry, Headroom, Snapshot } from "./snapshot.ts";
import { dayOf, type TrafficCurve } from "./traffic-curve.ts";

/** Of what is left of a campaign's budget, one account's unclicked offers may tie up this share: the others must find some too. */
const accountShareMax = 0.1;

/** What keeps a campaign out of an auction, in the order of the checks. */
export const obstacles = ["not_scheduled", "trust_required", "bid_under_floor", "budget_used_up", "offers_unclicked", "paced"] as const;
export type Obstacle = (typeof obstacles)[number];

const spentTodayAt = (entry: CampaignEntry, nowMs: number): number => (dayOf(nowMs) === entry.spentDay ? entry.spentTodayMicroUsd : 0);

/** What is left of the budget or of the daily budget, whichever is less. */
export function leftMicroUsd(entry: CampaignEntry, nowMs: number): number {
  const { budgetMicroUsd, dailyBudgetMicroUsd } = entry.campaign;
  const left = budgetMicroUsd - entry.spentMicroUsd;
  return dailyBudgetMicroUsd === undefined ? left : Math.min(left, dailyBudgetMicroUsd - spentTodayAt(entry, nowMs));
}

/** Daily budgets reset at midnight UTC. */
export function rollOverDay({ columns, entries }: Snapshot, nowMs: number): void {
  const day = dayOf(nowMs);
  if (day === columns.day) return;
  columns.day = day;
  for (const entry of entries) columns.leftMicroUsd[entry.index] = leftMicroUsd(entry, nowMs);
}

/** What reserves for live offers and pacing leave of a campaign's budget, computed at most once per second and change. */
export function headroomOf(entry: CampaignEntry, context: { nowMs: number; curve: TrafficCurve }): Headroom {
  const second = Math.floor(context.nowMs / 1_000);
  const expected = entry.offers.expectedAt(context.nowMs);
  const known = entry.headroom;
  if (known && known.second === second && known.expected === expected) return known;
  const nowMs = second * 1_000;
  const freeMicroUsd = leftMicroUsd(entry, nowMs) - expected.reservedMicroUsd;
  const headroom: Headroom = { second, expected, freeMicroUsd, participation: paceOf(entry, expected.microUsd, { nowMs, curve: context.curve }) };
  entry.headroom = headroom;
  return headroom;
}

function paceOf(entry: CampaignEntry, expectedMicroUsd: number, context: { nowMs: number; curve: TrafficCurve }): number {
  if (entry.campaign.pacing === "asap") return 1;
  const spentTodayMicroUsd = spentTodayAt(entry, context.nowMs);
  const target = targetAt(entry.campaign, { spentMicroUsd: entry.spentMicroUsd, spentTodayMicroUsd }, context);
  return target ? participation(target, spentTodayMicroUsd + expectedMicroUsd) : 1;
}

export type ServingContext = {
  accountId: string | undefined;
  nowMs: number;
  verifiedTrust: number | undefined;
  isAttested: boolean;
  floorMicroUsd: number;
  seed: Seed;
};

/** The checks that do not depend on money. */
export function findObstacle({ columns }: Snapshot, campaign: number, context: ServingContext): Obstacle | undefined {
  const { nowMs, verifiedTrust } = context;
  if (nowMs < columns.startsMs[campaign]! || nowMs >= columns.endsMs[campaign]!) return "not_scheduled";
  const minTrust = columns.minTrust[campaign]!;
  if (minTrust > 0 && (verifiedTrust === undefined || verifiedTrust < minTrust)) return "trust_required";
  if (columns.attestedOnly[campaign] === 1 && !context.isAttested) return "trust_required";
  return undefined;
}

/**
 * What a paying campaign can bid now: its bid, but at most the budget left after the reserve for outstanding offers.
 * The price never exceeds this, so the budget covers it besides the reserve. Without live offers there is no
 * reserve: any remainder, down to the floor, can be offered once at a time.
 */
export function affordableBid(snapshot: Snapshot, campaign: number, context: ServingContext): number | Obstacle {
  const { columns } = snapshot;
  const bidMicroUsd = columns.bidMicroUsd[campaign]!;
  if (bidMicroUsd < context.floorMicroUsd) return "bid_under_floor";
  if (columns.leftMicroUsd[campaign]! < context.floorMicroUsd) return "budget_used_up";
  const entry = snapshot.entries[campaign]!;
  const headroom = headroomOf(entry, { nowMs: context.nowMs, curve: snapshot.curve });
  if (headroom.freeMicroUsd < context.floorMicroUsd) return "budget_used_up";
  const { accountId } = context;
  if (accountId !== undefined && entry.offers.expectedOfAccount(accountId, context.nowMs) > accountShareMax * columns.leftMicroUsd[campaign]!) return "offers_unclicked";
  if (headroom.participation < 1 && uniformOf(context.seed, entry.paceKey) >= headroom.participation) return "paced";
  return Math.min(bidMicroUsd, headroom.freeMicroUsd);
}
