import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deviationsOfTrend, type Flatness, judgeGrowth } from "./rig/is-flat.ts";
import { createSeededRandom } from "./rig/seeded-random.ts";
import { longPlan, shortPlan, type SoakPlan } from "./rig/soak-plan.ts";

/** Per plan and measurement; at most one in a hundred may be judged wrongly. */
const seedCount = 300;
const wrongMax = seedCount / 100;

/** What a measurement looks like without a leak. Shares are of its level. */
type Shape = {
  levelMiB: number;
  /** Independent noise of each sample. */
  noise: number;
  /** Height of the saw-tooth of allocation and collection. */
  sawTooth: number;
  /** Rise that the warm-up did not cover; half of it is over after a tenth of the run. */
  warmUp: number;
};

/** As measured on three nodes, with more noise: garbage is collected before each sample, so little is left of the saw-tooth. */
const live: Shape = { levelMiB: 175, noise: 0.01, sawTooth: 0.005, warmUp: 0.015 };
/** Resident memory follows the heap's size, not its content. */
const resident: Shape = { levelMiB: 650, noise: 0.02, sawTooth: 0.1, warmUp: 0.06 };

const minutesLong = 30;
const plans: Record<string, SoakPlan> = { "the short form": shortPlan, "the form of 30 minutes": longPlan(minutesLong) };

/** One sample per round, as the soak takes them. */
function makeSeries(seed: number, plan: SoakPlan, { levelMiB, noise, sawTooth, warmUp }: Shape, leakMiBPerSecond = 0): number[] {
  const random = createSeededRandom(seed);
  const tooth = { length: random.between(3, 9), phase: random.next() };
  return Array.from({ length: plan.rounds }, (_, round) => {
    const warm = warmUp * (1 - 0.5 ** ((10 * round) / plan.rounds));
    const garbage = sawTooth * ((round / tooth.length + tooth.phase) % 1);
    const leakedMiB = (leakMiBPerSecond * round * plan.roundMs) / 1_000;
    return levelMiB * (1 + warm + garbage + noise * (random.next() - 0.5)) + leakedMiB;
  });
}

const judgeMany = (judge: (seed: number) => Flatness): Flatness[] => Array.from({ length: seedCount }, (_, index) => judge(index + 1));
const countFlat = (verdicts: readonly Flatness[]) => verdicts.filter(({ isFlat }) => isFlat).length;

describe("the soak's test for growth", () => {
  for (const [name, plan] of Object.entries(plans)) {
    it(`in ${name} raises hardly any false alarm about memory`, (t) => {
      for (const [what, shape] of Object.entries({ live, resident })) {
        const growthMax = plan.growthMax[what as "live" | "resident"];
        const alarms = seedCount - countFlat(judgeMany((seed) => judgeGrowth(makeSeries(seed, plan, shape), growthMax)));
        t.diagnostic(`${what}: ${alarms} false alarms in ${seedCount}`);
        assert.ok(alarms <= wrongMax, `${what}: ${alarms} false alarms`);
      }
    });
  }

  const perMinute = (share: number, { levelMiB }: Shape) => (share * levelMiB) / 60;
  const leaks: [name: string, shape: "live" | "resident", miBPerSecond: number][] = [
    ["the short form", "live", 1.5],
    ["the short form", "live", 5],
    ["the short form", "live", 20],
    ["the short form", "resident", 20],
    ["the form of 30 minutes", "live", perMinute(0.01, live)],
    ["the form of 30 minutes", "live", perMinute(0.005, live)],
    ["the form of 30 minutes", "resident", perMinute(0.01, resident)],
    ["the form of 30 minutes", "resident", perMinute(0.005, resident)],
  ];
  for (const [name, what, miBPerSecond] of leaks) {
    it(`in ${name} finds a leak of ${miBPerSecond.toFixed(3)} MiB/s in ${what} memory`, (t) => {
      const plan = plans[name]!;
      const missed = countFlat(judgeMany((seed) => judgeGrowth(makeSeries(seed, plan, { live, resident }[what], miBPerSecond), plan.growthMax[what])));
      t.diagnostic(`${missed} missed in ${seedCount}`);
      assert.ok(missed <= wrongMax, `${missed} of ${seedCount} leaks were missed`);
    });
  }

  it("ignores outliers, insignificant growth and decreases", () => {
    const many = longPlan(minutesLong);
    const spiky = makeSeries(1, many, live).map((value, index) => (index % 40 === 39 ? value * 50 : value));
    assert.equal(judgeGrowth(spiky, 0.1).isFlat, true);
    const steady = Array.from({ length: 100 }, (_, index) => 100 + index / 20);
    assert.equal(judgeGrowth(steady, 0.1).isFlat, true, "5% of growth are permitted");
    assert.equal(judgeGrowth(steady.toReversed(), 0).isFlat, true);
    assert.equal(judgeGrowth(Array<number>(30).fill(7), 0).isFlat, true);
  });

  it("refuses to judge so few samples that no growth could be significant", () => {
    const rising = (count: number) => Array.from({ length: count }, (_, index) => 1 + index);
    assert.throws(() => judgeGrowth(rising(9), 0.1), /too few/);
    assert.equal(judgeGrowth(rising(10), 0.1).isFlat, false);
  });

  it("counts rising and falling pairs alike", () => {
    const values = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5];
    assert.equal(deviationsOfTrend(values), -deviationsOfTrend(values.toReversed()));
    // 33 pairs rise and 17 fall; two values occur twice and one three times.
    assert.ok(Math.abs(deviationsOfTrend(values) - 15 / Math.sqrt((11 * 10 * 27 - 2 * (2 * 1 * 9) - 3 * 2 * 11) / 18)) < 1e-9);
  });
});
