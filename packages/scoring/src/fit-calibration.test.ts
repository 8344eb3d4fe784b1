import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { currentModel } from "./current-model.ts";
import { releasedModels } from "./released-models.ts";
import {
  type CalibrationFit,
  compareCalibrations,
  fitCalibration,
  fitDefaults,
  type JudgedScore,
  judgeSignals,
  measureRecalibration,
  recalibrateScore,
  shippedCalibration,
  slopeBounds,
} from "./fit-calibration.ts";
import { expectedCalibrationErrorOf } from "./measure.ts";
import type { Calibration } from "./model.ts";
import type { Signals } from "./signals.ts";

/** A generator of its own: what is tested must not depend on the engine's. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Sessions whose outcomes follow `truth` at a prior of one half, thinned out until good ones make up `baseRate`. */
function makeSessions(truth: Calibration, { count, baseRate = 0.5, seed = 1 }: { count: number; baseRate?: number; seed?: number }): JudgedScore[] {
  const random = seeded(seed);
  const sessions: JudgedScore[] = [];
  const left = { good: Math.round(count * baseRate), bad: count - Math.round(count * baseRate) };
  while (left.good + left.bad > 0) {
    const openScore = 3 + 94 * random();
    const isGood = random() < recalibrateScore(openScore, truth) / 100;
    const kind = isGood ? "good" : "bad";
    if (left[kind] === 0) continue;
    left[kind] -= 1;
    sessions.push({ openScore, openness: 1, isGood });
  }
  return sessions;
}

const fitted = (fit: CalibrationFit): Calibration => {
  assert(fit.kind === "fitted", JSON.stringify(fit));
  return fit.calibration;
};

// The scores of `makeSessions` are symmetric around 50 only under a symmetric truth: then both kinds are equally frequent.
it("finds the map that made the outcomes, whatever share of them is good", () => {
  const truth = { shift: 0, slope: 1.8 };
  for (const baseRate of [0.5, 0.1, 0.95]) {
    const { shift, slope } = fitted(fitCalibration(makeSessions(truth, { count: 40_000, baseRate })));
    assert(Math.abs(shift) < 0.1 && Math.abs(slope - 1.8) < 0.12, `${baseRate}: ${shift} ${slope}`);
  }
});

it("finds a shift when good sessions score low throughout", () => {
  const moved = makeSessions({ shift: 0, slope: 1 }, { count: 20_000 }).map((session) => ({ ...session, openScore: recalibrateScore(session.openScore, { shift: -1.5, slope: 0.5 }) }));
  const { shift, slope } = fitted(fitCalibration(moved));
  // What undoes the move: logit = (moved + 1.5) / 0.5.
  assert(Math.abs(shift - 3) < 0.2 && Math.abs(slope - 2) < 0.15, `${shift} ${slope}`);
});

it("is as likely as no other pair of numbers, prior included", () => {
  const sessions = makeSessions({ shift: 0.4, slope: 0.6 }, { count: 600, baseRate: 0.4, seed: 5 });
  const calibration = fitted(fitCalibration(sessions));
  const good = sessions.filter(({ isGood }) => isGood).length;
  const bad = sessions.length - good;
  const weight = (2 * good * bad) / (good + bad);
  const loss = ({ shift, slope }: Calibration) =>
    sessions.reduce((sum, { openScore, isGood }) => {
      const logit = shift + slope * Math.log(openScore / (100 - openScore));
      return sum + (weight / (isGood ? good : bad)) * Math.log1p(Math.exp(isGood ? -logit : logit));
    }, 0) +
    shift ** 2 / (2 * fitDefaults.shiftDeviation ** 2) +
    Math.log(slope) ** 2 / (2 * fitDefaults.lnSlopeDeviation ** 2);
  for (const [shift, slope] of [[0.02, 0], [-0.02, 0], [0, 0.02], [0, -0.02], [0.02, 0.02], [-0.02, 0.02]] as const) {
    assert(loss({ shift: calibration.shift + shift, slope: calibration.slope + slope }) > loss(calibration), `${shift} ${slope}`);
  }
});

it("lies between the shipped calibration and what the outcomes alone say, nearer to the latter with more of them", () => {
  const truth = { shift: 0, slope: 3 };
  const free = { ...fitDefaults, shiftDeviation: 1e6, lnSlopeDeviation: 1e6 };
  const pullOf = (count: number) => {
    const sessions = makeSessions(truth, { count, seed: 9 });
    const [shrunk, unbound] = [fitted(fitCalibration(sessions)), fitted(fitCalibration(sessions, free))];
    assert(shrunk.slope > 1 && shrunk.slope < unbound.slope, `${shrunk.slope} ${unbound.slope}`);
    return unbound.slope - shrunk.slope;
  };
  assert(pullOf(400) > 2 * pullOf(4_000));
});

