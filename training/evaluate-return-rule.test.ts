import assert from "node:assert/strict";
import { it } from "node:test";
import { evaluateReturnRule } from "./evaluate-return-rule.ts";
import { seededRandom } from "./random.ts";
import type { Session } from "./read-sessions.ts";

/** Sessions whose outcome depends on nothing but who returned. */
function shoppers(goodWhenReturning: number, goodWhenNew: number): Session[] {
  const random = seededRandom(13);
  return Array.from({ length: 1_200 }, (_, index) => {
    const returning = random() < 0.5;
    const label = random() < (returning ? goodWhenReturning : goodWhenNew) ? 1 : 0;
    const signals = { session_duration: 600 * random(), page_views: Math.floor(20 * random()), return_visitor: returning };
    return { rowId: String(index), signals, label, task: "engaged", source: "made up" };
  });
}

it("where returning visitors do worse, keeping the promise costs what boosting loses when it is blind", () => {
  const { kept, turned, boosting, boostingBlind } = evaluateReturnRule(shoppers(0.3, 0.7));
  assert.ok(turned - kept > 0.1, `${turned} ${kept}`);
  assert.ok(boosting - boostingBlind > 0.1, `${boosting} ${boostingBlind}`);
});

it("where returning visitors do better, the model that keeps the promise uses it", () => {
  const { kept, turned, boostingBlind } = evaluateReturnRule(shoppers(0.7, 0.3));
  assert.ok(kept - turned > 0.1, `${kept} ${turned}`);
  assert.ok(kept - boostingBlind > 0.1, `${kept} ${boostingBlind}`);
});
