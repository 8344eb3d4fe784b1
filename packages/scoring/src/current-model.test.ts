import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import fc from "fast-check";
import { artefact } from "./artefacts/additive-2.ts";
import { compileCertainty } from "./certainty.ts";
import { currentModel } from "./current-model.ts";
import { compileScale } from "./scale.ts";
import { compileSubsetSum, everythingBits } from "./stability.ts";
import { signalNames } from "./signals.ts";
import type { SignalName, Signals } from "./signals.ts";
import { recommendationOf, trustLevelOf, trustThresholds } from "./trust-level.ts";

const durationSecondsMax = 31_536_000;
const countMax = 2_147_483_647;

/** Log-uniform from 0 to `most`, as real amounts are. */
const amount = (most: number) =>
  fc.double({ min: 0, max: 1, noNaN: true }).map((share) => Math.expm1(share * Math.log1p(most)));
const count = fc.oneof(fc.integer({ min: 0, max: 40 }), amount(countMax).map(Math.floor));
const share = fc.double({ min: 0, max: 1, noNaN: true });

const everySignal = {
  user_engagement: share,
  session_duration: fc.oneof(fc.integer({ min: 0, max: 900 }), amount(durationSecondsMax)),
  scroll_depth: share,
  interaction_count: count,
  page_views: count,
  return_visitor: fc.boolean(),
};
/** Any session that the API accepts, with any signals missing. */
const anySession = fc.record(everySignal, { requiredKeys: [] }) as fc.Arbitrary<Signals>;
const wholeSession = fc.record(everySignal) as fc.Arbitrary<Required<Signals>>;

const runs = { numRuns: 2_000 };

const without = (signals: Signals, name: SignalName): Signals => {
  const rest = { ...signals };
  delete rest[name];
  return rest;
};

it("more engagement never lowers the score, whatever the other signals are", () => {
  fc.assert(
    fc.property(anySession, share, share, (signals, one, other) => {
      const less = currentModel.explain({ ...signals, user_engagement: Math.min(one, other) });
      const more = currentModel.explain({ ...signals, user_engagement: Math.max(one, other) });
      assert.ok(more.unroundedScore >= less.unroundedScore);
      assert.ok(more.serviceScore >= less.serviceScore);
    }),
    runs,
  );
});

it("more scrolling never lowers the score", () => {
  fc.assert(
    fc.property(anySession, share, share, (signals, one, other) => {
      const less = currentModel.explain({ ...signals, scroll_depth: Math.min(one, other) });
      const more = currentModel.explain({ ...signals, scroll_depth: Math.max(one, other) });
      assert.ok(more.unroundedScore >= less.unroundedScore);
    }),
    runs,
  );
});

it("scrolling to the end raises the score of an ordinary session", () => {
  const session = { user_engagement: 0.7, session_duration: 60, interaction_count: 3, page_views: 3 };
  const none = currentModel.explain({ ...session, scroll_depth: 0 }).unroundedScore;
  const all = currentModel.explain({ ...session, scroll_depth: 1 }).unroundedScore;
  assert.ok(all > none);
});

it("a returning visitor never scores lower than a new one", () => {
  fc.assert(
    fc.property(anySession, (signals) => {
      const returning = currentModel.explain({ ...signals, return_visitor: true }).unroundedScore;
      assert.ok(returning >= currentModel.explain({ ...signals, return_visitor: false }).unroundedScore);
    }),
    runs,
  );
});

it("base value and points add up to the unrounded score exactly, in either order", () => {
  fc.assert(
    fc.property(anySession, (signals) => {
      const { baseValue, contributions, unroundedScore, serviceScore } = currentModel.explain(signals);
      const points = contributions.map((each) => each.points);
      assert.equal(points.reduce((sum, each) => sum + each, baseValue), unroundedScore);
      assert.equal(points.toReversed().reduce((sum, each) => sum + each, 0) + baseValue, unroundedScore);
      assert.equal(Math.round(unroundedScore * 10) / 10, serviceScore);
    }),
    runs,
  );
});

it("points still add up after a JSON round trip", () => {
  fc.assert(
    fc.property(wholeSession, (signals) => {
      const explained = currentModel.explain(signals);
      const read = JSON.parse(JSON.stringify(explained)) as typeof explained;
      assert.equal(read.contributions.reduce((sum, each) => sum + each.points, read.baseValue), read.unroundedScore);
    }),
  );
});