it("needs 200 outcomes of each kind", () => {
  const sessions = makeSessions({ shift: 0, slope: 1.5 }, { count: 3_000 });
  const some = (good: number, bad: number) => [...sessions.filter(({ isGood }) => isGood).slice(0, good), ...sessions.filter(({ isGood }) => !isGood).slice(0, bad)];
  assert.equal(fitCalibration(some(200, 200)).kind, "fitted");
  assert.deepEqual(fitCalibration(some(199, 1_000)), { kind: "refused", reason: "too_few", good: 199, bad: 1_000 });
  assert.deepEqual(fitCalibration(some(1_000, 199)), { kind: "refused", reason: "too_few", good: 1_000, bad: 199 });
  assert.deepEqual(fitCalibration(some(1_000, 0)), { kind: "refused", reason: "too_few", good: 1_000, bad: 0 });
  assert.deepEqual(fitCalibration([]), { kind: "refused", reason: "too_few", good: 0, bad: 0 });
});

it("refuses outcomes that contradict the scores, or do not depend on them", () => {
  const sessions = makeSessions({ shift: 0, slope: 1 }, { count: 2_000 });
  const contradicting = sessions.map((session) => ({ ...session, isGood: !session.isGood }));
  assert.deepEqual(fitCalibration(contradicting), { kind: "refused", reason: "contradicted", good: 1_000, bad: 1_000 });
  const random = seeded(3);
  const unrelated = sessions.map((session) => ({ ...session, isGood: random() < 0.5 }));
  const fit = fitCalibration(unrelated);
  assert(fit.kind === "refused" && fit.reason === "contradicted", JSON.stringify(fit));
  const almost = fitCalibration(makeSessions({ shift: 0, slope: 0.05 }, { count: 20_000 }));
  assert.equal(almost.kind, "refused", "so flat a map would put every session into one level");
});

it("rises with the score, within bounds, for any outcomes", () => {
  const sessions = fc.array(fc.record({ openScore: fc.double({ min: 0, max: 100, noNaN: true }), openness: fc.constant(1), isGood: fc.boolean() }), { minLength: 10, maxLength: 120 });
  const bold = { ...fitDefaults, outcomesMin: 2 };
  fc.assert(
    fc.property(sessions, (some) => {
      const fit = fitCalibration(some, bold);
      if (fit.kind === "refused") return;
      const { shift, slope } = fit.calibration;
      assert(slope >= slopeBounds.min && slope <= slopeBounds.max && Math.abs(shift) <= 10);
      assert(recalibrateScore(30, fit.calibration) <= recalibrateScore(31, fit.calibration));
      assert.deepEqual(fitCalibration(some.toReversed(), bold), fit, "in whatever order they are read");
    }),
  );
  const perfect = Array.from({ length: 1_000 }, (_, index) => ({ openScore: index / 10, openness: 1, isGood: index >= 500 }));
  assert(fitted(fitCalibration(perfect)).slope <= slopeBounds.max);
});

it("judges alike in whatever order outcomes are read, also where good and bad ones score the same", () => {
  const scores = [1, 0.3, 97.2, 64, 8.1, 99.9];
  const good = scores.map((openScore) => ({ openScore, openness: 1, isGood: true }));
  const bad = scores.toReversed().map((openScore) => ({ openScore, openness: 1, isGood: false }));
  const options = { ...fitDefaults, outcomesMin: 2 };
  const both = [...good, ...bad];
  assert.deepEqual(fitCalibration(both, options), fitCalibration(both.toReversed(), options));
});

it("leaves out sessions that the gate closes: they neither count nor move the fit", () => {
  const sessions = makeSessions({ shift: 0, slope: 1.5 }, { count: 2_000 });
  const impossible = Array.from({ length: 1_000 }, () => ({ openScore: 90, openness: 0.1, isGood: false }));
  assert.deepEqual(fitCalibration([...sessions, ...impossible]), fitCalibration(sessions));
  assert.equal(fitCalibration(impossible.map((session, index) => ({ ...session, isGood: index % 2 === 0 }))).kind, "refused");
});

