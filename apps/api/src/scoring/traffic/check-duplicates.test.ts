import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createDraws } from "../../../test/scoring/draw-sessions.ts";
import { type Drawn, type DrawnRow, drawSiteDay, drawVisitor, honestSites, toDrawnRow } from "../../../test/scoring/draw-sites.ts";
import { describeResult } from "../../money/evidence/day-result.ts";
import { addDay, type CheckName, type Evidence, startEvidence, weighChecks } from "../../money/evidence/e-process.ts";
import { boxShareMax, checkDay, equalShareMax } from "./check-duplicates.ts";
import { matchSessions } from "./match-sessions.ts";
import { tellingSignals, vectorOf } from "./session-kinds.ts";

const draws = createDraws(21);

/** One body for each number of telling signals; the last one is the example of the interface. */
const bodies: readonly Drawn[] = [
  { user_engagement: 0, session_duration: 0 },
  { user_engagement: 1, session_duration: 60, page_views: 1 },
  { user_engagement: 0.5, session_duration: 60 },
  { user_engagement: 0.5, session_duration: 60, page_views: 3 },
  { user_engagement: 0.5, session_duration: 60, page_views: 3, interaction_count: 9 },
  { user_engagement: 0.75, session_duration: 180, scroll_depth: 0.8, interaction_count: 12, page_views: 5, return_visitor: 1 },
];
const example = bodies.at(-1)!;

const makeDay = (count: number, make: (index: number) => Drawn): DrawnRow[] => Array.from({ length: count }, (_, index) => toDrawnRow(make(index)));
const resultOf = (check: CheckName, rows: readonly DrawnRow[]) => checkDay(rows).find((result) => result.check === check)!;

/** The account's evidence after each day. */
function* follow(days: number, makeRows: (day: number) => DrawnRow[]): Generator<number> {
  const evidence = new Map<CheckName, Evidence>();
  for (let day = 0; day < days; day += 1) {
    for (const { check, logRatio } of checkDay(makeRows(day))) evidence.set(check, addDay(evidence.get(check) ?? startEvidence(), logRatio));
    yield Math.exp(weighChecks(new Map([...evidence].map(([check, { logEvidence }]) => [check, logEvidence]))));
  }
}

function daysUntilFound(daysMax: number, makeRows: (day: number) => DrawnRow[]): number | undefined {
  let day = 0;
  for (const total of follow(daysMax, makeRows)) {
    day += 1;
    if (total >= 1_000) return day;
  }
  return undefined;
}

const vary = (value: number, part: number) => value * (1 + part * (2 * draws.next() - 1));
const jitter = (part: number): Drawn => ({
  user_engagement: Number(vary(0.75, part).toFixed(3)),
  session_duration: Number(vary(180, part).toFixed(1)),
  scroll_depth: Number(vary(0.8, part).toFixed(3)),
  interaction_count: Math.round(vary(12, part)),
  page_views: Math.round(vary(5, part)),
});
/** A session that the collector may have measured. */
const makeFine = (seed: number): Drawn => {
  const own = createDraws(seed);
  return {
    user_engagement: Number((0.05 + 0.9 * own.next()).toFixed(3)),
    session_duration: Number((10 + 300 * own.next()).toFixed(1)),
    interaction_count: 2 + Math.floor(10 * own.next()),
    page_views: 2 + Math.floor(5 * own.next()),
  };
};

/** A session like no other that tells nothing. */
const makeOther = (): Drawn => ({ user_engagement: 0, session_duration: Math.floor(1e9 * draws.next()) });

function averageOf(values: readonly number[]): { mean: number; error: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, error: Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0)) / values.length };
}

