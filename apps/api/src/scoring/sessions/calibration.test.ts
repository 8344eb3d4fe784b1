import type { CalibrationReply } from "@assay/contract/sessions.ts";
import fc from "fast-check";
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { idAt } from "../../../test/id-at.ts";
import { makeAccount, vastTier } from "../../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../../test/make-charge.ts";
import { readLedger } from "../../../test/read-ledger.ts";
import { fillOutcomes } from "../../../test/scoring/fill-outcomes.ts";
import { predict, send } from "../../../test/send.ts";
import type { TestService } from "../../../test/start-service.ts";
import { recordOutcome } from "./find-session.ts";
import { fitRecalibration, type LabelledScore } from "./fit-recalibration.ts";
import { describeCalibration, recalibrationSessionsMin, reportCalibration, wilsonInterval } from "./report-calibration.ts";

const logistic = (logit: number) => 1 / (1 + Math.exp(-logit));

describeBothStores("GET /api/calibration", (open) => {
  let database: TestDatabase;
  let service: TestService;

  before(async () => {
    database = await open();
    service = await database.serve();
  });

  const calibration = async (key: string) => {
    const answer = await send(service, "/api/calibration", { headers: { "x-api-key": key } });
    assert.equal(answer.status, 200, answer.text);
    return answer.json() as unknown as CalibrationReply;
  };

  it("is empty without outcomes", async () => {
    const { liveKey } = await makeAccount(database.store);
    const report = await calibration(liveKey);
    const { bands, ...rest } = report;
    assert.deepEqual(rest, { mode: "live", sessions: 0, good: 0, bad: 0, complete: true, account_calibrated: 0, calibration_error: null, balanced_error: null, minimum_sessions: 50, recalibration: null });
    assert.deepEqual(bands, Array.from({ length: 10 }, (_, band) => ({ from: band * 10, to: band * 10 + 10, count: 0, mean_score: null, observed: null, balanced: null, interval: null })));
  });

  it("equals a hand calculation; the last outcome of a session counts", async () => {
    const { testKey, liveKey, accountId } = await makeAccount(database.store);
    const judged: [scenario: string, outcomes: string[]][] = [
      ["low", ["bot"]],
      ["low", ["fraud", "genuine"]],
      ["high", ["converted"]],
      ["high", ["genuine", "refunded", "genuine"]],
      ["high", ["converted", "refunded"]],
      ["medium", []],
    ];
    for (const [scenario, outcomes] of judged) {
      const { session_id: id } = (await predict(service, testKey, { headers: { "assay-test-scenario": scenario } })).json();
      for (const outcome of outcomes) assert.equal((await predict(service, testKey, { path: `/api/sessions/${id as string}/outcome`, body: { outcome } })).status, 200);
    }
    const { bands, ...rest } = await calibration(testKey);
    // At a prior of one half: 1/3 of the good and 1/2 of the bad ones score 15, so (1/3) / (1/3 + 1/2) = 0.4 of them are good, and
    // 2/3 / (2/3 + 1/2) = 0.5714 of those with 85. The error is 5/12 × |0.15 − 0.4| + 7/12 × |0.85 − 0.5714| = 0.2667.
    // Scores 15 and 85, observed 1 of 2 and 2 of 3: (2 × |0.15 − 1/2| + 3 × |0.85 − 2/3|) / 5 = 0.25.
    assert.deepEqual(rest, { mode: "test", sessions: 5, good: 3, bad: 2, complete: true, account_calibrated: 0, calibration_error: 0.25, balanced_error: 0.2667, minimum_sessions: 50, recalibration: null });
    assert.deepEqual(bands.filter(({ count }) => count > 0), [
      { from: 10, to: 20, count: 2, mean_score: 15, observed: 0.5, balanced: 0.4, interval: [0.0945, 0.9055] },
      { from: 80, to: 90, count: 3, mean_score: 85, observed: 0.6667, balanced: 0.5714, interval: [0.2077, 0.9385] },
    ]);
    assert.equal((await calibration(liveKey)).sessions, 0, "test sessions do not count for live ones");
    assert.deepEqual(await readLedger(database.store, accountId), [], "reports and outcomes are free");
  });

  it("reads the newest outcomes page by page, and says when it did not read all", async () => {
    const { accountId } = await makeAccount(database.store, { tier: vastTier, nowMs: 0 });
    const nowMs = Date.now();
    const charger = makeCharger(database.store, { nowMs });
    const refs = Array.from({ length: 300 }, () => idAt(nowMs - 1_000));
    await Promise.all(refs.map((ref) => charger.charge(makeCharge({ accountId, atMs: nowMs - 1_000, ref }))));
    for (const [index, sessionId] of refs.entries()) {
      // Many share a millisecond, so pages end within one.
      const lookup = { accountId, sessionId, nowMs: nowMs + Math.floor(index / 100), retentionDays: 90 };
      await recordOutcome(database.store, { ...lookup, outcome: index % 3 === 0 ? "bot" : "genuine" });
    }
    await recordOutcome(database.store, { accountId, sessionId: refs[0]!, nowMs: nowMs + 9, retentionDays: 90, outcome: "converted" });
    const all = await reportCalibration(database.store, { accountId, mode: "live" });
    assert.deepEqual([all.sessions, all.bad, all.complete], [300, 99, true]);
    const paged = await reportCalibration(database.store, { accountId, mode: "live" }, { outcomesMax: 1_000, outcomesPerPage: 7 });
    assert.deepEqual(paged, all);
    const part = await reportCalibration(database.store, { accountId, mode: "live" }, { outcomesMax: 101, outcomesPerPage: 50 });
    assert.deepEqual([part.sessions, part.complete], [101, false]);
  });
});