const signals: fc.Arbitrary<Signals> = fc.record(
  {
    user_engagement: fc.double({ min: 0, max: 1, noNaN: true }),
    session_duration: fc.double({ min: 0, max: 4_000, noNaN: true }),
    scroll_depth: fc.double({ min: 0, max: 1, noNaN: true }),
    interaction_count: fc.integer({ min: 0, max: 400 }),
    page_views: fc.integer({ min: 0, max: 200 }),
    return_visitor: fc.boolean(),
  },
  { requiredKeys: ["user_engagement", "session_duration"] },
);

it("takes the gate's part out of a session's score, and maps scores as the model itself does", () => {
  const calibration = { shift: -0.7, slope: 1.6 };
  const own = currentModel.calibrated(calibration);
  fc.assert(
    fc.property(signals, (session) => {
      const { openScore, openness } = judgeSignals(currentModel, { signals: session, isGood: true });
      assert(Math.abs(currentModel.score(session).serviceScore - openness * openScore) < 0.051);
      // The model maps the points of its grid and interpolates between them.
      assert(Math.abs(own.score(session).serviceScore - openness * recalibrateScore(openScore, calibration)) < 0.2);
    }),
  );
});

it("compares before and after on sessions that the fit has not seen", () => {
  const sessions = makeSessions({ shift: 0, slope: 3 }, { count: 4_000 });
  const { before, after, changedLevels } = compareCalibrations(sessions)!;
  assert(before.error > 0.1 && after.error < 0.03, `${before.error} ${after.error}`);
  const levels = (of: typeof before.levels) => of.high + of.medium + of.low;
  assert.deepEqual([levels(before.levels), levels(after.levels)], [4_000, 4_000]);
  assert(changedLevels > 200 && changedLevels < 2_000, String(changedLevels));
  assert.equal(compareCalibrations(sessions.slice(0, 4)), undefined);
});

it("a session's own outcome has no part in the fit that it is measured with", () => {
  const sessions = makeSessions({ shift: 0, slope: 2 }, { count: 700, baseRate: 0.4, seed: 4 });
  const folds: number[] = [];
  const dealt = [0, 0];
  for (const { isGood } of sessions) {
    dealt[Number(isGood)]! += 1;
    folds.push(dealt[Number(isGood)]! % 5);
  }
  const after = sessions.map(({ openScore }, index) => {
    const others = sessions.filter((_, other) => folds[other] !== folds[index]);
    return Math.round(recalibrateScore(openScore, fitted(fitCalibration(others))) * 10) / 1_000;
  });
  const labels = sessions.map(({ isGood }) => Number(isGood));
  const expected = expectedCalibrationErrorOf(after, labels, { prior: 0.5 });
  assert(Math.abs(compareCalibrations(sessions)!.after.error - expected) < 1e-9);
});

it("says what error chance alone would show", () => {
  // Perfect scores: what is measured is chance.
  const errors = Array.from({ length: 20 }, (_, seed) => compareCalibrations(makeSessions(shippedCalibration, { count: 1_000, seed: seed + 1 }))!.before);
  const mean = (of: (each: (typeof errors)[number]) => number) => errors.reduce((sum, each) => sum + of(each), 0) / errors.length;
  const [error, chance] = [mean((each) => each.error), mean((each) => each.chanceError)];
  assert(Math.abs(error / chance - 1) < 0.15, `${error} against ${chance}`);
});

it("measures many accounts with so many outcomes, the same for the same seed", () => {
  // A released model never changes, and neither do the sessions that are made with it.
  const { model } = releasedModels[0]!;
  const random = seeded(11);
  const sessions = Array.from({ length: 4_000 }, () => {
    const session = { user_engagement: random(), session_duration: 600 * random(), page_views: Math.floor(12 * random()) };
    const { openScore } = judgeSignals(model, { signals: session, isGood: true });
    return { signals: session, isGood: random() < recalibrateScore(openScore, { shift: -1.2, slope: 2.2 }) / 100 };
  });
  const measure = (seed: number) => measureRecalibration(model, sessions, { outcomes: { good: 250, bad: 250 }, draws: 10, random: seeded(seed) });
  const measured = measure(1);
  assert(measured.shipped > 0.08 && measured.mean < 0.06 && measured.median <= measured.ninetieth, JSON.stringify(measured));
  assert.equal(measured.refused, 0);
  assert.deepEqual(measure(1), measured);
  assert.notDeepEqual(measure(2), measured);
  const few = measureRecalibration(model, sessions, { outcomes: { good: 199, bad: 250 }, draws: 3, random: seeded(1) });
  assert.equal(few.refused, 3);
});
