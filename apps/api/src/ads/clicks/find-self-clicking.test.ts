import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createSeededRandom } from "../../../test/faults/rig/seeded-random.ts";
import { msPerHour } from "../../formats/time.ts";
import { betaBinomialTail, falseAlarmRate, findSelfClicking, type PlacementCount, probabilityOfSoEven, usualRateOf } from "./find-self-clicking.ts";

const weekMs = 168 * msPerHour;

const seeded = (seed: number) => createSeededRandom(seed).next;

function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Honest sites: rates differ by a factor of two and more, traffic by a hundred, and most of it is in the evening. */
function drawHonestAccount(index: number, random: () => number): { count: PlacementCount; clickedAtMs: number[] } {
  const impressions = Math.floor(200 * 10 ** (random() * 2));
  const rate = Math.min(0.2, 0.01 * Math.exp(0.6 * gaussian(random)));
  let clicks = 0;
  const clickedAtMs: number[] = [];
  for (let each = 0; each < impressions; each += 1) {
    if (random() >= rate) continue;
    clicks += 1;
    const day = Math.floor(random() * 7);
    const hour = random() < 0.6 ? 17 + random() * 6 : random() * 24;
    clickedAtMs.push((day * 24 + hour) * msPerHour);
  }
  return { count: { accountId: `acct_${index}`, placement: "feed", impressions, clicks }, clickedAtMs: clickedAtMs.toSorted((a, b) => a - b) };
}

function drawTown(accounts: number, random: () => number) {
  const drawn = Array.from({ length: accounts }, (_, index) => drawHonestAccount(index, random));
  return { drawn, counts: drawn.map((each) => each.count) };
}

describe("findings about clicks", () => {
  it("computes tails that equal the sum of the distribution term by term", () => {
    // With mean 1/2 and spread 2 the rate is uniform, and every number of hits is equally likely.
    for (const hits of [0, 1, 5, 10]) {
      const tail = betaBinomialTail({ hits, trials: 10 }, { mean: 0.5, spread: 2 });
      assert.ok(Math.abs(tail - (11 - hits) / 11) < 1e-12, `${hits}: ${tail}`);
    }
    // With an enormous spread the rate is fixed: P(X >= 3), ten throws at 0.1.
    const binomial = 1 - 0.9 ** 10 - 10 * 0.1 * 0.9 ** 9 - 45 * 0.01 * 0.9 ** 8;
    const tail = betaBinomialTail({ hits: 3, trials: 10 }, { mean: 0.1, spread: 1e9 });
    assert.ok(Math.abs(tail - binomial) < 1e-6, `${tail} is not ${binomial}`);
  });

  it("stays below the false alarm rate on honest accounts", () => {
    const random = seeded(20_261);
    let accounts = 0;
    let alarms = 0;
    for (let town = 0; town < 10; town += 1) {
      const { drawn, counts } = drawTown(300, random);
      for (const { count, clickedAtMs } of drawn) {
        // Skips accounts with nothing to test: they cannot raise an alarm.
        accounts += 1;
        if (findSelfClicking({ accountId: count.accountId, clickedAtMs }, counts, random).length > 0) alarms += 1;
      }
    }
    // 3 alarms expected among 3,000 at the promised rate; 10 would happen once in a thousand runs.
    assert.ok(alarms <= 10, `${alarms} false alarms among ${accounts} honest accounts at a promised rate of ${falseAlarmRate}`);
  });

  it("finds an account that clicks its own ads, in 95 of 100 simulations [threat: fake-click]", () => {
    const random = seeded(7);
    let found = 0;
    for (let town = 0; town < 100; town += 1) {
      const { counts } = drawTown(40, random);
      const cheat: PlacementCount = { accountId: "cheat", placement: "feed", impressions: 400, clicks: 120 };
      const clickedAtMs = Array.from({ length: 120 }, () => random() * weekMs);
      const findings = findSelfClicking({ accountId: "cheat", clickedAtMs }, [...counts, cheat], random);
      if (findings.some((each) => each.code === "click_rate_too_high")) found += 1;
    }
    assert.ok(found >= 95, `found in ${found} of 100`);
  });

  it("finds a timer behind a modest click rate, and not the same clicks at random times", () => {
    const random = seeded(11);
    const { counts } = drawTown(40, random);
    const modest: PlacementCount = { accountId: "timer", placement: "feed", impressions: 4_000, clicks: 40 };
    const timed = Array.from({ length: 40 }, (_, index) => index * 600_000 + random() * 60_000);
    const codesOf = (clickedAtMs: number[]) =>
      findSelfClicking({ accountId: "timer", clickedAtMs }, [...counts, modest], random).map((each) => each.code);
    assert.deepEqual(codesOf(timed), ["clicks_too_regular"]);
    assert.deepEqual(codesOf(timed.map(() => random() * weekMs)), []);
  });

  it("does not mistake rush hours for a timer", () => {
    const random = seeded(3);
    const rush = Array.from({ length: 60 }, () => 18 * msPerHour + random() * random() * msPerHour);
    assert.ok(probabilityOfSoEven(rush, random) > 0.5);
  });

  it("tolerates more in a placement where honest rates vary widely", () => {
    const alike = Array.from({ length: 30 }, (_, index): PlacementCount => ({ accountId: `a${index}`, placement: "feed", impressions: 10_000, clicks: 100 }));
    const wide = alike.map((each, index) => ({ ...each, clicks: index % 2 === 0 ? 20 : 180 }));
    assert.ok(usualRateOf(alike).spread > usualRateOf(wide).spread);
  });
});
