import { clockToleranceMs, lateAfterMs, lateCreditMsMax, nextMsRanges, sessionLifeMs, tokenLifeMs } from "@assay/contract/attestation.ts";
import * as fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { creditBeat, type Delta, drawNextMs, hasExpired, startSession } from "./credit-beat.ts";
import { readState, type SessionState, writeState } from "./session-state.ts";

const startedMs = Date.UTC(2026, 2, 14, 23, 50);
const chance = 0.5;
const begin = (nowMs = startedMs): SessionState =>
  startSession({ siteId: "site_4fKq2ZpX8mNwR7bTcY1s", accountId: "acct_0Nq8w2K", network: "00ff10a0b1c2d3e4", issues: [], nowMs, chance });

const amounts = fc.oneof(fc.constant(undefined), fc.constant(0), fc.integer({ min: 0, max: 60_000 }), fc.double({ min: 0, max: 100_000, noNaN: true }), fc.constantFrom(0.999, 1e9, 2 ** 32, 1e12));
const deltas = fc.record({
  view_ms: amounts,
  active_ms: amounts,
  clicks: amounts,
  keys: amounts,
  pages: amounts,
  scroll: fc.oneof(fc.constantFrom(undefined, null, 0, -0, 1), fc.double({ min: 0, max: 1, noNaN: true })),
}) as fc.Arbitrary<Delta>;
/** Of the service's clock between two beats. It may be set back, and forward. */
const steps = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 60_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 100 }) },
  { weight: 1, arbitrary: fc.integer({ min: -3_600_000, max: 3_600_000 }) },
);
/** `of`: which of the tokens so far is sent; 0 is the newest. Older ones are replays, and make forks. */
const beats = fc.array(fc.record({ stepMs: steps, of: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(20) }), delta: deltas, chance: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }) }), {
  minLength: 1,
  maxLength: 60,
});

type Lived = { state: SessionState; parent: Lived | undefined };

/** What a client that says anything has made of a session, and the newest time that the service's clock has shown. */
function lie(schedule: typeof beats extends fc.Arbitrary<infer Beats> ? Beats : never): { all: Lived[]; latestMs: number } {
  let nowMs = startedMs;
  let latestMs = startedMs;
  const all: Lived[] = [{ state: begin(), parent: undefined }];
  for (const { stepMs, of, delta, chance: drawn } of schedule) {
    nowMs += stepMs;
    const parent = all.at(-1 - (of % all.length))!;
    if (hasExpired(parent.state, nowMs)) continue;
    latestMs = Math.max(latestMs, nowMs);
    const state = creditBeat(parent.state, delta, { nowMs, chance: drawn });
    assert(state.lastMs >= nowMs);
    all.push({ state, parent });
  }
  return { all, latestMs };
}

/** Of a token: the ones that it came from, itself first. */
function lineOf(token: Lived): SessionState[] {
  const line: SessionState[] = [];
  for (let each: Lived | undefined = token; each; each = each.parent) line.push(each.state);
  return line;
}