describe("the checks for repeated sessions", () => {
  for (const name of Object.keys(honestSites)) {
    it(`accuse no honest site: ${name}`, () => {
      for (const [perDay, days] of [[24, 60], [150, 20], [1_200, 8]] as const) {
        const most = Math.max(...follow(days, () => drawSiteDay(name, perDay, draws)));
        assert(most < 20, `evidence ${most} at ${perDay} a day`);
      }
    });
  }

  for (const [telling, body] of bodies.entries()) {
    it(`find a constant body with ${telling} telling signals at 1,000 calls a day within 3 days [threat: invented-sessions]`, () => {
      assert.equal(tellingSignals(vectorOf(toDrawnRow(body))), telling);
      assert.equal(daysUntilFound(3, () => makeDay(1_000, () => body)), 3);
    });
  }

  it("find a small constant loop of the example body, in weeks", () => {
    assert(daysUntilFound(35, () => makeDay(20, () => example))! <= 35);
    assert(daysUntilFound(10, () => makeDay(50, () => example))! <= 10);
  });

  it("find a loop with a jitter of a few percent within 7 days, at 1,000 and at 340 calls a day [threat: invented-sessions]", () => {
    assert.equal(daysUntilFound(7, () => makeDay(1_000, () => jitter(0.03))), 3);
    assert.equal(daysUntilFound(7, () => makeDay(1_000, () => jitter(0.05))), 3);
    assert(daysUntilFound(7, () => makeDay(340, () => jitter(0.03))) !== undefined);
  });

  it("find a pool of forty bodies, and one that is replaced every hundred calls, within 4 days", () => {
    assert(daysUntilFound(4, () => makeDay(1_000, () => makeFine(Math.floor(draws.next() * 40)))) !== undefined);
    assert(daysUntilFound(4, (day) => makeDay(1_000, (index) => makeFine(1_000 * day + Math.floor(index / 100)))) !== undefined);
  });

  it("find an account that turns after an honest year within 6 days", () => {
    let evidence = startEvidence();
    for (let day = 0; day < 365; day += 1) evidence = addDay(evidence, -20);
    const turned = resultOf("exact_duplicates", makeDay(1_000, () => example)).logRatio;
    const days = [1, 2, 3, 4, 5, 6, 7].find(() => weighChecks(new Map([["exact_duplicates", (evidence = addDay(evidence, turned)).logEvidence]])) >= Math.log(1_000));
    assert.equal(days, 6);
  });

  it("never make a finding of two days, however alike the calls", () => {
    assert.equal(daysUntilFound(40, (day) => (day % 20 < 2 ? makeDay(5_000, () => example) : drawSiteDay("usual", 200, draws))), undefined);
  });

  it("have a factor whose mean is at most 1 where a set is hit as often as a null allows", () => {
    // The numbers are the nulls as decision 21 states them.
    const nulls = [0.985, 0.985, 0.97, 0.95, 0.9, 0.85];
    assert.deepEqual(equalShareMax, nulls);
    for (const [telling, share] of nulls.entries()) {
      const [perDay, days] = telling < 3 ? [500, 100] : [100, 500];
      const ratios = Array.from({ length: days }, () => {
        const rows = makeDay(perDay, () => (draws.next() < share ? bodies[telling]! : makeOther()));
        return Math.exp(resultOf("exact_duplicates", rows).logRatio);
      });
      const { mean, error } = averageOf(ratios);
      assert(mean <= 1 + 3 * error, `${telling}: ${mean} ± ${error}`);
      assert(mean > 0.05, `${telling}: the boundary is where it is said to be, ${mean}`);
    }
  });

  it("do not count a session as like another where the box is filled as often as its null allows", () => {
    assert.deepEqual(boxShareMax, [1, 1, 0.985, 0.985, 0.98, 0.98]);
    const ratios = Array.from({ length: 150 }, () => {
      const rows = makeDay(400, () => (draws.next() < 0.98 ? jitter(0.03) : makeFine(Math.floor(1e9 * draws.next()))));
      return Math.exp(resultOf("near_duplicates", rows).logRatio);
    });
    const { mean, error } = averageOf(ratios);
    assert(mean <= 1 + 3 * error, `${mean} ± ${error}`);
  });

  it("take small counts as different that differ by one", () => {
    const pages = (count: number) => makeDay(400, () => ({ ...jitter(0.03), page_views: count + Math.floor(2 * draws.next()) }));
    assert(resultOf("near_duplicates", pages(2)).logRatio < 0);
    assert(resultOf("near_duplicates", pages(12)).logRatio > 0);
  });

  it("choose what they bet on from earlier sessions only", () => {
    const { hits, logRatio } = resultOf("exact_duplicates", makeDay(120, (index) => makeFine(5_000_000 + index)));
    assert.equal(hits, 0);
    assert(logRatio < 0);
  });

  it("do not depend on the order in which sessions are sent", () => {
    const rows = drawSiteDay("a queue that is sent in order of duration", 600, draws);
    const reversed = rows.toReversed();
    assert.deepEqual(checkDay(reversed), checkDay(rows));
  });

  it("keep that mean where every visit is sent three times", () => {
    const ratios = Array.from({ length: 1_000 }, () => {
      const visits = Array.from({ length: 15 }, () => (draws.next() < 0.9 ? bodies[4]! : makeOther()));
      const rows = visits.flatMap((visit) => [visit, visit, visit]).map(toDrawnRow);
      return Math.exp(resultOf("exact_duplicates", rows).logRatio);
    });
    const { mean, error } = averageOf(ratios);
    assert(mean <= 1 + 3 * error && mean > 0.05, `${mean} ± ${error}`);
  });

  it("name the sessions that they count, and no others", () => {
    const others = makeDay(30, () => drawVisitor(draws));
    const rows = [...makeDay(970, () => example), ...others];
    const { detail, hits, tested } = resultOf("exact_duplicates", rows);
    assert.deepEqual(matchSessions(detail, rows), rows.slice(0, 970).map(({ id }) => id));
    assert(hits >= 960 && hits <= 970 && tested === 996);
    const loop = [...makeDay(970, () => jitter(0.03)), ...others];
    assert.deepEqual(matchSessions(resultOf("near_duplicates", loop).detail, loop), loop.slice(0, 970).map(({ id }) => id));
  });

  it("say what they found, and of many identical calls that a monitor should use a test key", () => {
    const monitored = describeResult(resultOf("exact_duplicates", makeDay(1_440, () => example)));
    assert.equal(monitored.startsWith("1436 of 1436 calls (100%) repeat one and the same session, in every signal that was sent."), true);
    assert.match(monitored, /A monitor that calls with a live key looks like this: use a test key/);
    assert.doesNotMatch(describeResult(resultOf("exact_duplicates", makeDay(200, () => example))), /monitor/);
    assert.match(describeResult(resultOf("near_duplicates", makeDay(400, () => jitter(0.03)))), /^396 of 396 calls \(100%\) are within 15% of one session/);
  });

  it("let evidence fade on a day with too few sessions to test", () => {
    for (const count of [0, 1, 4]) {
      for (const { logRatio, tested } of checkDay(makeDay(count, () => example))) assert.deepEqual([addDay(startEvidence(), logRatio).logFactor, tested], [Math.log(0.5), 0]);
    }
  });
});
