import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { addTrials, logRatioOf, openBet } from "./bet-on-hits.ts";

type Trial = { p0: number; rate: number };

/** The exact mean of a bet over all outcomes of visits, each of which is seen `calls` times. */
function meanOf(visits: readonly Trial[], { calls = 1, perVisit = 1 } = {}): number {
  let mean = 0;
  for (let outcome = 0; outcome < 2 ** visits.length; outcome += 1) {
    const bet = openBet();
    let probability = 1;
    visits.forEach(({ p0, rate }, index) => {
      const isHit = ((outcome >> index) & 1) === 1;
      probability *= isHit ? rate : 1 - rate;
      addTrials(bet, { tested: calls, hits: isHit ? calls : 0, p0, perVisit });
    });
    mean += probability * Math.exp(logRatioOf(bet));
  }
  return mean;
}

const repeat = (trial: Trial, count = 10) => Array.from({ length: count }, () => trial);

describe("a bet on hits", () => {
  it("has a mean of exactly 1 at the boundary of the hypothesis", () => {
    for (const p0 of [0.1, 0.3, 0.5, 0.85, 0.985]) {
      const mean = meanOf(repeat({ p0, rate: p0 }));
      assert(Math.abs(mean - 1) < 1e-9, `${p0}: ${mean}`);
    }
  });

  it("has a mean of at most 1 at smaller rates, also where rate and boundary change from trial to trial", () => {
    assert(meanOf(repeat({ p0: 0.85, rate: 0.8 })) < 1);
    const changing = Array.from({ length: 10 }, (_, index) => ({ p0: [0.85, 0.97, 0.5][index % 3]!, rate: [0.85, 0.1, 0.5][index % 3]! }));
    assert(meanOf(changing) <= 1 + 1e-9);
  });

  it("grows at larger rates", () => {
    assert(meanOf(repeat({ p0: 0.85, rate: 0.99 })) > 2);
  });

  it("keeps its mean where one visit is seen three times, if it allows for that", () => {
    const visits = repeat({ p0: 0.85, rate: 0.85 }, 8);
    assert(meanOf(visits, { calls: 3, perVisit: 3 }) <= 1 + 1e-9);
    assert(meanOf(visits, { calls: 2, perVisit: 3 }) <= 1 + 1e-9);
    assert(meanOf(visits, { calls: 3, perVisit: 1 }) > 1.5);
  });
});
