import fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { msPerDay } from "../../formats/time.ts";
import { payableFromMs } from "../payable-months.ts";
import { findGrants, type Grants, type GrowingAccount, type Review, suggestMonthlyMicroUsd } from "./find-grants.ts";

const usd = 1_000_000;
const monthly = 350 * usd;
const months = Array.from({ length: 24 }, (_, index) => {
  const endMs = Date.UTC(2026, index + 1);
  return { name: new Date(endMs - 1).toISOString().slice(0, "YYYY-MM".length), endMs };
});
const nobody: ReadonlyMap<string, ReadonlySet<string>> = new Map();
const dueMs = (index: number) => payableFromMs(months[index]!.endMs);

/** `startDay`: of its first month with earnings; 1: the first. */
function accountOf(confirmed: readonly number[], reviews: readonly Review[] = [], accountId = "acc", startDay = 1): GrowingAccount {
  const first = confirmed.findIndex((each) => each > 0);
  return {
    accountId,
    confirmedByMonth: new Map(confirmed.map((microUsd, index) => [months[index]!.name, microUsd])),
    firstEarnedMs: first < 0 ? undefined : Date.UTC(2026, first, startDay, 12),
    reviews,
  };
}

/** What one account is granted when the months of `confirmed` are due. */
const grantsOf = (confirmed: readonly number[], reviews: readonly Review[] = [], startDay = 1): Grants =>
  findGrants([accountOf(confirmed, reviews, "acc", startDay)], { months: months.slice(0, confirmed.length), unreviewedMonthlyMicroUsd: monthly, earlierOf: nobody }).get("acc")!;

const granted = (grants: Grants) => grants.months.map((each) => each.grantedMicroUsd / usd);
const review = (index: number, sum: number): Review => ({ atMs: dueMs(index), monthlyMicroUsd: sum * usd, grantedThrough: null });

const earnings = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000 * usd }), fc.integer({ min: 0, max: 50_000 * usd })), { minLength: 1, maxLength: 24 });
const someReviews = fc
  .array(fc.record({ atMs: fc.integer({ min: dueMs(0) - 1, max: dueMs(23) + 1 }), monthlyMicroUsd: fc.integer({ min: 0, max: 40_000 * usd }), grantedThrough: fc.constant(null) }), { maxLength: 3 })
  .map((reviews): Review[] => reviews);

/** Accounts in the order in which they named one bank account: each is linked to all before it. */
const linkAll = (accounts: readonly GrowingAccount[]) => new Map(accounts.map(({ accountId }, index) => [accountId, new Set(accounts.slice(0, index).map((each) => each.accountId))]));

