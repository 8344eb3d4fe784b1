import assert from "node:assert/strict";
import { it } from "node:test";
import { aucOf } from "../packages/scoring/src/measure.ts";
import { aucInterval } from "./bootstrap.ts";
import { fitBoosting } from "./gradient-boosting.ts";
import { handFormulaScore } from "./hand-formula.ts";
import { seededRandom } from "./random.ts";
import type { Session } from "./read-sessions.ts";

/** Label 1 if exactly one of the two signals is large (XOR): no sum of curves can separate it. */
function checkerboard(count: number): Session[] {
  const random = seededRandom(5);
  return Array.from({ length: count }, (_, index) => {
    const [long, many] = [random() < 0.5, random() < 0.5];
    const signals = {
      session_duration: (long ? 500 : 0) + 50 * random(),
      page_views: (many ? 20 : 0) + Math.floor(5 * random()),
    };
    return { rowId: String(index), signals, label: long === many ? 0 : 1, task: "human", source: "synthetic" };
  });
}

it("boosting learns an interaction that no sum of curves can, on unseen sessions", () => {
  const sessions = checkerboard(2_000);
  const boosted = fitBoosting(sessions.slice(0, 1_000));
  const unseen = sessions.slice(1_000);
  const labels = unseen.map(({ label }) => label);
  assert.ok(aucOf(unseen.map(({ signals }) => boosted(signals)), labels) > 0.99);
  assert.ok(Math.abs(aucOf(unseen.map(({ signals }) => handFormulaScore(signals)), labels) - 0.5) < 0.1);
});

it("boosting uses only the signals it is given", () => {
  const boosted = fitBoosting(checkerboard(500), ["page_views"]);
  assert.equal(boosted({ page_views: 3, session_duration: 0 }), boosted({ page_views: 3, session_duration: 500 }));
});

it("the hand formula averages the signals present, between 0 and 1", () => {
  assert.equal(handFormulaScore({}), 0.5);
  assert.equal(handFormulaScore({ user_engagement: 1, session_duration: 600 }), 1);
  assert.equal(handFormulaScore({ user_engagement: 0, session_duration: 0, page_views: 0 }), 0);
});

it("the bootstrap interval contains the AUC and narrows with more sessions", () => {
  const random = seededRandom(9);
  const drawOne = (label: number) => ({ label, score: random() + 0.3 * label });
  const draw = (count: number) => Array.from({ length: count }, (_, index) => drawOne(index % 2));
  const widthOf = (count: number) => {
    const sessions = draw(count);
    const [scores, labels] = [sessions.map(({ score }) => score), sessions.map(({ label }) => label)];
    const [low, high] = aucInterval(scores, labels, 1);
    assert.ok(low < aucOf(scores, labels) && aucOf(scores, labels) < high);
    return high - low;
  };
  assert.ok(widthOf(4_000) < widthOf(200) / 2);
});