it("a change of the duration by one percent moves the score by less than a point", () => {
  fc.assert(
    fc.property(anySession, amount(durationSecondsMax), (signals, duration) => {
      const score = (seconds: number) => currentModel.explain({ ...signals, session_duration: seconds }).unroundedScore;
      assert.ok(Math.abs(score(duration * 1.01) - score(duration)) < 1);
    }),
    { numRuns: 20_000 },
  );
});

it("scoring is deterministic, whatever was scored in between", () => {
  fc.assert(
    fc.property(anySession, anySession, (signals, other) => {
      const first = currentModel.explain(signals);
      currentModel.score(other);
      currentModel.explain(other);
      assert.deepEqual(currentModel.explain(signals), first);
    }),
    runs,
  );
});

it("every subset of signals gets a complete answer, and score agrees with explain", () => {
  fc.assert(
    fc.property(wholeSession, (whole) => {
      for (let seen = 0; seen < 1 << signalNames.length; seen += 1) {
        let signals: Signals = whole;
        for (const [index, name] of signalNames.entries()) {
          if ((seen & (1 << index)) === 0) signals = without(signals, name);
        }
        const scored = currentModel.score(signals);
        const { serviceScore, trustLevel, confidence, recommendation, interval } = currentModel.explain(signals);
        assert.deepEqual(scored, { serviceScore, trustLevel, confidence, recommendation });
        assert.ok(serviceScore >= 0 && serviceScore <= 100);
        assert.equal(trustLevel, trustLevelOf(serviceScore));
        assert.ok(confidence >= 0 && confidence <= 1);
        assert.ok(interval[0] <= serviceScore && serviceScore <= interval[1]);
        assert.ok(interval[0] >= 0 && interval[1] <= 100);
      }
    }),
    { numRuns: 200 },
  );
});

it("leaving out a signal that the API does not require never raises the confidence", () => {
  const optional = ["scroll_depth", "interaction_count", "page_views", "return_visitor"] as const;
  fc.assert(
    fc.property(anySession, (signals) => {
      const { confidence } = currentModel.score(signals);
      for (const name of optional) assert.ok(currentModel.score(without(signals, name)).confidence <= confidence);
    }),
    runs,
  );
});

it("a complete session far from the thresholds is almost certain, one with few signals is not", () => {
  const session = { user_engagement: 0.95, session_duration: 300, interaction_count: 20, page_views: 8, scroll_depth: 0.8, return_visitor: true };
  const { serviceScore, confidence } = currentModel.score(session);
  assert.ok(serviceScore > 90);
  assert.ok(confidence > 0.98);
  assert.ok(currentModel.score({ user_engagement: 0.95, session_duration: 300 }).confidence < 0.8);
});

/** The amount of one signal at which the score of a session crosses the threshold, to the last digit. */
function crossing(session: Signals, name: "user_engagement" | "session_duration", threshold: number, most: number): number {
  let [below, from] = [0, most];
  for (let turn = 0; turn < 100; turn += 1) {
    const middle = (below + from) / 2;
    if (currentModel.score({ ...session, [name]: middle }).serviceScore >= threshold) from = middle;
    else below = middle;
  }
  return from;
}

it("by all its signals, a session at a threshold is about as likely to keep its level as not, and far from it is not", () => {
  const scale = compileScale(artefact.calibration);
  const { ownConfidence } = compileCertainty({ tables: artefact.certainty!, scale, sumOver: compileSubsetSum(artefact.pairs) });
  for (const threshold of Object.values(trustThresholds)) {
    const at = scale.logOddsFor(threshold - 0.05);
    for (const side of [-1e-6, 1e-6]) {
      const confidence = ownConfidence(everythingBits, at + side, 1);
      assert.ok(confidence > 0.35 && confidence < 0.65, `${threshold}: ${confidence}`);
    }
  }
  for (const far of [-5, 5]) assert.ok(ownConfidence(everythingBits, far, 1) > 0.99);
});