describe("what growth grants", () => {
  it("is 350 USD of 20,000 in the first month and 1,050 in the first two, however much was confirmed, and 3,500 in all [threat: sudden-growth]", () => {
    const idle = grantsOf([20_000 * usd, ...Array.from({ length: 11 }, () => 0)]);
    assert.deepEqual(granted(idle), [350, 700, 700, 700, 700, 350, 0, 0, 0, 0, 0, 0]);
    assert.deepEqual([idle.waitingMicroUsd, idle.waitingSince], [16_500 * usd, "2026-01"]);
    const busy = grantsOf(Array.from({ length: 6 }, () => 20_000 * usd));
    assert.deepEqual(granted(busy), [350, 700, 1_400, 1_050, 0, 0]);
  });

  it("is 1,050 USD within 90 days of the first earnings, on whatever day of a month they are [threat: last-day-start]", () => {
    const confirmed = Array.from({ length: 7 }, () => 20_000 * usd);
    assert.deepEqual(granted(grantsOf(confirmed, [], 31)), [350, 700, 0, 2_450, 0, 0, 0], "the fourth is due after 104 days");
    assert.deepEqual(granted(grantsOf([10, 340, 680, 1_000, 500].map((each) => each * usd), [], 31)), [10, 340, 680, 1_000, 500], "growth at a usual pace meets no rule");
    assert.deepEqual(granted(grantsOf([10, 350, 700, 1_400, 0].map((each) => each * usd), [], 31)), [10, 350, 690, 1_400, 10], "later months pay the rest");
    for (let first = 0; first < 12; first += 1) {
      const daysOfMonth = new Date(Date.UTC(2026, first + 1, 0)).getUTCDate();
      for (let startDay = 1; startDay <= daysOfMonth; startDay += 1) {
        const earned = Array.from({ length: first + 5 }, (_, index) => (index < first ? 0 : 20_000 * usd));
        const { months: grants } = grantsOf(earned, [], startDay);
        const within = (days: number) => grants.filter((_, index) => dueMs(index) < Date.UTC(2026, first, startDay + days)).reduce((sum, each) => sum + each.grantedMicroUsd, 0);
        assert.ok(within(31) <= monthly && within(90) <= 3 * monthly, `${months[first]!.name}-${startDay}`);
        if (startDay === 1) assert.deepEqual(granted(grantsOf(earned, [], startDay)).slice(first, first + 3), [350, 700, 1_400]);
      }
    }
  });

  it("never exceeds 350 USD by the first month, 1,050 by the second and 3,500 in all without a review", () => {
    fc.assert(
      fc.property(earnings, (confirmed) => {
        const { months: grants, grantedMicroUsd, waitingMicroUsd } = grantsOf(confirmed);
        const first = confirmed.findIndex((each) => each > 0);
        const by = (month: number) => grants.slice(0, first + month).reduce((sum, each) => sum + each.grantedMicroUsd, 0);
        if (first >= 0) assert.ok(by(1) <= monthly && by(2) <= 3 * monthly);
        assert.ok(grantedMicroUsd <= 10 * monthly);
        assert.equal(grantedMicroUsd + waitingMicroUsd, confirmed.reduce((sum, each) => sum + each, 0), "what is not granted waits, and nothing else");
      }),
    );
  });

  it("delays nothing of a first month up to 350 USD and of growth up to twofold, before 3,500 USD in all", () => {
    const growing = fc.tuple(fc.integer({ min: 0, max: monthly }), fc.array(fc.double({ min: 0, max: 2, noNaN: true }), { maxLength: 23 }));
    fc.assert(
      fc.property(growing, ([first, factors]) => {
        const confirmed = [first];
        for (const factor of factors) confirmed.push(Math.floor(confirmed.at(-1)! * factor));
        let total = 0;
        const honest = confirmed.filter((each) => (total += each) <= 10 * monthly);
        assert.deepEqual(grantsOf(honest).months.map((each) => each.grantedMicroUsd), honest);
      }),
    );
  });

  it("pays older remainders by the unused allowance of later months, the oldest first", () => {
    const grants = grantsOf([500 * usd, 100 * usd, 10 * usd]);
    assert.deepEqual([granted(grants), grants.waitingMicroUsd], [[350, 250, 10], 0]);
    assert.deepEqual([grantsOf([500 * usd, 900 * usd]).waitingMicroUsd, grantsOf([500 * usd, 900 * usd]).waitingSince], [350 * usd, "2026-02"]);
  });

  it("of an account with a review is its standing sum: for the month that was due then, what waits at once, and every later month", () => {
    const reviewed = grantsOf([20_000 * usd, 0, 0, 0], [review(1, 5_000)]);
    assert.deepEqual(granted(reviewed), [350, 5_000, 5_000, 5_000]);
    assert.deepEqual(granted(grantsOf([20_000 * usd, 0, 0, 0], [review(1, 5_000), review(2, 100)])), [350, 5_000, 5_000, 100], "a later review replaces it");
    assert.deepEqual(granted(grantsOf([20_000 * usd, 0, 0], [review(1, 0)])), [350, 700, 0], "it can be nothing at all");
    assert.deepEqual(granted(grantsOf([20_000 * usd, 0], [{ ...review(1, 5_000), atMs: dueMs(0) - 1 }])), [5_000, 5_000], "before any month was due");
  });

  it("of a month is decided by the last review before it was due, even if that one lowers the sum; from that moment on a review takes nothing from it", () => {
    const reviewAt = (atMs: number, sum: number): Review => ({ ...review(0, sum), atMs });
    const earned = [20_000 * usd, 0, 0];
    assert.deepEqual(granted(grantsOf(earned, [reviewAt(dueMs(0) - 2, 5_000), reviewAt(dueMs(0) - 1, 100)])), [100, 100, 100], "two before the first month");
    assert.deepEqual(granted(grantsOf(earned, [reviewAt(dueMs(0) - 1, 100), reviewAt(dueMs(0), 200), reviewAt(dueMs(1) - 1, 300)])), [300, 300, 300], "two more before the second, for what waits of the first");
    assert.deepEqual(granted(grantsOf(earned, [reviewAt(dueMs(0), 100)])), [350, 100, 100], "at the moment at which it is due");
    assert.deepEqual(granted(grantsOf(earned, [reviewAt(months[0]!.endMs, 100)])), [100, 100, 100], "after its end, before it is due");
  });

  it("of an account that was paid before is everything up to that month, and its best month since, whenever the upgrade was", () => {
    const upgrade: Review = { atMs: dueMs(3), monthlyMicroUsd: 900 * usd, grantedThrough: "2026-02" };
    assert.deepEqual(granted(grantsOf([400 * usd, 900 * usd, 1_000 * usd, 500 * usd], [upgrade])), [400, 900, 900, 600]);
    assert.deepEqual(granted(grantsOf([400 * usd, 900 * usd, 1_000 * usd, 500 * usd])), [350, 700, 1_250, 500], "one that never was is limited from its first month on");
  });

  it("is never taken back by a review, and the suggested sum is the smallest that leaves nothing waiting", () => {
    fc.assert(
      fc.property(earnings, someReviews, fc.integer({ min: 0, max: 40_000 * usd }), (confirmed, reviews, sum) => {
        const known = reviews.filter(({ atMs }) => atMs < dueMs(confirmed.length - 1));
        const before = grantsOf(confirmed, known);
        const after = (monthlyMicroUsd: number) => grantsOf(confirmed, [...known, { atMs: dueMs(confirmed.length - 1), monthlyMicroUsd, grantedThrough: null }]);
        assert.deepEqual(after(sum).months.slice(0, -1), before.months.slice(0, -1));
        assert.ok(after(sum).grantedMicroUsd >= before.grantedMicroUsd);
        const suggested = suggestMonthlyMicroUsd(before);
        assert.equal(after(suggested).waitingMicroUsd, 0);
        if (before.waitingMicroUsd > 0) assert.equal(after(suggested - 1).waitingMicroUsd, 1);
      }),
    );
  });

  it("grows with what is earned: more in any month never means less granted in all", () => {
    fc.assert(
      fc.property(earnings, someReviews, fc.nat(23), fc.integer({ min: 0, max: 1_000 * usd }), fc.integer({ min: 1, max: 31 }), (confirmed, reviews, at, more, startDay) => {
        const raised = confirmed.map((each, index) => (index === at % confirmed.length ? each + more : each));
        assert.ok(grantsOf(raised, reviews, startDay).grantedMicroUsd >= grantsOf(confirmed, reviews, startDay).grantedMicroUsd);
      }),
    );
  });
});

