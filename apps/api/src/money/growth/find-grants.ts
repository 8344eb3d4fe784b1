/**
 * How much of what calls and clicks earned may become payable before, and after, an operator reviews an account. Pure rules, as
 * docs/money.md describes them.
 */
import { msPerDay, startOfDay } from "../../formats/time.ts";
import { type Month, payableFromMs } from "../payable-months.ts";

/** In all, a never reviewed account is allowed this many times what it is allowed for its first month. */
const unreviewedTotalFactor = 10;
/** Of that, so much at most within so many days of its first earnings: months are doubled however short the first one was. */
const earlyFactor = 3;
const earlyMs = 90 * msPerDay;
/** A never reviewed account may grow by this factor over the best earlier month that it was allowed. */
const growthFactor = 2;

export type Review = {
  atMs: number;
  monthlyMicroUsd: number;
  /** Months up to this one were paid before growth was limited: they count as granted in full, and the sum stands since. */
  grantedThrough: string | null;
};

/** Months without an entry earned nothing. `firstEarnedMs`: when the account earned first, if it did. */
export type GrowingAccount = { accountId: string; confirmedByMonth: ReadonlyMap<string, number>; firstEarnedMs?: number | undefined; reviews: readonly Review[] };

export type MonthGrant = {
  month: string;
  confirmedMicroUsd: number;
  allowedMicroUsd: number;
  /** Of this month's and older earnings, the oldest first. */
  grantedMicroUsd: number;
};

export type Grants = {
  /** Oldest first. */
  months: MonthGrant[];
  grantedMicroUsd: number;
  /** What waits for a review, and the oldest month of which something waits. */
  waitingMicroUsd: number;
  waitingSince: string | null;
  isReviewed: boolean;
};

/** What an account leaves to those that are linked to it: of each month's allowance, in all, and of what its first days may pay. */
type Room = { monthsMicroUsd: number[]; totalMicroUsd: number; earlyMicroUsd: number; earlyUntilMs: number };

type Context = { months: readonly Month[]; unreviewedMonthlyMicroUsd: number; earlierRooms: readonly Room[] };

const inTimeOrder = (reviews: readonly Review[]): Review[] => reviews.toSorted((left, right) => left.atMs - right.atMs);

/** Earnings are granted oldest first, so what waits is of the newest months. */
function findWaitingSince(months: readonly MonthGrant[], waitingMicroUsd: number): string | null {
  let leftMicroUsd = waitingMicroUsd;
  for (const { month, confirmedMicroUsd } of months.toReversed()) {
    if (leftMicroUsd <= 0) return null;
    if (confirmedMicroUsd >= leftMicroUsd) return month;
    leftMicroUsd -= confirmedMicroUsd;
  }
  return null;
}

