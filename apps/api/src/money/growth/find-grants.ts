/**
 * How much of what calls and clicks earned may become payable before, and after, an operator reviews an account. Pure rules, as
 * docs/money.md describes them.
 */
import { msPerDay, startOfDay } from "../../formats/time.ts";
import { type Month, monthEndAfter, payableFromMs } from "../payable-months.ts";

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

/** By month: what an account was granted while nobody had reviewed it, and the most that the month after may then grant it. */
type Course = { takenMicroUsd: number; nextMicroUsd: number }[];

/** The first days of an account's earnings, and by month what all of them up to it leave to accounts that come later. */
type Early = { fromMs: number; untilMs: number; leftMicroUsd: number[] };

/** What an account leaves to those that are linked to it: of each month's allowance, in all, and in its first days. */
type Room = { monthsMicroUsd: number[]; totalMicroUsd: number; early: Early; firstEarnedMs: number | undefined; course: Course };

type Context = { months: readonly Month[]; unreviewedMonthlyMicroUsd: number; earlierRooms: readonly Room[] };

const isWithin = ({ fromMs, untilMs }: Early, monthEndMs: number): boolean => monthEndMs > fromMs && payableFromMs(monthEndMs) <= untilMs;

/** How many months become payable within the days after this one, which does. */
function countLater(early: Early, { endMs }: Month): number {
  let count = 0;
  for (let next = monthEndAfter(endMs); isWithin(early, next); next = monthEndAfter(next)) count += 1;
  return count;
}

/**
 * Takes from the early days what the account was granted in them, and keeps free what it could still be: who comes later is
 * paid what no earlier one can claim afterwards, so that nothing need be set off.
 */
function takeEarly(early: Early, course: Course, months: readonly Month[]): void {
  let takenMicroUsd = 0;
  for (const [index, month] of months.entries()) {
    if (!isWithin(early, month.endMs)) continue;
    const { takenMicroUsd: moreMicroUsd, nextMicroUsd } = course[index]!;
    takenMicroUsd += moreMicroUsd;
    const keptMicroUsd = nextMicroUsd * (growthFactor ** countLater(early, month) - 1);
    early.leftMicroUsd[index] = Math.max(0, early.leftMicroUsd[index]! - takenMicroUsd - keptMicroUsd);
  }
}

/** An account's own first days. Earlier accounts that began to earn before it have days of their own. */
function openEarly({ firstEarnedMs }: GrowingAccount, { months, unreviewedMonthlyMicroUsd, earlierRooms }: Context): Early {
  const early = {
    fromMs: firstEarnedMs ?? 0,
    untilMs: firstEarnedMs === undefined ? 0 : startOfDay(firstEarnedMs) + earlyMs,
    leftMicroUsd: months.map(() => earlyFactor * unreviewedMonthlyMicroUsd),
  };
  for (const room of earlierRooms) {
    if (room.firstEarnedMs === undefined || room.firstEarnedMs >= early.fromMs) takeEarly(early, room.course, months);
  }
  return early;
}

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
  const own = { totalMicroUsd: totalMaxMicroUsd, early: openEarly(account, { months, unreviewedMonthlyMicroUsd, earlierRooms }) };
  const rooms = [own, ...earlierRooms];
  const course: Course = [];
  const takenOf = new Map<Early, number>();
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
    const early = isUnreviewed ? rooms.map((room) => room.early).filter((each) => isWithin(each, endMs)) : [];
    const allowedMicroUsd = Math.max(0, Math.min(monthlyMicroUsd, ...early.map((each) => each.leftMicroUsd[index]! - (takenOf.get(each) ?? 0))));
    const grantedMicroUsd = Math.min(waitingMicroUsd, allowedMicroUsd);
    waitingMicroUsd -= grantedMicroUsd;
    grants.push({ month, confirmedMicroUsd, allowedMicroUsd, grantedMicroUsd });
    course.push({ takenMicroUsd: 0, nextMicroUsd: 0 });
    if (!isUnreviewed) continue;
    // Not what was merely confirmed: who invents sessions can confirm any sum in a first month.
    bestOwnMicroUsd = Math.max(bestOwnMicroUsd, Math.min(confirmedMicroUsd, monthlyMicroUsd));
    for (const room of earlierRooms) room.monthsMicroUsd[index]! -= grantedMicroUsd;
    for (const room of rooms) room.totalMicroUsd -= grantedMicroUsd;
    for (const each of early) takenOf.set(each, (takenOf.get(each) ?? 0) + grantedMicroUsd);
    course[index] = { takenMicroUsd: grantedMicroUsd, nextMicroUsd: Math.max(unreviewedMonthlyMicroUsd, growthFactor * bestOwnMicroUsd) };
  }
  for (const review of open) apply(review);
  for (const { early } of rooms) takeEarly(early, course, months);

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
      monthsMicroUsd: grants.map((each) => each.allowedMicroUsd - each.grantedMicroUsd),
      totalMicroUsd: isReviewed ? Number.POSITIVE_INFINITY : own.totalMicroUsd,
      early: isReviewed ? { ...own.early, untilMs: 0 } : own.early,
      firstEarnedMs: account.firstEarnedMs,
      course,
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
