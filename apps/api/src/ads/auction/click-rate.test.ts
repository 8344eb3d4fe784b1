import fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { betaQuantile } from "../../../test/ads/auction/beta-quantile.ts";
import { makeCampaign, makeRequest, makeSnapshot } from "../../../test/ads/auction/make-campaign.ts";
import { createSeededRandom } from "../../../test/faults/rig/seeded-random.ts";
import { toBelief, learnClickRates } from "./click-rate.ts";
import { decide } from "./decide.ts";
import { normalQuantile, takeSeed, uniformOf } from "./draws.ts";
import { eachLuckySlot, shareAbove } from "./find-best.ts";
import { cautiousRate, expectedRate, rateAt, rateCurvesOf } from "./rate-curve.ts";
import type { ClickHistory } from "./snapshot.ts";

const creative = (id: string) => ({ id, format: "banner" as const });
const feed = { placement: "feed", category: "" } as const;
const row = (creativeId: string, impressions: number, clicks: number, where: Partial<ClickHistory> = {}): ClickHistory => ({ creativeId, ...feed, impressions, clicks, ...where });

describe("a click rate estimate", () => {
  it("is drawn within 8% of the exact Beta quantile from the 10th to the 99.99th percentile, and closer with more clicks", () => {
    const beliefs = [
      { alpha: 1, beta: 199, off: 0.08 },
      { alpha: 1, beta: 9, off: 0.08 },
      { alpha: 2, beta: 300, off: 0.03 },
      { alpha: 5, beta: 1_000, off: 0.015 },
      { alpha: 60, beta: 3_000, off: 0.001 },
      { alpha: 4_000, beta: 90_000, off: 0.0001 },
    ];
    for (const { off, ...belief } of beliefs) {
      const curves = rateCurvesOf([belief]);
      for (const share of [0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 0.9999]) {
        const exact = betaQuantile(belief.alpha, belief.beta, share);
        const drawn = rateAt(curves, 0, normalQuantile(share));
        assert.ok(Math.abs(drawn / exact - 1) <= off, `Beta(${belief.alpha}, ${belief.beta}) at ${share}: ${drawn}, exactly ${exact}`);
      }
    }
  });

  it("rises with the draw and stays between 0 and 1, exclusive", () => {
    const belief = fc.record({ alpha: fc.double({ min: 1, max: 1e6, noNaN: true }), beta: fc.double({ min: 9, max: 1e8, noNaN: true }) });
    fc.assert(
      fc.property(belief, fc.double({ min: -7, max: 7, noNaN: true }), fc.double({ min: 1e-3, max: 3, noNaN: true }), (each, score, more) => {
        const curves = rateCurvesOf([each]);
        const [low, high] = [rateAt(curves, 0, score), rateAt(curves, 0, score + more)];
        assert.ok(low > 0 && high < 1 && low <= high * (1 + 1e-12), `${low} at ${score}, ${high} at ${score + more}`);
      }),
      { numRuns: 5_000, seed: 3 },
    );
  });

  it("is drawn without bias: lucky and other draws together have the right distribution", () => {
    const random = createSeededRandom(4);
    const [size, rounds, luckyShare, slot] = [50, 40_000, 0.07, 31];
    const tenths = Array.from({ length: 10 }, () => 0);
    let lucky = 0;
    for (let round = 0; round < rounds; round += 1) {
      const seed = takeSeed(random.next);
      let isLucky = false;
      eachLuckySlot(seed, { luckyShare, size }, (each) => void (isLucky ||= each === slot));
      lucky += Number(isLucky);
      tenths[Math.floor(10 * shareAbove(uniformOf(seed, 77), isLucky, luckyShare))]! += 1;
    }
    const spread = 5 * Math.sqrt(rounds * 0.1 * 0.9);
    for (const [tenth, count] of tenths.entries()) assert.ok(Math.abs(count - rounds / 10) < spread, `tenth ${tenth}: ${count} of ${rounds}`);
    assert.ok(Math.abs(lucky - rounds * luckyShare) < 5 * Math.sqrt(rounds * luckyShare), `${lucky} lucky of ${rounds}`);
  });

  it("has a margin above its mean that shrinks with more clicks", () => {
    const over = (alpha: number) => cautiousRate({ alpha, beta: 199 * alpha }) / expectedRate({ alpha, beta: 199 * alpha });
    assert.deepEqual([1, 100, 10_000].map(over).map((ratio) => Math.round(ratio * 100) / 100), [2.49, 1.15, 1.01]);
  });

  it("starts at the typical rate, then moves to the rate of the campaign, the creative and the context", () => {
    const campaign = makeCampaign("it", { creatives: [creative("a"), creative("b")] });
    const other = makeCampaign("other", { creatives: [creative("x")] });
    const rateOf = (history: readonly ClickHistory[]) => expectedRate(learnClickRates([campaign, other], history).estimate(campaign, "a", feed));
    const usual = rateOf([]);
    assert.ok(Math.abs(usual - 0.005) < 1e-9, `${usual}`);
    const everywhere = rateOf([row("x", 100_000, 2_000)]);
    assert.ok(everywhere > 2 * usual && everywhere < 0.02, `others' history: ${everywhere}`);
    const sibling = rateOf([row("x", 100_000, 2_000), row("b", 20_000, 1_000)]);
    assert.ok(sibling > 0.04 && sibling < 0.05, `a sibling's history: ${sibling}`);
    const elsewhere = rateOf([row("x", 100_000, 2_000), row("b", 20_000, 1_000), row("a", 20_000, 200, { placement: "sidebar" })]);
    assert.ok(elsewhere > 0.01 && elsewhere < 0.012, `its own history in another placement: ${elsewhere}`);
    const here = rateOf([row("a", 20_000, 200, { placement: "sidebar" }), row("a", 10_000, 700)]);
    assert.ok(here > 0.068 && here < 0.07, `its own history here: ${here}`);
  });

  it("counts no click twice", () => {
    const campaign = makeCampaign("it", { creatives: [creative("a")] });
    const { alpha, beta } = learnClickRates([campaign], [row("a", 1_000, 30)]).estimate(campaign, "a", feed);
    // The prior is one click at the overall rate, (10 + 30) of (2,000 + 1,000), and counts these clicks nowhere else.
    assert.deepEqual([alpha, alpha + beta].map(Math.round), [31, 1_000 + 75]);
  });

  it("learns the same ones of categories that are seen equally often, in whatever order a node reads them", () => {
    const campaign = makeCampaign("it", { creatives: [creative("a")] });
    const history = Array.from({ length: 100 }, (_, index) => row("a", 10, 0, { category: `made-up-${String(index).padStart(2, "0")}` }));
    const learnt = (rows: readonly ClickHistory[]) => [...learnClickRates([campaign], rows).categories].toSorted();
    assert.deepEqual(learnt(history), history.slice(0, 64).map(({ category }) => category));
    assert.deepEqual(learnt(history.toReversed()), learnt(history));
  });

  it("learns targeted categories separately, and a bounded number of those that callers invent", () => {
    const campaign = makeCampaign("it", { creatives: [creative("a")], categories: ["chosen"] });
    const history = Array.from({ length: 500 }, (_, index) => row("a", index + 1, 0, { category: `made-up-${index}` }));
    const { categories, estimate } = learnClickRates([campaign], history);
    assert.equal(categories.size, 65);
    assert.ok(categories.has("chosen") && categories.has("made-up-499") && !categories.has("made-up-0"));
    const { beta } = estimate(campaign, "a", feed);
    assert.ok(beta > 436 * 218, "what is not kept apart is learnt together");
  });

  it("stays within the bounds that draws need, for any history", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 0.9, noNaN: true }), fc.nat(10_000), fc.nat(10_000), (rate, impressions, clicks) => {
        const { alpha, beta } = toBelief(rate, { impressions, clicks });
        assert.ok(alpha >= 1 - 1e-9 && beta >= 9 - 1e-9, `Beta(${alpha}, ${beta})`);
      }),
      { seed: 5 },
    );
  });
});