/** Goes through the months as they became due and the reviews as they were made, and takes what an unreviewed account uses from `earlierRooms`. */
function grantMonths(account: GrowingAccount, { months, unreviewedMonthlyMicroUsd, earlierRooms }: Context): { grants: Grants; room: Room } {
  const grants: MonthGrant[] = [];
  const open = inTimeOrder(account.reviews);
  const paidBefore = open.find((review) => review.grantedThrough !== null);
  const totalMaxMicroUsd = unreviewedTotalFactor * unreviewedMonthlyMicroUsd;
  const own: Room = {
    monthsMicroUsd: [],
    totalMicroUsd: totalMaxMicroUsd,
    earlyMicroUsd: earlyFactor * unreviewedMonthlyMicroUsd,
    earlyUntilMs: account.firstEarnedMs === undefined ? 0 : startOfDay(account.firstEarnedMs) + earlyMs,
  };
  const rooms = [own, ...earlierRooms];
  let standingMicroUsd: number | undefined = paidBefore?.monthlyMicroUsd;
  let [waitingMicroUsd, bestOwnMicroUsd] = [0, 0];

  function apply({ monthlyMicroUsd }: Review): void {
    standingMicroUsd = monthlyMicroUsd;
    const latest = grants.at(-1);
    if (!latest) return;
    latest.allowedMicroUsd = Math.max(latest.grantedMicroUsd, monthlyMicroUsd);
    const moreMicroUsd = Math.min(waitingMicroUsd, latest.allowedMicroUsd - latest.grantedMicroUsd);
    latest.grantedMicroUsd += moreMicroUsd;
    waitingMicroUsd -= moreMicroUsd;
  }

  function allowUnreviewed(index: number): number {
    const ownMicroUsd = Math.max(unreviewedMonthlyMicroUsd, growthFactor * bestOwnMicroUsd);
    const roomsMicroUsd = earlierRooms.map((room) => room.monthsMicroUsd[index]!);
    return Math.max(0, Math.min(ownMicroUsd, ...roomsMicroUsd, ...rooms.map((room) => room.totalMicroUsd)));
  }

  for (const [index, { name: month, endMs }] of months.entries()) {
    const dueMs = payableFromMs(endMs);
    while (open[0] && open[0].atMs < dueMs) apply(open.shift()!);
    const confirmedMicroUsd = account.confirmedByMonth.get(month) ?? 0;
    waitingMicroUsd += confirmedMicroUsd;
    const isPaidBefore = paidBefore !== undefined && month <= paidBefore.grantedThrough!;
    const isUnreviewed = standingMicroUsd === undefined;
    const monthlyMicroUsd = isPaidBefore ? Math.max(waitingMicroUsd, paidBefore.monthlyMicroUsd) : (standingMicroUsd ?? allowUnreviewed(index));
    const earlyRooms = isUnreviewed ? rooms.filter((room) => dueMs <= room.earlyUntilMs) : [];
    const allowedMicroUsd = Math.max(0, Math.min(monthlyMicroUsd, ...earlyRooms.map((room) => room.earlyMicroUsd)));
    const grantedMicroUsd = Math.min(waitingMicroUsd, allowedMicroUsd);
    waitingMicroUsd -= grantedMicroUsd;
    grants.push({ month, confirmedMicroUsd, allowedMicroUsd, grantedMicroUsd });
    if (!isUnreviewed) continue;
    // Not what was merely confirmed: who invents sessions can confirm any sum in a first month.
    bestOwnMicroUsd = Math.max(bestOwnMicroUsd, Math.min(confirmedMicroUsd, monthlyMicroUsd));
    for (const room of earlierRooms) room.monthsMicroUsd[index]! -= grantedMicroUsd;
    for (const room of rooms) room.totalMicroUsd -= grantedMicroUsd;
    for (const room of earlyRooms) room.earlyMicroUsd -= grantedMicroUsd;
  }
  for (const review of open) apply(review);

  const isReviewed = standingMicroUsd !== undefined;
  return {
    grants: {
      months: grants,
      grantedMicroUsd: grants.reduce((sum, each) => sum + each.grantedMicroUsd, 0),
      waitingMicroUsd,
      waitingSince: findWaitingSince(grants, waitingMicroUsd),
      isReviewed,
    },
    room: {
      ...own,
      monthsMicroUsd: grants.map((each) => each.allowedMicroUsd - each.grantedMicroUsd),
      ...(isReviewed && { totalMicroUsd: Number.POSITIVE_INFINITY, earlyUntilMs: 0 }),
    },
  };
}

/**
 * Every account after those that it is linked to. Where links form a ring, which two marks can do, the members of the
 * ring see the same accounts: there the smaller id comes first.
 */
function inOrderOfLinks(accounts: readonly GrowingAccount[], earlierOf: ReadonlyMap<string, ReadonlySet<string>>): GrowingAccount[] {
  const countOf = ({ accountId }: GrowingAccount) => earlierOf.get(accountId)?.size ?? 0;
  return accounts.toSorted((left, right) => countOf(left) - countOf(right) || (left.accountId < right.accountId ? -1 : 1));
}

/**
 * What each account is granted. One that was never reviewed and is linked to others has no more than they leave, and
 * never more than it would have alone; nobody's figures depend on an account that came later.
 *
 * `months` are those that are due, oldest first and without gaps. `earlierOf` has the accounts that each is linked to,
 * directly or through others; all of them are in `accounts`.
 */
export function findGrants(
  accounts: readonly GrowingAccount[],
  context: { months: readonly Month[]; unreviewedMonthlyMicroUsd: number; earlierOf: ReadonlyMap<string, ReadonlySet<string>> },
): Map<string, Grants> {
  const rooms = new Map<string, Room>();
  const found = new Map<string, Grants>();
  for (const account of inOrderOfLinks(accounts, context.earlierOf)) {
    const earlierRooms = [...(context.earlierOf.get(account.accountId) ?? [])].flatMap((id) => rooms.get(id) ?? []);
    const { grants, room } = grantMonths(account, { ...context, earlierRooms });
    rooms.set(account.accountId, room);
    found.set(account.accountId, grants);
  }
  return found;
}

/** The smallest standing sum that makes everything payable that waits now. */
export const suggestMonthlyMicroUsd = ({ months, waitingMicroUsd }: Grants): number => (months.at(-1)?.grantedMicroUsd ?? 0) + waitingMicroUsd;
