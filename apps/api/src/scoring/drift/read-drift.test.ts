import { currentModel } from "@assay/scoring/current-model.ts";
import { type SignalName, type Signals, signalNames } from "@assay/scoring/signals.ts";
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { idAt } from "../../../test/id-at.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../../test/make-charge.ts";
import { type Change, drawDays } from "../../../test/scoring/draw-weeks.ts";
import { msPerDay, msPerHour, msPerMinute } from "../../formats/time.ts";
import { addSession, emptySummary, readSummary, writeSummary } from "../traffic/session-summary.ts";
import { insertHours } from "../traffic/traffic.table.ts";
import { createDriftReader, findScaleChange } from "./read-drift.ts";

const todayMs = Date.UTC(2026, 2, 10);
const nowMs = todayMs + 9 * msPerHour;
const firstDayMs = todayMs - 35 * msPerDay;
const retentionDays = 90;

const rowOf = (signals: Signals, { model = currentModel.version, calibration = null as number | null } = {}) => ({
  ...(Object.fromEntries(signalNames.map((name) => [name, signals[name] === undefined ? null : Number(signals[name])])) as Record<SignalName, number | null>),
  service_score: currentModel.score(signals).serviceScore,
  model_version: model,
  calibration,
});

describeBothStores("drift of an account", (open) => {
  let database: TestDatabase;
  before(async () => {
    database = await open();
  });

  const newAccount = async () => (await makeAccount(database.store, { nowMs: firstDayMs - 90 * msPerDay })).accountId;

  /** Stores each day as the summary of one hour. */
  async function storeDays(accountId: string, drawn: Iterable<Signals[]>, options: { scaleOf?: (day: number) => Parameters<typeof rowOf>[1]; skipDays?: number } = {}): Promise<void> {
    const rows = [...drawn].map((sessions, day) => {
      const summary = emptySummary();
      for (const signals of sessions) addSession(summary, rowOf(signals, options.scaleOf?.(day)));
      return { account_id: accountId, hour: firstDayMs + day * msPerDay + 12 * msPerHour, summary: writeSummary(summary) };
    });
    await insertHours(database.store.db, rows.slice(options.skipDays ?? 0)).execute();
  }

  const readDrift = (accountId: string, atMs = nowMs) => createDriftReader(database.store, { retentionDays })(accountId, atMs);

  const statesOf = ({ lines }: Awaited<ReturnType<typeof readDrift>>) => Object.fromEntries(lines.map(({ name, state }) => [name, state]));

  it("is read from live sessions, and says what changed", async () => {
    const accountId = await newAccount();
    const charger = makeCharger(database.store, { nowMs });
    const charges: Promise<unknown>[] = [];
    const send = (atMs: number, signals: Signals, mode: "live" | "test") =>
      charges.push(charger.charge(makeCharge({ accountId, atMs, mode, ref: idAt(atMs), verdict: { signals, score: currentModel.score(signals), processingTimeMs: 1, modelVersion: currentModel.version, calibration: null } })));
    let day = 0;
    let [live, liveBefore] = [0, 0];
    for (const sessions of drawDays({ seed: 5, sessionsPerWeek: 800, change: { interactionsMissing: 0.5 } })) {
      sessions.forEach((signals, index) => send(firstDayMs + day * msPerDay + Math.floor((index * msPerDay) / sessions.length), signals, "live"));
      if (day < 28) liveBefore += sessions.length;
      else live += sessions.length;
      // Test sessions without a signal do not count, nor do sessions of today.
      for (let index = 0; index < 5; index += 1) send(firstDayMs + day * msPerDay + index, { user_engagement: 0, session_duration: 1 }, "test");
      day += 1;
    }
    send(todayMs + msPerHour, { user_engagement: 0, session_duration: 1 }, "live");
    send(firstDayMs - 1, { user_engagement: 0, session_duration: 1 }, "live");
    await Promise.all(charges);
    const drift = await readDrift(accountId);
    assert.equal(drift.state, "compared");
    assert.deepEqual(drift.week, { from: "2026-03-03", to: "2026-03-09", sessions: live });
    assert.deepEqual(drift.before, { from: "2026-02-03", to: "2026-03-02", sessions: liveBefore });
    const line = drift.lines.find(({ name }) => name === "interaction_count")!;
    assert.deepEqual([line.state, line.aspect], ["changed", "missing"]);
    assert(Math.abs(line.missing - 0.48) < 0.06 && Math.abs(line.missing_before - 0.05) < 0.02, `${line.missing}, ${line.missing_before}`);
    assert.equal(statesOf(drift)["page_views"], "as_usual");
    for (const { bins } of drift.lines) assert(Math.abs(bins.reduce((sum, { now }) => sum + (now ?? 0), 0) - 1) < 0.01);
  });

  it("does not compare scores of several models, and says since when there is one", async () => {
    const draw = (change?: Change) => drawDays({ seed: 6, sessionsPerWeek: 900, ...(change && { change }) });
    const one = await newAccount();
    await storeDays(one, draw({ robots: 0.6 }));
    assert.equal(statesOf(await readDrift(one))["service_score"], "changed");
    const two = await newAccount();
    await storeDays(two, draw({ robots: 0.6 }), { scaleOf: (day) => ({ model: day < 30 ? "additive-1" : "another" }) });
    const drift = await readDrift(two);
    assert.equal(drift.scale_changed_on, "2026-03-05");
    const score = drift.lines.find(({ name }) => name === "service_score")!;
    assert.deepEqual([score.state, score.why, score.bins, score.median], ["not_judged", "scale_changed", [], null]);
    assert.equal(statesOf(drift)["user_engagement"], "changed", "signals do not depend on the model");
  });

  it("does not compare scores of several calibrations", async () => {
    const accountId = await newAccount();
    await storeDays(accountId, drawDays({ seed: 6, sessionsPerWeek: 900 }), { scaleOf: (day) => ({ calibration: day < 33 ? 1 : 2 }) });
    const drift = await readDrift(accountId);
    assert.deepEqual([drift.scale_changed_on, statesOf(drift)["service_score"]], ["2026-03-08", "not_judged"]);
  });

  it("says when there are too few weeks or sessions", async () => {
    const nobody = await newAccount();
    assert.deepEqual(await readDrift(nobody).then(({ state, lines }) => [state, lines]), ["too_young", []]);
    const young = await newAccount();
    await storeDays(young, drawDays({ seed: 7, sessionsPerWeek: 900 }), { skipDays: 7 });
    assert.equal((await readDrift(young)).state, "too_young");
    const small = await newAccount();
    await storeDays(small, drawDays({ seed: 8, sessionsPerWeek: 250 }));
    assert.deepEqual(await readDrift(small).then(({ state, lines, sessions_min: min }) => [state, lines, min]), ["too_few", [], 500]);
  });

  it("names a signal that was never sent", async () => {
    const accountId = await newAccount();
    const without = Array.from(drawDays({ seed: 9, sessionsPerWeek: 900 }), (sessions) => sessions.map((signals) => Object.fromEntries(Object.entries(signals).filter(([name]) => name !== "scroll_depth")) as Signals));
    await storeDays(accountId, without);
    const line = (await readDrift(accountId)).lines.find(({ name }) => name === "scroll_depth")!;
    assert.deepEqual([line.state, line.why, line.missing, line.median, line.bins], ["not_judged", "never_sent", 1, null, []]);
  });

  it("is made once per day, of complete days only", async () => {
    const accountId = await newAccount();
    const read = createDriftReader(database.store, { retentionDays });
    assert.equal((await read(accountId, nowMs)).state, "too_young");
    await storeDays(accountId, drawDays({ seed: 10, sessionsPerWeek: 900 }));
    assert.equal((await read(accountId, todayMs + 23 * msPerHour)).state, "too_young", "kept");
    // Yesterday is complete five minutes after midnight.
    assert.equal((await read(accountId, todayMs + msPerDay + 4 * msPerMinute)).week.to, "2026-03-09");
    assert.equal((await read(accountId, todayMs + msPerDay + 6 * msPerMinute)).week.to, "2026-03-10");
    assert.equal((await readDrift(accountId)).state, "compared");
  });

  it("reads a bounded number of records per request, and goes on with the next", async () => {
    const accountId = await newAccount();
    const charger = makeCharger(database.store, { nowMs });
    const signals: Signals = { user_engagement: 0.5, session_duration: 60 };
    const times = Array.from({ length: 35 * 6 }, (_, index) => firstDayMs + index * 4 * msPerHour + msPerMinute);
    await Promise.all(times.map((atMs) => charger.charge(makeCharge({ accountId, atMs, ref: idAt(atMs), verdict: { signals, score: currentModel.score(signals), processingTimeMs: 1, modelVersion: currentModel.version, calibration: null } }))));
    const read = createDriftReader(database.store, { retentionDays, rowsMax: 60 });
    const states: string[] = [];
    while (states.at(-1) !== "too_few" && states.length < 10) states.push((await read(accountId, nowMs)).state);
    assert(states.length > 2 && states.length < 10, states.join());
    assert(states.slice(0, -1).every((state) => state === "incomplete"));
  });
});

describe("the scale of scores", () => {
  const days = (...scales: string[]) => scales.map((text) => ({ scales: new Map(text.split(" ").filter(Boolean).map((scale) => [scale, 1])) }));

  it("changed on the first day whose scores are all on the newest, or on the day that has both", () => {
    assert.equal(findScaleChange(days("", "a", "a")), undefined);
    assert.equal(findScaleChange(days("", "")), undefined);
    assert.equal(findScaleChange(days("a", "a", "", "b", "b")), 3);
    assert.equal(findScaleChange(days("a", "a b", "b")), 1);
    assert.equal(findScaleChange(days("a", "a", "a b")), 2);
    assert.equal(findScaleChange(days("a", "b", "a", "a")), 2, "there and back");
  });

  it("of an hour that was stored before there were several models is the first one's", () => {
    const summary = emptySummary();
    addSession(summary, rowOf({ user_engagement: 1, session_duration: 10 }, { model: "another" }));
    assert.deepEqual([...readSummary(writeSummary(summary)).scales], [["another", 1]]);
    const { scales: _, ...old } = JSON.parse(writeSummary(summary)) as Record<string, unknown>;
    assert.deepEqual([...readSummary(JSON.stringify(old)).scales], [["additive-1", 1]]);
  });
});