/** Impressions within which the better creative is found. */
const impressionsToLearn = 2_000;

/** How many of the last 500 impressions before `impressions` showed the creative with 3% rather than the one with 1%. */
function shareOfBetter(seed: number, impressions: number): number {
  const random = createSeededRandom(seed);
  const campaign = makeCampaign("it", { creatives: [creative("better"), creative("worse")] });
  const seen = { better: row("better", 0, 0), worse: row("worse", 0, 0) };
  let better = 0;
  let snapshot = makeSnapshot([campaign]);
  for (let shown = 0; shown < impressions; shown += 1) {
    if (shown % 20 === 0) snapshot = makeSnapshot([campaign], { history: Object.values(seen) });
    const decision = decide(snapshot, makeRequest(random.next));
    assert.ok(decision.kind === "offer");
    const id = decision.creative.id as "better" | "worse";
    seen[id].impressions += 1;
    if (random.isTrue(id === "better" ? 0.03 : 0.01)) seen[id].clicks += 1;
    if (shown >= impressions - 500 && id === "better") better += 1;
  }
  return better / 500;
}

describe("learning", () => {
  it(`shows the better of two creatives (3% to 1%) at least four times in five after ${impressionsToLearn} impressions, in 95 of 100 runs`, () => {
    const found = Array.from({ length: 100 }, (_, index) => shareOfBetter(index + 1, impressionsToLearn)).filter((share) => share >= 0.8).length;
    assert.ok(found >= 95, `found in ${found} of 100 runs`);
  });
});