describe("credit of beats, whatever a page says", () => {
  it("is never more than passed on the service's clock and a second, over the session and every part of it [threat: forged-time]", () => {
    fc.assert(
      fc.property(beats, (schedule) => {
        const { all, latestMs } = lie(schedule);
        for (const token of all) {
          const line = lineOf(token);
          const { state: last } = token;
          assert(last.lastMs <= latestMs);
          for (const earlier of line) {
            const creditMs = last.viewMs - earlier.viewMs;
            assert(creditMs >= 0 && creditMs <= last.lastMs - earlier.lastMs + clockToleranceMs, `${creditMs} ms in ${last.lastMs - earlier.lastMs} ms`);
          }
        }
      }),
      { numRuns: 1_500 },
    );
  });

  it("of any number of forks and replays is never more than that of one session [threat: forked-token]", () => {
    // Every copy of the token is sent at every moment: the best of them is still bounded by the clock.
    let copies = [begin()];
    for (let nth = 1; nth <= 6; nth += 1) {
      const nowMs = startedMs + nth * 5_000;
      copies = copies.flatMap((copy) => [copy, creditBeat(copy, { view_ms: 1e12, active_ms: 1e12, clicks: 1e12, keys: 1e12, pages: 1e12 }, { nowMs, chance })]);
    }
    assert.equal(new Set(copies.map(({ id }) => id)).size, 1, "all of them are one session");
    assert.equal(Math.max(...copies.map(({ viewMs }) => viewMs)), 31_000);
  });

  it("of a late beat is at most 30 seconds, and says so if that cut it [threat: forged-time]", () => {
    fc.assert(
      fc.property(deltas, fc.integer({ min: 0, max: tokenLifeMs }), (delta, passedMs) => {
        const before = begin();
        const after = creditBeat(before, delta, { nowMs: startedMs + passedMs, chance });
        const reportedMs = Math.floor(delta.view_ms ?? 0);
        const isLate = passedMs > before.nextMs + lateAfterMs;
        if (isLate) assert.equal(after.viewMs, Math.min(reportedMs, lateCreditMsMax));
        else assert.equal(after.viewMs, Math.min(reportedMs, passedMs + clockToleranceMs));
        assert.equal(after.issues.has("late_beats"), isLate && reportedMs > lateCreditMsMax);
      }),
      { numRuns: 1_000 },
    );
  });

  it("keeps activity within the time in view, counts within what people can do, and totals from falling [threat: forged-time]", () => {
    fc.assert(
      fc.property(beats, (schedule) => {
        for (const { state, parent } of lie(schedule).all) {
          const seconds = (state.lastMs - state.startedMs) / 1_000;
          assert(state.activeMs <= state.viewMs);
          assert(state.interactions <= (seconds + 1) * 8 && state.pages <= seconds * 4 + 1);
          assert(state.scrolled === -1 || (state.scrolled >= 0 && state.scrolled <= 1));
          assert(state.slackMs >= 0 && state.slackMs <= clockToleranceMs);
          for (const name of ["viewMs", "activeMs", "interactions", "pages", "beats", "nextMs", "slackMs"] as const) assert(Number.isSafeInteger(state[name]) && state[name] >= 0 && state[name] < 2 ** 32, name);
          if (!parent) continue;
          for (const name of ["viewMs", "activeMs", "interactions", "pages", "scrolled", "lastMs"] as const) assert(state[name] >= parent.state[name], name);
          assert.equal(state.beats, parent.state.beats + 1);
          for (const name of ["id", "siteId", "accountId", "startedMs", "network"] as const) assert.equal(state[name], parent.state[name]);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("survives being written into a token and read again, exactly", () => {
    fc.assert(
      fc.property(beats, fc.subarray(["crowded_network", "late_beats", "proxied", "origin_mismatch"] as const), (schedule, issues) => {
        for (const { state } of lie(schedule).all) {
          const noted = { ...state, issues: new Set([...state.issues, ...issues]) };
          assert.deepEqual(readState(writeState(noted)), noted);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("is all that an honest page measures, if its beats come in time", () => {
    const delays = fc.array(fc.record({ lateMs: fc.integer({ min: 0, max: lateAfterMs }), chance: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), seen: fc.double({ min: 0, max: 1, noNaN: true }) }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(delays, (schedule) => {
        let state = begin();
        let measuredMs = 0;
        for (const { lateMs, chance: drawn, seen } of schedule) {
          const passedMs = state.nextMs + lateMs;
          const viewMs = Math.floor(passedMs * seen);
          measuredMs += viewMs;
          state = creditBeat(state, { view_ms: viewMs, active_ms: viewMs, clicks: 1, pages: 1, scroll: seen }, { nowMs: state.lastMs + passedMs, chance: drawn });
        }
        assert.deepEqual([state.viewMs, state.activeMs, state.issues.size, state.interactions, state.pages], [measuredMs, measuredMs, 0, schedule.length, schedule.length]);
      }),
    );
  });

  it("forgives a second of a browser's clock again and again, once it has fallen behind as much", () => {
    let state = begin();
    const beat = (passedMs: number, viewMs: number) => {
      const beforeMs = state.viewMs;
      state = creditBeat(state, { view_ms: viewMs }, { nowMs: state.lastMs + passedMs, chance });
      return state.viewMs - beforeMs;
    };
    assert.deepEqual([beat(4_000, 5_000), beat(4_000, 4_500), beat(4_000, 3_400), beat(4_000, 5_000)], [5_000, 4_000, 3_400, 4_600]);
    assert.deepEqual([beat(4_000, 0), beat(4_000, 9_000)], [0, 5_000], "what is forgiven never exceeds one second");
  });

  it("is nothing while the service's clock, having been set back, has not caught up [threat: forged-time]", () => {
    let state = creditBeat(begin(), { view_ms: 1e12 }, { nowMs: startedMs + 10_000, chance });
    assert.equal(state.viewMs, 11_000);
    for (const nowMs of [startedMs - 3_600_000, startedMs, startedMs + 9_999, startedMs + 10_000]) {
      state = creditBeat(state, { view_ms: 1e12 }, { nowMs, chance });
      assert.deepEqual([state.viewMs, state.lastMs], [11_000, startedMs + 10_000]);
    }
  });
});

describe("a session", () => {
  it("draws its next beat from the published range of its place, both ends included", () => {
    for (const [beatsSoFar, [from, to]] of [[0, nextMsRanges[0]], [1, nextMsRanges[1]], [2, nextMsRanges[2]], [3, nextMsRanges[2]], [5_000, nextMsRanges[2]]] as const) {
      assert.deepEqual([drawNextMs(beatsSoFar, 0), drawNextMs(beatsSoFar, 1 - Number.EPSILON)], [from, to]);
    }
  });

  it("expires 30 minutes after its last beat and 24 hours after its start, to the millisecond", () => {
    const state = begin();
    assert.deepEqual([hasExpired(state, startedMs + tokenLifeMs), hasExpired(state, startedMs + tokenLifeMs + 1)], [false, true]);
    const old = { ...state, lastMs: startedMs + sessionLifeMs - 1 };
    assert.deepEqual([hasExpired(old, startedMs + sessionLifeMs), hasExpired(old, startedMs + sessionLifeMs + 1)], [false, true]);
  });
});
