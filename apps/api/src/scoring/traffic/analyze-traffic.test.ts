import { artefact } from "@assay/scoring/artefacts/additive-1.ts";
import { currentModel } from "@assay/scoring/current-model.ts";
import { type SignalName, type Signals, signalNames } from "@assay/scoring/signals.ts";
import { trustLevelOf } from "@assay/scoring/trust-level.ts";
import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { idAt } from "../../../test/id-at.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../../test/make-charge.ts";
import { createDraws, drawPerson } from "../../../test/scoring/draw-sessions.ts";
import { msPerHour, msPerMinute, startOfHour } from "../../formats/time.ts";
import { analyzeTraffic } from "./analyze-traffic.ts";
import { sumUpHours } from "./sum-up-hours.ts";
import { summariseWindow } from "./summarise-window.ts";

/** The start of the present hour in these tests. */
const thisHourMs = Date.UTC(2026, 2, 10, 12);
const nowMs = thisHourMs + 25 * msPerMinute;
const people = artefact.people;
const settings = { nowMs, retentionDays: 90, people };

type Judged = { atMs: number; signals: Signals; mode: "live" | "test" };

const near = (actual: number, expected: number, what: string) => assert(Math.abs(actual - expected) <= 1e-4, `${what}: ${actual}, not ${expected}`);

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted.length === 0 ? 0 : sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
}

