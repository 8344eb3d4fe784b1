import assert from "node:assert/strict";
import { it } from "node:test";
import { evaluateReturnRule } from "./evaluate-return-rule.ts";
import { seededRandom } from "./random.ts";
import type { Session } from "./read-sessions.ts";

/** Sessions whose outcome depends only on whether the visitor returned. */
function shoppers(goodWhenReturning: number, goodWhenNew: number): Session[] {
  const random = seededRandom(13);
  return Array.from({ length: 1_200 }, (_, index) => {
    const returning = random() < 0.5;
    const label = random() < (returning ? goodWhenReturning : goodWhenNew) ? 1 : 0;
    const signals = { session_duration: 600 * random(), page_views: Math.floor(20 * random()), return_visitor: returning };
    return { rowId: String(index), signals, label, task: "engaged", source: "synthetic" };
  });
}

it("the rule costs what boosting loses without return_visitor if returning visitors do worse", () => {
  const { withRule, reversed, boosting, boostingWithoutReturn } = evaluateReturnRule(shoppers(0.3, 0.7));
  assert.ok(reversed - withRule > 0.1, `${reversed} ${withRule}`);
  assert.ok(boosting - boostingWithoutReturn > 0.1, `${boosting} ${boostingWithoutReturn}`);
});

it("the rule costs nothing if returning visitors do better: the model uses the signal", () => {
  const { withRule, reversed, boostingWithoutReturn } = evaluateReturnRule(shoppers(0.7, 0.3));
  assert.ok(withRule - reversed > 0.1, `${withRule} ${reversed}`);
  assert.ok(withRule - boostingWithoutReturn > 0.1, `${withRule} ${boostingWithoutReturn}`);
});
