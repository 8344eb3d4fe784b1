import { currentModel } from "@assay/scoring/current-model.ts";
import fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { waterfallOf } from "./waterfall.ts";

const signals = fc.record(
  {
    user_engagement: fc.double({ min: 0, max: 1, noNaN: true }),
    session_duration: fc.nat(100_000),
    scroll_depth: fc.double({ min: 0, max: 1, noNaN: true }),
    interaction_count: fc.nat(5_000),
    page_views: fc.nat(500),
    return_visitor: fc.boolean(),
  },
  { requiredKeys: [] },
);

describe("waterfall", () => {
  it("leads from the base value to the score without a gap", () => {
    fc.assert(
      fc.property(signals, (given) => {
        const explanation = currentModel.explain(given);
        const steps = waterfallOf(explanation);
        assert.ok(steps.length > 0);
        assert.equal(steps[0]?.from, explanation.baseValue);
        for (const [index, step] of steps.entries()) {
          assert.equal(step.to, step.from + step.points);
          if (index > 0) assert.equal(step.from, steps[index - 1]?.to);
        }
        assert.equal(steps.at(-1)?.to, explanation.unroundedScore);
      }),
    );
  });

  it("labels signals, pairs and the plausibility gate", () => {
    const steps = waterfallOf({
      baseValue: 50,
      contributions: [
        { signal: "user_engagement×session_duration", points: 1 },
        { signal: "plausibility", points: -2 },
      ],
    });
    assert.deepEqual(steps.map(({ label }) => label), ["Engagement × Duration", "Plausibility gate"]);
  });
});
