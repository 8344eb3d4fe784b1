import { currentModel } from "@assay/scoring/current-model.ts";
import type { SignalName, Signals } from "@assay/scoring/signals.ts";
import { trustLevelOf } from "@assay/scoring/trust-level.ts";
import fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { describeRaise } from "./describe-raise.ts";

const signals = fc.record(
  {
    user_engagement: fc.double({ min: 0, max: 1, noNaN: true }),
    session_duration: fc.oneof(fc.nat(2_000), fc.double({ min: 0, max: 400_000, noNaN: true })),
    scroll_depth: fc.double({ min: 0, max: 1, noNaN: true }),
    interaction_count: fc.nat(1_000),
    page_views: fc.nat(200),
    return_visitor: fc.boolean(),
  },
  { requiredKeys: ["user_engagement", "session_duration"] },
);

const unitSeconds: Record<string, number> = { second: 1, minute: 60, hour: 3_600, day: 86_400 };

/** The value that the sentence names. */
function readValue(signal: SignalName, sentence: string): number | boolean {
  const text = sentence.slice(0, sentence.indexOf(" instead of "));
  if (signal === "return_visitor") return text.includes("returning");
  if (signal === "session_duration") {
    return [...text.matchAll(/([\d.,]+) (second|minute|hour|day)/g)].reduce((sum, [, amount = "", unit = ""]) => sum + Number(amount.replaceAll(",", "")) * (unitSeconds[unit] ?? Number.NaN), 0);
  }
  const number = Number(/[\d.,]+(?=%| |$)/.exec(text)?.[0].replaceAll(",", ""));
  return signal === "scroll_depth" ? number / 100 : number;
}

describe("what would raise a score, in words", () => {
  it("names a value that still lifts the level, for any session", () => {
    let read = 0;
    fc.assert(
      fc.property(signals, (given: Signals) => {
        for (const raise of currentModel.explain(given).wouldRaise) {
          const sentence = describeRaise(raise);
          assert.doesNotMatch(sentence, /undefined|NaN|e-\d| {2}/);
          const [, to, from] = /(?:of )?([\d.,a-z% ]+?) instead of ([\d.,a-z% ]+?) would/.exec(sentence) ?? [];
          assert.notEqual(to, from, sentence);
          const value = readValue(raise.signal, sentence);
          // A signal's own bounds end the rounding.
          assert.equal(currentModel.score({ ...given, [raise.signal]: value }).trustLevel, trustLevelOf(raise.score), `${sentence} ${JSON.stringify(given)}`);
          read += 1;
        }
      }),
      { numRuns: 2_000 },
    );
    assert.ok(read > 500);
  });

  it("reads like this", () => {
    assert.equal(describeRaise({ signal: "page_views", from: 5, to: 12, score: 70.1 }), "12 pages instead of 5 would lift it to high (70.1).");
    assert.equal(describeRaise({ signal: "page_views", from: 0, to: 1, score: 41 }), "1 page instead of 0 would lift it to medium (41.0).");
    assert.equal(describeRaise({ signal: "interaction_count", from: 1_200, to: 1_100, score: 40 }), "1,100 interactions instead of 1,200 would lift it to medium (40.0).");
    assert.equal(describeRaise({ signal: "session_duration", from: 60, to: 109.88, score: 40 }), "A duration of 1 minute 50 seconds instead of 1 minute would lift it to medium (40.0).");
    assert.equal(describeRaise({ signal: "session_duration", from: 90_000, to: 80_001, score: 40 }), "A duration of 22 hours 13 minutes instead of 25 hours would lift it to medium (40.0).");
    assert.equal(describeRaise({ signal: "user_engagement", from: 0.5, to: 0.6059, score: 40 }), "An engagement of 0.61 instead of 0.5 would lift it to medium (40.0).");
    assert.equal(describeRaise({ signal: "scroll_depth", from: 0.8, to: 0.801, score: 70 }), "A scroll depth of 81% instead of 80% would lift it to high (70.0).");
    assert.equal(describeRaise({ signal: "return_visitor", from: false, to: true, score: 70 }), "A returning visitor instead of a new one would lift it to high (70.0).");
  });

  it("shows a change that is smaller than the usual rounding", () => {
    assert.match(describeRaise({ signal: "user_engagement", from: 0.5001, to: 0.50012, score: 40 }), /^An engagement of 0\.51 instead of 0\.5 /);
    assert.match(describeRaise({ signal: "user_engagement", from: 0.9999, to: 0.99991, score: 40 }), /^An engagement of 1 instead of 0\.9999 /);
    assert.match(describeRaise({ signal: "session_duration", from: 99.9, to: 99.95, score: 40 }), /^A duration of 100 seconds instead of 99\.9 /);
  });
});