it("no complete session at a threshold is certain, nor one that the gate has put there", () => {
  const names = ["user_engagement", "session_duration"] as const;
  let [seen, gated] = [0, 0];
  fc.assert(
    fc.property(wholeSession, fc.constantFrom(...names), fc.constantFrom(...Object.values(trustThresholds)), (session, name, threshold) => {
      const at = crossing(session, name, threshold, name === "user_engagement" ? 1 : 20_000);
      const { serviceScore, confidence, contributions } = currentModel.explain({ ...session, [name]: at });
      if (Math.abs(serviceScore - threshold) > 0.1) return;
      seen += 1;
      if (Number(contributions.at(-1)?.value) < 1) gated += 1;
      assert.ok(confidence <= 0.92, `${JSON.stringify({ ...session, [name]: at })} ${serviceScore} ${confidence}`);
    }),
    { numRuns: 5_000 },
  );
  assert.ok(seen > 100 && gated > 20, `${seen} sessions at a threshold, ${gated} of them by the gate`);
});

it("10,000 interactions in a second never score above 10, and the reasons say why", () => {
  fc.assert(
    fc.property(anySession, fc.integer({ min: 10_000, max: countMax }), share, (signals, interactions, seconds) => {
      const flood = { ...signals, interaction_count: interactions, session_duration: seconds };
      const explained = currentModel.explain(flood);
      assert.ok(explained.serviceScore <= 10);
      assert.equal(explained.recommendation, "suspected_automation");
      assert.ok(explained.reasons.some(({ code }) => code === "too_many_interactions_per_second"));
    }),
    runs,
  );
});

it("a thousand pages per second and a session of a year never score above 10", () => {
  fc.assert(
    fc.property(anySession, share, (signals, seconds) => {
      const pages = currentModel.score({ ...signals, page_views: 1_000, session_duration: seconds });
      assert.ok(pages.serviceScore <= 10);
      assert.ok(currentModel.score({ ...signals, session_duration: durationSecondsMax }).serviceScore <= 10);
    }),
    runs,
  );
});

it("an ordinary attentive session is high, an empty one is low, and neither triggers the gate", () => {
  const attentive = { user_engagement: 0.95, session_duration: 300, interaction_count: 12, page_views: 8 };
  assert.equal(currentModel.score(attentive).recommendation, recommendationOf("high", false));
  const empty = { user_engagement: 0, session_duration: 0, interaction_count: 0, page_views: 0 };
  assert.equal(currentModel.score(empty).recommendation, recommendationOf("low", false));
});

it("a nearly closed gate always means level low", () => {
  const flood = { user_engagement: 1, session_duration: 10, interaction_count: 5_000, page_views: 3, scroll_depth: 1 };
  const { contributions, trustLevel } = currentModel.explain(flood);
  const gate = contributions.find(({ signal }) => signal === "plausibility");
  assert.ok(gate !== undefined && gate.points < -30);
  assert.equal(trustLevel, "low");
});

it("contributions list each signal, each pair and the gate exactly once", () => {
  const { contributions } = currentModel.explain({ user_engagement: 0.5, session_duration: 30 });
  assert.deepEqual(
    contributions.map(({ signal, value }) => [signal, value]),
    [
      ["user_engagement", 0.5],
      ["session_duration", 30],
      ["user_engagement×session_duration", null],
      ["plausibility", 1],
    ],
  );
});

it("infinite amounts still get an answer, and NaN counts as missing", () => {
  const endless = { session_duration: Number.POSITIVE_INFINITY, interaction_count: Number.POSITIVE_INFINITY };
  assert.ok(currentModel.explain(endless).serviceScore <= 10);
  assert.equal(currentModel.score({ user_engagement: Number.NaN }).serviceScore, currentModel.score({}).serviceScore);
});

it("a session without signals scores the base value, and only the gate contributes", () => {
  const { baseValue, unroundedScore, contributions } = currentModel.explain({});
  assert.equal(unroundedScore, baseValue);
  assert.deepEqual(contributions, [{ signal: "plausibility", value: 1, points: 0 }]);
});

it("scoring another session does not change an earlier answer", () => {
  const first = currentModel.score({ user_engagement: 0.9, session_duration: 200 });
  const copy = { ...first };
  currentModel.score({ user_engagement: 0.1, session_duration: 2 });
  assert.deepEqual(first, copy);
});

it("the released artefact is at most 80 KB", () => {
  assert.ok(readFileSync(new URL("./artefacts/additive-2.ts", import.meta.url)).length <= 80_000);
});