describeBothStores("the calibration report of an account with a calibration of its own", (open) => {
  it("says how many of the sessions were answered on it", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store);
    await fillOutcomes(store, { accountId, good: 30, bad: 30, atMs: Date.now() - 1_000 });
    await fillOutcomes(store, { accountId, good: 20, bad: 10, atMs: Date.now() - 1_000, seed: 2, calibration: 1 });
    const { sessions, account_calibrated: own } = await reportCalibration(store, { accountId, mode: "live" });
    assert.deepEqual([sessions, own], [90, 30]);
  });
});

describe("the suggested recalibration", () => {
  const scores = fc.integer({ min: 0, max: 1_000 }).map((tenths) => tenths / 10);
  const labelled = fc.array(fc.record({ score: scores, isGood: fc.boolean() }), { minLength: recalibrationSessionsMin, maxLength: 200 });
  const bothKinds = labelled.filter((sessions) => new Set(sessions.map(({ isGood }) => isGood)).size === 2);

  it("is monotonic, stays within 0 and 100, and no neighbouring fit is better", () => {
    const lossOf = (sessions: LabelledScore[], map: { slope: number; intercept: number }) => {
      const good = sessions.filter(({ isGood }) => isGood).length;
      return sessions.reduce((sum, { score, isGood }) => {
        const said = Math.min(99.95, Math.max(0.05, score)) / 100;
        const logit = map.slope * Math.log(said / (1 - said)) + map.intercept;
        const target = isGood ? (good + 1) / (good + 2) : 1 / (sessions.length - good + 2);
        return sum - target * Math.log(logistic(logit)) - (1 - target) * Math.log(logistic(-logit));
      }, 0);
    };
    fc.assert(
      fc.property(bothKinds, (sessions) => {
        const { slope, intercept, suggest } = fitRecalibration(sessions);
        assert(slope >= 0);
        let last = 0;
        for (let score = 0; score <= 100; score += 2.5) {
          assert(suggest(score) >= last && suggest(score) <= 100);
          last = suggest(score);
        }
        const best = lossOf(sessions, { slope, intercept });
        for (const [slopeStep, interceptStep] of [[0.01, 0], [-0.01, 0], [0, 0.01], [0, -0.01], [0.01, -0.01]] as const) {
          if (slope + slopeStep < 0) continue;
          assert(lossOf(sessions, { slope: slope + slopeStep, intercept: intercept + interceptStep }) >= best - 1e-6);
        }
      }),
    );
  });

  it("recovers the mapping that generated the outcomes, and reports the remaining error", () => {
    const sessions: LabelledScore[] = [];
    for (let tenths = 5; tenths < 1_000; tenths += 10) {
      const score = tenths / 10;
      const share = logistic(0.5 * Math.log(score / (100 - score)) - 1);
      for (let each = 0; each < 200; each += 1) sessions.push({ score, isGood: each < Math.round(200 * share) });
    }
    const { calibration_error: error, recalibration } = describeCalibration(sessions);
    assert(Math.abs(recalibration!.slope - 0.5) < 0.02 && Math.abs(recalibration!.intercept + 1) < 0.02, JSON.stringify(recalibration));
    assert(error! > 0.2 && recalibration!.calibration_error < 0.01);
    assert.deepEqual(recalibration!.points.map(({ score }) => score), [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
  });

  it("is flat if the outcomes contradict the scores, and finite if they agree perfectly", () => {
    const make = (isGoodAt: (score: number) => boolean) => Array.from({ length: 101 }, (_, score) => ({ score, isGood: isGoodAt(score) }));
    const flat = fitRecalibration(make((score) => score < 30));
    assert.equal(flat.slope, 0);
    assert(Math.abs(flat.suggest(10) - 30) < 1.5);
    const sharp = fitRecalibration(make((score) => score > 50));
    assert(Number.isFinite(sharp.slope) && sharp.suggest(20) < 5 && sharp.suggest(80) > 95);
  });

  it("needs 50 sessions and outcomes of both kinds", () => {
    const some = (count: number, isGood: (index: number) => boolean) => Array.from({ length: count }, (_, index) => ({ score: index % 100, isGood: isGood(index) }));
    assert.equal(describeCalibration(some(49, (index) => index % 2 === 0)).recalibration, null);
    assert.notEqual(describeCalibration(some(50, (index) => index % 2 === 0)).recalibration, null);
    assert.equal(describeCalibration(some(500, () => true)).recalibration, null);
  });

  it("has Wilson intervals", () => {
    assert.deepEqual(wilsonInterval(0, 10), [0, 0.2775]);
    assert.deepEqual(wilsonInterval(10, 10), [0.7225, 1]);
    assert.deepEqual(wilsonInterval(50, 100), [0.4038, 0.5962]);
  });
});
