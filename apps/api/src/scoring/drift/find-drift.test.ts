import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Change, drawWeeks, type Habits, usualHabits } from "../../../test/scoring/draw-weeks.ts";
import { type Binned, type ComparedName, comparedNames } from "./bin-day.ts";
import { findChange } from "./find-drift.ts";

type Site = { sessionsPerWeek: number; habits?: Habits; change?: Change };

const changeOf = (days: ReturnType<typeof drawWeeks>, name: ComparedName) => findChange(days.map(({ of }) => of[name]));

/** In how many of the accounts at least one of the names is reported as changed. */
function countFound(accounts: number, site: Site, names: readonly ComparedName[] = comparedNames): number {
  let found = 0;
  for (let seed = 1; seed <= accounts; seed += 1) {
    const days = drawWeeks({ ...site, seed: 7_919 * seed });
    if (names.some((name) => changeOf(days, name))) found += 1;
  }
  return found;
}

describe("a week without drift", () => {
  const sites: Site[] = [
    { sessionsPerWeek: 700 },
    { sessionsPerWeek: 2_000 },
    // Days differ much, and one in ten is a campaign.
    { sessionsPerWeek: 1_500, habits: { dayNoise: 0.12, weekNoise: 0.02, campaigns: 0.1 } },
    // Weeks differ much.
    { sessionsPerWeek: 1_500, habits: { dayNoise: 0.03, weekNoise: 0.08, campaigns: 0.03 } },
  ];

  it("is reported for at most one account in a hundred, with weekdays, campaigns and noise of days and weeks", () => {
    const found = sites.map((site) => countFound(50, site));
    assert(found.reduce((sum, each) => sum + each) <= sites.length / 2, `${found.join(", ")} of 50 each`);
  });

  it("is not reported for two odd days, however odd they are", () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const days = drawWeeks({ seed, sessionsPerWeek: 5_000, habits: { ...usualHabits, campaigns: 0 }, change: { interactionsMissing: 0.95, robots: 0.6, fromDay: 5 } });
      assert.deepEqual(comparedNames.filter((name) => changeOf(days, name)), [], `seed ${seed}`);
    }
  });
});

describe("a week with drift is reported for at least nine accounts in ten", () => {
  const accounts = 10;
  const wanted = 9;
  const cases: [string, Site, ComparedName][] = [
    ["where a signal is missing in 40% of the sessions, 5% before, in 700 sessions a week", { sessionsPerWeek: 700, change: { interactionsMissing: 0.4 } }, "interaction_count"],
    ["and on the fourth day of it", { sessionsPerWeek: 1_500, change: { interactionsMissing: 0.4, fromDay: 3 } }, "interaction_count"],
    ["where a quarter of the sessions are robots', 5% before, in 3,000 sessions a week", { sessionsPerWeek: 3_000, change: { robots: 0.25 } }, "service_score"],
    ["where durations are spread less around the same median", { sessionsPerWeek: 1_500, change: { durationSpreadFactor: 0.4 } }, "session_duration"],
    ["where the median falls by 30%, in 10,000 sessions a week", { sessionsPerWeek: 10_000, change: { durationFactor: 0.7 } }, "session_duration"],
    ["where the median rises by 30%, in 20,000 sessions a week", { sessionsPerWeek: 20_000, change: { durationFactor: 1.3 } }, "session_duration"],
  ];
  for (const [name, site, compared] of cases) {
    it(name, () => {
      const found = countFound(accounts, site, [compared]);
      assert(found >= wanted, `${found} of ${accounts}`);
    });
  }

  it("says what changed, and in which direction", () => {
    const missing = drawWeeks({ seed: 3, sessionsPerWeek: 3_000, change: { interactionsMissing: 0.4 } });
    assert.deepEqual(changeOf(missing, "interaction_count"), { aspect: "missing", direction: 1 });
    assert.equal(changeOf(missing, "page_views"), undefined);
    const shorter = drawWeeks({ seed: 3, sessionsPerWeek: 3_000, change: { durationFactor: 0.5 } });
    assert.deepEqual(changeOf(shorter, "session_duration"), { aspect: "level", direction: -1 });
    const narrower = drawWeeks({ seed: 3, sessionsPerWeek: 3_000, change: { durationSpreadFactor: 0.3 } });
    assert.deepEqual(changeOf(narrower, "session_duration"), { aspect: "shape", direction: 1 });
  });
});

describe("days made by hand", () => {
  const even = (sessions: number, missing: number): Binned => ({ missing, present: sessions - missing, bins: Float64Array.of((sessions - missing) / 2, (sessions - missing) / 2) });
  const weeks = (before: (day: number) => Binned, now: Binned) => Array.from({ length: 35 }, (_, day) => (day < 28 ? before(day) : now));

  it("a change that is certain but too small to act on is not reported", () => {
    assert.equal(findChange(weeks(() => even(1_000_000, 50_000), even(1_000_000, 80_000))), undefined);
    assert.deepEqual(findChange(weeks(() => even(1_000_000, 50_000), even(1_000_000, 120_000))), { aspect: "missing", direction: 1 });
    assert.deepEqual(findChange(weeks(() => even(1_000_000, 120_000), even(1_000_000, 50_000))), { aspect: "missing", direction: -1 });
  });

  it("a difference between weekdays is not a change", () => {
    const weekday = (day: number) => even(10_000, day % 7 < 5 ? 1_000 : 6_000);
    const usual = Array.from({ length: 35 }, (_, day) => weekday(day));
    assert.equal(findChange(usual), undefined);
    // The same share on all days, as on the mean of the weeks before.
    assert.deepEqual(findChange(usual.map((day, index) => (index < 28 ? day : even(10_000, 2_429)))), { aspect: "missing", direction: 1 });
  });

  it("weeks that always differed are usual", () => {
    const alternating = (day: number) => even(10_000, Math.floor(day / 7) % 2 === 0 ? 1_000 : 3_000);
    assert.equal(findChange(weeks(alternating, even(10_000, 3_500))), undefined);
    assert.deepEqual(findChange(weeks(alternating, even(10_000, 9_000))), { aspect: "missing", direction: 1 });
  });

  it("days that always differed are usual", () => {
    const restless = (day: number) => even(10_000, 500 + ((day * day * 7) % 9) * 500);
    assert.equal(findChange(weeks(restless, even(10_000, 4_000))), undefined);
    assert.deepEqual(findChange(weeks(restless, even(10_000, 9_000))), { aspect: "missing", direction: 1 });
  });

  it("a campaign's days among the days before neither hide a change nor make one", () => {
    const campaign = (day: number) => ([9, 10, 11].includes(day) ? even(90_000, 80_000) : even(10_000, 500));
    assert.equal(findChange(weeks(campaign, even(10_000, 500))), undefined);
    assert.deepEqual(findChange(weeks(campaign, even(10_000, 2_000))), { aspect: "missing", direction: 1 });
  });

  it("odd days count less where there were such days before", () => {
    const odd = even(10_000, 6_000);
    const usual = even(10_000, 500);
    const week = [odd, usual, odd, usual, odd, usual, odd];
    const from = (before: (day: number) => Binned) => [...Array.from({ length: 28 }, (_, day) => before(day)), ...week];
    assert.deepEqual(findChange(from(() => usual)), { aspect: "missing", direction: 1 });
    assert.equal(findChange(from((day) => ([3, 8, 19].includes(day) ? odd : usual))), undefined);
  });

  it("days with few sessions say nothing", () => {
    assert.equal(findChange(weeks(() => even(20, 0), even(20, 20))), undefined);
  });
});