describeBothStores("an analysis of traffic", (open) => {
  let database: TestDatabase;

  before(async () => {
    database = await open();
  });

  async function makeTraffic(sessions: readonly Judged[]): Promise<string> {
    const { accountId } = await makeAccount(database.store, { nowMs: nowMs - 200 * 24 * msPerHour });
    const charger = makeCharger(database.store, { nowMs });
    const charges = sessions.map(({ atMs, signals, mode }) => {
      const verdict = { signals, score: currentModel.score(signals), processingTimeMs: 1, modelVersion: currentModel.version, calibration: null };
      return charger.charge(makeCharge({ accountId, atMs, mode, ref: idAt(atMs), verdict }));
    });
    await Promise.all(charges);
    return accountId;
  }

  /** Computes the expected answer from the sessions themselves. */
  function assertSummary(actual: Awaited<ReturnType<typeof analyzeTraffic>>["previous"], sessions: readonly Judged[], span: { fromMs: number; toMs: number }): void {
    const inside = sessions.filter(({ atMs, mode }) => mode === "live" && atMs >= span.fromMs && atMs < span.toMs);
    const scores = inside.map(({ signals }) => currentModel.score(signals).serviceScore);
    assert.equal(actual.sessions, inside.length);
    near(actual.score.mean, scores.length === 0 ? 0 : scores.reduce((sum, score) => sum + score, 0) / scores.length, "mean score");
    assert.deepEqual(
      [actual.score.p25, actual.score.p50, actual.score.p75],
      [quantile(scores, 0.25), quantile(scores, 0.5), quantile(scores, 0.75)],
    );
    for (const { from, to, count } of actual.score.histogram) {
      assert.equal(count, scores.filter((score) => score >= from && (score < to || (to === 100 && score === 100))).length, `band from ${from}`);
    }
    for (const level of ["high", "medium", "low"] as const) {
      assert.equal(actual.levels[level], scores.filter((score) => trustLevelOf(score) === level).length, level);
    }
    for (const name of signalNames) assertSignal(actual.signals[name], name, inside);
  }

  function assertSignal(actual: { present: number; mean: number; p50: number }, name: SignalName, inside: readonly Judged[]): void {
    const values = inside.flatMap(({ signals }) => (signals[name] === undefined ? [] : [Number(signals[name])]));
    assert.equal(actual.present, values.length, name);
    near(actual.mean, values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length, `${name} mean`);
    const median = quantile(values, 0.5);
    const precision = ["user_engagement", "scroll_depth", "return_visitor"].includes(name) ? 0.0051 : Math.max(0.0051, 0.0051 * median);
    assert(Math.abs(actual.p50 - median) <= precision, `${name} p50: ${actual.p50}, not ${median}`);
  }

  const storedHours = async (accountId: string) => {
    const rows = await database.store.db.selectFrom("session_hours").select("hour").where("account_id", "=", accountId).orderBy("hour").execute();
    return rows.map(({ hour }) => hour);
  };

  /** Busy and empty hours, and sessions exactly on the edges of hours. */
  function drawTraffic(seed: number): Judged[] {
    const draws = createDraws(seed);
    const times = [0, 1, msPerHour - 1, msPerHour, 3 * msPerHour, 5 * msPerHour - 1].map((offset) => thisHourMs - 6 * msPerHour + offset);
    for (let index = 0; index < 350; index += 1) {
      const atMs = Math.floor(nowMs - 30 * msPerHour * draws.next());
      if (Math.floor(atMs / msPerHour) % 4 !== 1) times.push(atMs);
    }
    return times
      .toSorted((left, right) => left - right)
      .map((atMs) => ({ atMs, signals: drawPerson(draws), mode: draws.next() < 0.15 ? "test" : "live" }));
  }

  const windows = [
    { fromMs: nowMs - 10 * msPerHour, toMs: nowMs },
    { fromMs: thisHourMs - 6 * msPerHour, toMs: thisHourMs },
    { fromMs: thisHourMs - 6 * msPerHour + 1, toMs: thisHourMs - msPerHour - 1 },
    { fromMs: thisHourMs - 3 * msPerHour - 10 * msPerMinute, toMs: thisHourMs - 3 * msPerHour + 10 * msPerMinute },
    { fromMs: thisHourMs - 2 * msPerHour + msPerMinute, toMs: thisHourMs - 2 * msPerHour + 30 * msPerMinute },
    { fromMs: nowMs, toMs: nowMs },
    { fromMs: nowMs + msPerHour, toMs: nowMs + 3 * msPerHour },
    { fromMs: nowMs - 92 * 24 * msPerHour, toMs: nowMs },
  ];

  it("equals a computation from the sessions, whichever hours are stored", async () => {
    for (const seed of [1, 2]) {
      const sessions = drawTraffic(seed);
      const accountId = await makeTraffic(sessions);
      for (const round of ["nothing is stored", "hours are stored"]) {
        for (const { fromMs, toMs } of round === "nothing is stored" ? windows : windows.toReversed()) {
          const analysis = await analyzeTraffic(database.store, { accountId, fromMs, toMs }, settings);
          assert.equal(analysis.complete, true);
          assertSummary(analysis, sessions, { fromMs, toMs });
          assertSummary(analysis.previous, sessions, { fromMs: fromMs - (toMs - fromMs), toMs: fromMs });
        }
      }
      assert((await storedHours(accountId)).length > 10);
    }
  });

  it("stores complete hours once, and no others", async () => {
    const sessions = drawTraffic(3);
    const accountId = await makeTraffic(sessions);
    const analyze = (fromMs: number, toMs: number, atMs = nowMs) =>
      summariseWindow(database.store, { accountId, fromMs, toMs }, { nowMs: atMs, retainedFromMs: 0, budget: { rowsLeft: 100_000 } });
    await analyze(thisHourMs - 4 * msPerHour + 1, nowMs);
    const stored = await storedHours(accountId);
    assert(stored.every((hour) => hour >= thisHourMs - 3 * msPerHour && hour < thisHourMs), "neither the edge nor the present hour");
    assert(stored.length > 0);
    await analyze(thisHourMs - 4 * msPerHour + 1, nowMs);
    assert.deepEqual(await storedHours(accountId), stored);
    // Four minutes after its end, an hour may still get sessions.
    const early = await makeTraffic(sessions);
    await summariseWindow(database.store, { accountId: early, fromMs: thisHourMs - 2 * msPerHour, toMs: thisHourMs }, {
      nowMs: thisHourMs + 4 * msPerMinute,
      retainedFromMs: 0,
      budget: { rowsLeft: 100_000 },
    });
    assert((await storedHours(early)).every((hour) => hour < thisHourMs - msPerHour));
  });

  it("says when it is incomplete, and reads further with every call", async () => {
    const sessions = drawTraffic(4).map((each) => ({ ...each, mode: "live" as const }));
    const accountId = await makeTraffic(sessions);
    const window = { accountId, fromMs: thisHourMs - 40 * msPerHour, toMs: thisHourMs };
    const counted: number[] = [];
    for (let isComplete = false; !isComplete; ) {
      const read = await summariseWindow(database.store, window, { nowMs, retainedFromMs: 0, budget: { rowsLeft: 100 } });
      isComplete = read.complete;
      counted.push(read.summary.sessions);
      assert(counted.length < 20, counted.join());
    }
    assert(counted.length > 2);
    assert.deepEqual(counted, counted.toSorted((left, right) => left - right));
    assert.equal(counted.at(-1), sessions.filter(({ atMs }) => atMs < thisHourMs).length);
  });

  it("is prepared in the background, also for hours without sessions", async () => {
    const sessions = drawTraffic(5);
    const accountId = await makeTraffic(sessions);
    const { accountId: idle } = await makeAccount(database.store, { nowMs: nowMs - msPerHour });
    const call = makeCharge({ accountId: idle, atMs: nowMs, ref: "an_x", endpoint: "servicescore_analyze", verdict: undefined });
    await makeCharger(database.store, { nowMs }).charge(call);
    await sumUpHours(database.store, { nowMs: nowMs + 2 * msPerHour, retainedFromMs: 0, isOver: () => false });
    const hours = sessions.filter(({ mode }) => mode === "live").map(({ atMs }) => startOfHour(atMs));
    assert.deepEqual(new Set(await storedHours(accountId)), new Set(hours));
    assert.deepEqual(await storedHours(idle), [thisHourMs]);
    const analysis = await analyzeTraffic(database.store, { accountId, fromMs: nowMs - 40 * msPerHour, toMs: nowMs }, settings);
    assertSummary(analysis, sessions, { fromMs: nowMs - 40 * msPerHour, toMs: nowMs });
  });

  it("never reads sessions past retention, but counts stored hours", async () => {
    const oldMs = nowMs - 91 * 24 * msPerHour + msPerMinute;
    const sessions: Judged[] = [oldMs, oldMs + 1, nowMs - 89 * 24 * msPerHour].map((atMs) => ({ atMs, signals: { user_engagement: 1, session_duration: 60 }, mode: "live" }));
    const accountId = await makeTraffic(sessions);
    const window = { accountId, fromMs: nowMs - 92 * 24 * msPerHour, toMs: nowMs };
    assert.equal((await analyzeTraffic(database.store, window, settings)).sessions, 1);
    const startsThen = { ...window, fromMs: oldMs };
    assert.equal((await analyzeTraffic(database.store, startsThen, settings)).sessions, 1, "nor at the edge of a window");
    const summed = await makeTraffic(sessions);
    await summariseWindow(database.store, { ...window, accountId: summed }, { nowMs, retainedFromMs: 0, budget: { rowsLeft: 1_000 } });
    assert.equal((await analyzeTraffic(database.store, { ...window, accountId: summed }, settings)).sessions, 3);
  });

  it("stores no hour that retention has begun to delete", async () => {
    const retainedFromMs = thisHourMs - 3 * msPerHour + 30 * msPerMinute;
    const sessions: Judged[] = [-msPerMinute, msPerMinute, msPerHour].map((offset) => ({ atMs: retainedFromMs + offset, signals: { user_engagement: 1, session_duration: 60 }, mode: "live" }));
    const accountId = await makeTraffic(sessions);
    const window = { accountId, fromMs: thisHourMs - 5 * msPerHour, toMs: thisHourMs };
    const { summary } = await summariseWindow(database.store, window, { nowMs, retainedFromMs, budget: { rowsLeft: 1_000 } });
    assert.equal(summary.sessions, 2);
    assert.deepEqual(await storedHours(accountId), [thisHourMs - 2 * msPerHour]);
  });

  it("finds irregularities among the window's newest sessions", async () => {
    const draws = createDraws(6);
    const honest: Judged[] = Array.from({ length: 80 }, () => ({ atMs: Math.floor(nowMs - 20 * msPerHour - msPerHour * draws.next()), signals: drawPerson(draws), mode: "live" as const }));
    const robot: Judged[] = Array.from({ length: 120 }, (_, index) => ({ atMs: nowMs - 4 * msPerHour + index * msPerMinute, signals: { user_engagement: 0.5, session_duration: 120, interaction_count: 7, page_views: 3 }, mode: "live" as const }));
    const accountId = await makeTraffic([...honest.toSorted((left, right) => left.atMs - right.atMs), ...robot]);
    const codesOf = async (fromMs: number, toMs: number) =>
      (await analyzeTraffic(database.store, { accountId, fromMs, toMs }, settings)).findings.map(({ code }) => code);
    assert.deepEqual(await codesOf(nowMs - 24 * msPerHour, nowMs - 5 * msPerHour), []);
    assert.deepEqual(await codesOf(nowMs - 5 * msPerHour, nowMs), ["exact_duplicates", "regular_intervals", "unlike_people", "round_numbers"]);
    assert.deepEqual(await codesOf(nowMs + msPerHour, nowMs + 2 * msPerHour), []);
  });
});
