import { artefact } from "@assay/scoring/artefacts/additive-1.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createDraws, type Draws } from "../../../test/scoring/draw-sessions.ts";
import { type Drawn, drawVisitor, toDrawnRow } from "../../../test/scoring/draw-sites.ts";
import { msPerDay, msPerHour } from "../../formats/time.ts";
import { findNotices, type NoticedDay, type NoticedRow } from "./find-notices.ts";
import { addSession, emptySummary } from "./session-summary.ts";

const { people } = artefact;
const dayMs = Date.UTC(2026, 4, 5);

/** People are awake from 8 to 23 o'clock. */
const awake = (draws: Draws) => dayMs + Math.floor((8 + 15 * draws.next()) * msPerHour);
const anyTime = (draws: Draws) => dayMs + Math.floor(msPerDay * draws.next());

type ScoredRow = NoticedRow & { service_score: number; calibration: number | null };
type Drawing = { draw?: (draws: Draws) => Drawn; time?: (draws: Draws) => number; score?: (draws: Draws) => number };

function drawRows(count: number, draws: Draws, { draw = drawVisitor, time = awake, score = (own) => 60 + 10 * own.normal() }: Drawing = {}): ScoredRow[] {
  const rows = Array.from({ length: count }, () => ({ ...toDrawnRow(draw(draws)), at: time(draws), service_score: Math.min(100, Math.max(0, score(draws))), calibration: null }));
  return rows.toSorted((left, right) => left.at - right.at);
}

function dayOf(rows: ScoredRow[], weekRows: readonly ScoredRow[] = []): NoticedDay {
  const summary = emptySummary();
  for (const row of weekRows) addSession(summary, { ...row, model_version: "additive-1" });
  return { rows, sessions: rows.length, before: { summary, days: weekRows.length === 0 ? 0 : 7 }, networks: undefined };
}

const codesOf = async (day: NoticedDay) => (await findNotices(day, people)).map(({ code }) => code);

/** As a forger draws: a decile at random, and a point between it and the next. */
function drawPublished(draws: Draws): Drawn {
  const pick = (name: "user_engagement" | "session_duration" | "interaction_count" | "page_views") => {
    const deciles = people[name]!;
    const place = draws.next() * (deciles.length - 1);
    const low = deciles[Math.floor(place)]!;
    return low + (place % 1) * (deciles[Math.floor(place) + 1]! - low);
  };
  return {
    user_engagement: Number(pick("user_engagement").toFixed(3)),
    session_duration: Number(pick("session_duration").toFixed(1)),
    interaction_count: Math.floor(pick("interaction_count")),
    page_views: Math.floor(pick("page_views")),
  };
}

describe("notices", () => {
  it("are absent on a usual day after a usual week", async () => {
    const draws = createDraws(41);
    for (const count of [30, 300, 2_000]) assert.deepEqual(await codesOf(dayOf(drawRows(count, draws), drawRows(7 * count, draws))), []);
  });

  it("tell of sessions that have changed, and not of scores alone, which another model changes too", async () => {
    const draws = createDraws(42);
    const longer = (own: Draws): Drawn => {
      const visitor = drawVisitor(own);
      return { ...visitor, session_duration: Number((7.3 * visitor.session_duration!).toFixed(1)) };
    };
    const changed = drawRows(400, draws, { draw: longer });
    assert.deepEqual(await codesOf(dayOf(changed, drawRows(2_800, draws))), ["sudden_change"]);
    assert.deepEqual(await codesOf(dayOf(changed)), []);
    assert.deepEqual(await codesOf(dayOf(drawRows(400, draws, { score: () => 99 }), drawRows(2_800, draws, { score: () => 20 }))), []);
  });

  it("tell of sessions without a rhythm of day and night", async () => {
    const draws = createDraws(43);
    assert.deepEqual(await codesOf(dayOf(drawRows(600, draws, { time: anyTime }))), ["no_rhythm"]);
    assert.deepEqual(await codesOf(dayOf(drawRows(200, draws, { time: anyTime }))), []);
  });

  it("tell of signals that follow the published deciles", async () => {
    const draws = createDraws(44);
    for (const count of [600, 5_000]) assert.deepEqual(await codesOf(dayOf(drawRows(count, draws, { draw: drawPublished }))), ["like_published_quantiles"]);
  });

  it("tell of a surge, but not of a small site's growth", async () => {
    const draws = createDraws(45);
    assert.deepEqual(await codesOf(dayOf(drawRows(1_000, draws), drawRows(1_400, draws))), ["surge"]);
    assert.deepEqual(await codesOf(dayOf(drawRows(140, draws), drawRows(70, draws))), []);
  });

  it("tell of finely measured sessions that recur", async () => {
    const draws = createDraws(46);
    const fine = (own: Draws): Drawn => ({ ...drawVisitor(own), user_engagement: 0.1 + Math.round(800 * own.next()) / 1_000 + 0.0003, session_duration: 20.7 + Math.round(3_000 * own.next()) / 10, page_views: 3 });
    assert.deepEqual(await codesOf(dayOf(drawRows(300, draws, { draw: fine }))), []);
    const list = Array.from({ length: 100 }, () => fine(draws));
    assert.deepEqual(await codesOf(dayOf(drawRows(300, draws, { draw: (own) => list[Math.floor(own.next() * list.length)]! }))), ["repeated_sessions"]);
  });

  it("tell of attested calls of which most came from one network, if there were enough", async () => {
    const from = (calls: number, topCalls: number, parts = 1): NoticedDay => ({ ...dayOf([]), networks: { day: dayMs, calls, networks: 9, topCalls, parts } });
    assert.deepEqual(await codesOf(from(200, 100)), [], "half of them");
    assert.deepEqual(await codesOf(from(199, 199)), [], "too few calls");
    assert.deepEqual(await findNotices(from(200, 101), people), [{ code: "few_networks", statistic: 0.505, message: "51% of 200 attested calls came from one network." }]);
    assert.match((await findNotices(from(400, 400, 3), people))[0]!.message, /^100% of 400 attested calls came from the most frequent network that each of 3 processes saw\.$/);
    assert.deepEqual(await codesOf(dayOf([])), [], "nothing was attested");
  });

  it("include what an analysis finds, but for copies, which are a check's", async () => {
    const draws = createDraws(47);
    const loop = drawRows(400, draws, { draw: () => ({ user_engagement: 0.5, session_duration: 600, page_views: 2, interaction_count: 2 }) }).map((row, index) => ({ ...row, at: dayMs + index * 60_000 }));
    assert.deepEqual((await codesOf(dayOf(loop))).toSorted(), ["regular_intervals", "round_numbers", "unlike_people"]);
  });
});
