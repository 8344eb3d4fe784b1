import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createDraws } from "../../../test/scoring/draw-sessions.ts";
import { type Drawn, drawSiteDay, toDrawnRow } from "../../../test/scoring/draw-sites.ts";
import { describeResult } from "../../money/evidence/day-result.ts";
import { logFactorOf } from "../../money/evidence/e-process.ts";
import { checkShared, finenessBitsOf, markOf } from "./check-shared.ts";
import { matchSessions } from "./match-sessions.ts";

const fineness = (signals: Drawn) => finenessBitsOf(toDrawnRow(signals));
const fine: Drawn = { user_engagement: 0.7312, session_duration: 184.237, scroll_depth: 0.8141, interaction_count: 12, page_views: 5 };

describe("the check for sessions that two accounts send", () => {
  it("compares only sessions that were measured finely", () => {
    assert(fineness(fine) >= 25);
    // As the collector rounds.
    assert(fineness({ ...fine, session_duration: 184.3, user_engagement: 0.731, scroll_depth: 0.814 }) >= 25);
    const coarse: Drawn[] = [
      { ...fine, session_duration: 184, user_engagement: 0.73, scroll_depth: 0.8 },
      // Thirds have many decimals, and so has a share of a few steps.
      { ...fine, session_duration: 184.333, user_engagement: 0.6667, scroll_depth: 0.5 },
      { ...fine, session_duration: 60, user_engagement: 0.6167, scroll_depth: 0.333 },
      { user_engagement: 0, session_duration: 184.237, interaction_count: 1, page_views: 1 },
      { user_engagement: 0, session_duration: 0 },
    ];
    for (const signals of coarse) assert(fineness(signals) < 25, JSON.stringify(signals));
  });

  it("marks one in eight of them, the same ones in every account, and never a coarse one", () => {
    const rows = drawSiteDay("measured finely", 20_000, createDraws(3));
    const wellMeasured = rows.filter((row) => finenessBitsOf(row) >= 25);
    const marks = wellMeasured.map(markOf).filter((mark) => mark !== undefined);
    assert(wellMeasured.length > 4_000);
    assert(Math.abs(marks.length / wellMeasured.length - 1 / 8) < 0.02);
    assert.deepEqual(rows.map((row) => markOf({ ...row, id: "another" } as typeof row)), rows.map(markOf));
    for (const name of ["two signals, in quarters and minutes", "check-in of three steps, in minutes", "quiz paced by the server, whole seconds"]) {
      assert.equal(drawSiteDay(name, 2_000, createDraws(4)).some((row) => markOf(row) !== undefined), false, name);
    }
  });

  it("finds next to no equal marks in the traffic of two honest sites that measure alike", () => {
    const marksOf = (seed: number) => new Set(drawSiteDay("measured finely", 60_000, createDraws(seed)).map(markOf).filter((mark) => mark !== undefined));
    const [one, other] = [marksOf(5), marksOf(6)];
    assert(one.size > 1_000);
    assert([...other].filter((mark) => one.has(mark)).length <= 1);
  });

  it("bets on a share above four fifths: half of the sessions may be another's too", () => {
    const marks = (count: number) => Array.from({ length: count }, (_, index) => 8 * index);
    assert(checkShared({ tested: 100, hits: marks(50) }).logRatio < 0);
    assert(checkShared({ tested: 100, hits: marks(80) }).logRatio < 0);
    assert.equal(logFactorOf(checkShared({ tested: 100, hits: marks(100) }).logRatio), Math.log(31));
    assert.equal(logFactorOf(checkShared({ tested: 0, hits: [] }).logRatio), Math.log(0.5));
  });

  it("names what it found", () => {
    const rows = drawSiteDay("measured finely", 400, createDraws(7));
    const marked = rows.filter((row) => markOf(row) !== undefined);
    const result = checkShared({ tested: marked.length, hits: marked.map((row) => markOf(row)!) });
    assert.deepEqual(matchSessions(result.detail, rows), marked.map(({ id }) => id));
    assert.match(describeResult(result), /\(100%\) had been sent by another account before/);
  });
});