describe("what growth grants to linked accounts", () => {
  const find = (accounts: readonly GrowingAccount[], earlierOf: ReadonlyMap<string, ReadonlySet<string>> = linkAll(accounts), monthsDue = 12) =>
    findGrants(accounts, { months: months.slice(0, monthsDue), unreviewedMonthlyMicroUsd: monthly, earlierOf });
  const sumOf = (found: ReadonlyMap<string, Grants>, index: number) => [...found.values()].reduce((sum, each) => sum + each.months[index]!.grantedMicroUsd, 0);

  it("is together no more than one account gets: 50 with one payee share 350 USD, then at most 700, and 3,500 in all [threat: account-farm]", () => {
    const farm = Array.from({ length: 50 }, (_, index) => accountOf(Array.from({ length: 12 }, () => 340 * usd), [], `acc_${String(index).padStart(2, "0")}`));
    const early = find(farm, linkAll(farm), 3);
    assert.deepEqual([0, 1, 2].map((index) => sumOf(early, index) / usd), [350, 680, 680]);
    const found = find(farm);
    assert.equal([...found.values()].reduce((sum, each) => sum + each.grantedMicroUsd, 0), 10 * monthly);
    assert.deepEqual(granted(found.get("acc_00")!), granted(grantsOf(Array.from({ length: 12 }, () => 340 * usd))), "the first one has all that it would have alone");
  });

  it("is 1,050 USD together within 90 days of the first one's first earnings, and draws on what that one leaves [threat: last-day-start]", () => {
    const farm = Array.from({ length: 20 }, (_, index) => accountOf([340, 340, 340, 340].map((each) => each * usd), [], `acc_${String(index).padStart(2, "0")}`, 31));
    assert.deepEqual([0, 1, 2].map((index) => sumOf(find(farm, linkAll(farm), 4), index) / usd), [340, 340, 370], "what the first may yet claim is left to it");
    const idle = [accountOf([0, 0, 0], [], "acc_00"), ...farm.slice(1)];
    assert.ok([0, 1, 2].reduce((sum, index) => sum + sumOf(find(idle, linkAll(idle), 4), index), 0) <= 3 * monthly, "the first never earned");
  });

  it("is 1,050 USD together within 90 days of the earliest earnings, as the months were paid one after the other [threat: last-day-start]", () => {
    const someone = fc.record({ startMonth: fc.integer({ min: 0, max: 2 }), startDay: fc.integer({ min: 1, max: 28 }), confirmed: earnings });
    const tricky = { startDay: 28, confirmed: [0, 0, 5 * monthly, 5 * monthly, 5 * monthly] };
    const [first, second] = [{ ...tricky, startMonth: 0 }, { ...tricky, startMonth: 0, confirmed: [monthly, monthly, 5 * monthly] }];
    fc.assert(
      fc.property(fc.array(someone, { minLength: 2, maxLength: 4 }), fc.constantFrom("all", "star", "ring"), (some, links) => {
        const dueInAll = 6;
        const until = (count: number) =>
          some.map(({ startMonth, startDay, confirmed }, index) => {
            const earned = [...Array.from({ length: startMonth }, () => 0), ...confirmed].slice(0, count);
            return accountOf([...earned, ...Array.from({ length: count - earned.length }, () => 0)], [], `acc_${index}`, startDay);
          });
        const ids = until(1).map(({ accountId }) => accountId);
        const linksOf = { all: linkAll(until(1)), star: new Map(ids.map((id, index) => [id, new Set(index === 0 ? [] : ["acc_0"])])), ring: new Map(ids.map((id) => [id, new Set(ids.filter((other) => other !== id))])) };
        const firstMs = Math.min(...until(dueInAll).map((account) => account.firstEarnedMs ?? Number.POSITIVE_INFINITY));
        const paid = new Map<string, number>();
        for (let count = 1; count <= dueInAll && dueMs(count - 1) <= firstMs - (firstMs % msPerDay) + 90 * msPerDay; count += 1) {
          for (const [accountId, { grantedMicroUsd }] of find(until(count), linksOf[links], count)) {
            const before = paid.get(accountId) ?? 0;
            if (links !== "star") assert.ok(grantedMicroUsd >= before, "nothing need be set off");
            paid.set(accountId, Math.max(before, grantedMicroUsd));
          }
        }
        assert.ok([...paid.values()].reduce((sum, each) => sum + each, 0) <= 3 * monthly);
      }),
      { numRuns: 300, examples: [[[first, second], "all"], [[{ ...first, startMonth: 1 }, second], "all"], [[first, second, second], "star"]] },
    );
  });

  it("of a later one is a month late at most where the first one never earns, and the rest follows", () => {
    const idle = accountOf([0, 0, 0, 0, 0], [], "acc_0");
    const later = (startDay: number) => granted(find([idle, accountOf([300, 300, 300, 300, 300].map((each) => each * usd), [], "acc_1", startDay)], undefined, 5).get("acc_1")!);
    assert.deepEqual(later(1), [300, 300, 300, 300, 300], "two months become payable within its first 90 days");
    assert.deepEqual(later(31), [0, 350, 350, 350, 350], "three do");
    const steady = accountOf(Array.from({ length: 6 }, () => 300 * usd), [], "acc_0");
    const afterMonths = accountOf([0, 0, 0, 300, 300, 300].map((each) => each * usd), [], "acc_1", 31);
    assert.deepEqual(granted(find([steady, afterMonths], undefined, 6).get("acc_1")!), [0, 0, 0, 300, 300, 300], "it does not wait for one that has earned for long");
  });

  it("does not depend on accounts that came later, and never is more than the account would get alone", () => {
    const group = fc.array(fc.record({ confirmed: earnings, reviews: someReviews }), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(group, (some) => {
        const accounts = some.map(({ confirmed, reviews }, index) => accountOf(confirmed.slice(0, 12), reviews, `acc_${index}`));
        const all = find(accounts);
        const withoutLast = find(accounts.slice(0, -1));
        for (const { accountId } of accounts.slice(0, -1)) assert.deepEqual(all.get(accountId), withoutLast.get(accountId));
        const last = accounts.at(-1)!;
        assert.ok(all.get(last.accountId)!.grantedMicroUsd <= find([last]).get(last.accountId)!.grantedMicroUsd);
      }),
    );
  });

  it("is bounded in every month by the first account's allowance, and by 3,500 USD in all, whichever of them earns and whether they know each other or only the first", () => {
    fc.assert(
      fc.property(fc.array(earnings, { minLength: 3, maxLength: 5 }), fc.boolean(), (some, isStar) => {
        const accounts = some.map((confirmed, index) => accountOf(confirmed.slice(0, 12), [], `acc_${index}`));
        const star = new Map(accounts.map(({ accountId }, index) => [accountId, new Set(index === 0 ? [] : ["acc_0"])]));
        const found = find(accounts, isStar ? star : linkAll(accounts));
        for (const [index, { allowedMicroUsd }] of found.get("acc_0")!.months.entries()) assert.ok(sumOf(found, index) <= allowedMicroUsd);
        assert.ok([...found.values()].reduce((sum, each) => sum + each.grantedMicroUsd, 0) <= 10 * monthly);
      }),
      // One month in which both of the others earn the whole allowance, and a year in which each earns half of it.
      { examples: [[[[0], [monthly], [monthly]], true], [[[0], ...Array.from({ length: 2 }, () => Array.from({ length: 12 }, () => monthly / 2))], true]] },
    );
  });

  it("is an account's own sum once it is reviewed itself, and no more than its own limit beside a reviewed one", () => {
    const first = accountOf([10_000 * usd], [review(0, 10_000)], "acc_0");
    const taxNumberOfAnother = accountOf([9_000 * usd], [], "acc_1");
    assert.equal(find([accountOf([0], [review(0, 10_000)], "acc_0"), taxNumberOfAnother]).get("acc_1")!.months[0]!.grantedMicroUsd, 350 * usd);
    assert.equal(find([first, taxNumberOfAnother]).get("acc_1")!.months[0]!.grantedMicroUsd, 0, "nothing is left");
    assert.equal(find([first, { ...taxNumberOfAnother, reviews: [review(0, 500)] }]).get("acc_1")!.months[0]!.grantedMicroUsd, 500 * usd);
  });

  it("in all is what the first account left, month after month, and as much as its months leave once it is reviewed", () => {
    const idle = (length: number) => Array.from({ length }, () => 0);
    const later = accountOf([...idle(10), monthly, monthly], [], "acc_1");
    const grantedLater = (first: GrowingAccount) => granted(find([first, later]).get("acc_1")!).slice(10);
    assert.deepEqual(grantedLater(accountOf(Array.from({ length: 10 }, () => 340 * usd), [], "acc_0")), [100, 0], "3,400 USD of 3,500 were granted to the first");
    assert.deepEqual(grantedLater(accountOf([10 * monthly], [review(8, 1_000)], "acc_0")), [350, 350], "all of 3,500 USD, but it was reviewed since");
  });

  it("goes by who was first, not by ids", () => {
    const accounts = ["acc_a", "acc_m", "acc_z"].map((accountId) => accountOf([1_000 * usd], [], accountId));
    const found = find(accounts, new Map([["acc_a", new Set(["acc_m", "acc_z"])], ["acc_m", new Set(["acc_z"])]]));
    assert.deepEqual(["acc_z", "acc_m", "acc_a"].map((id) => granted(found.get(id)!)[0]), [350, 0, 0]);
  });

  it("is shared in a ring of links too, where two marks were entered in opposite orders: the smaller id is first, in whatever order they are read", () => {
    const ring = ["acc_a", "acc_b"].map((accountId) => accountOf([1_000 * usd], [], accountId));
    const links = new Map([["acc_a", new Set(["acc_b"])], ["acc_b", new Set(["acc_a"])]]);
    for (const accounts of [ring, ring.toReversed()]) {
      const found = find(accounts, links);
      assert.deepEqual(["acc_a", "acc_b"].map((id) => granted(found.get(id)!)[0]), [350, 0]);
    }
  });
});
