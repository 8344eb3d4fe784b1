import fc from "fast-check";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { activePauseMsMax, endPause, isOver, newTotals, passTime, sessionPauseMsMax, signalsOf } from "./session-totals.ts";

const startMs = 1_800_000_000_000;

/** Plays pauses in view, each ended by activity, and then a last one without. */
function play(pausesMs: readonly number[], lastMs: number) {
  const totals = newTotals(startMs);
  let nowMs = startMs;
  for (const pauseMs of pausesMs) {
    nowMs += pauseMs;
    passTime(totals, nowMs);
    endPause(totals);
  }
  passTime(totals, nowMs + lastMs);
  return totals;
}

describe("the share of time with activity", () => {
  const pause = fc.integer({ min: 0, max: sessionPauseMsMax - 1 });

  it("counts up to 30 seconds of each pause, including the first and the last", () => {
    assert.equal(signalsOf(play([20_000, 60_000], 20_000)).user_engagement, 0.7);
    assert.equal(signalsOf(play([10_000], 0)).user_engagement, 1);
  });

  it("matches the table in docs/signals.md", () => {
    const page = readFileSync(new URL("../../../../docs/signals.md", import.meta.url), "utf8");
    const everyFewSeconds = Array.from({ length: 30 }, () => 4_000);
    for (const [pauses, last, row] of [
      [[], 120_000, "| 120 s | 0 s | 0 |"],
      [[10_000, 90_000], 20_000, "| 120 s | 10 + 30 + 20 s | 0.5 |"],
      [everyFewSeconds, 0, "| 120 s | 120 s | 1 |"],
      [[2_000], 3_600_000, "| 1,802 s | 2 + 30 s | 0.018 |"],
    ] as const) {
      const { user_engagement, session_duration } = signalsOf(play(pauses, last));
      assert.ok(row.startsWith(`| ${session_duration.toLocaleString("en")} s |`) && row.endsWith(` ${user_engagement} |`), row);
      assert.ok(page.includes(row), row);
    }
  });

  it("is 0 for a page without activity, however long it was in view", () => {
    fc.assert(fc.property(pause, (ms) => signalsOf(play([], ms)).user_engagement === 0));
  });

  it("is the sum of capped pauses over the time in view, whatever the pauses", () => {
    fc.assert(
      fc.property(fc.array(pause, { minLength: 1, maxLength: 50 }), pause, (pauses, last) => {
        const all = [...pauses, last];
        const sum = all.reduce((total, ms) => total + ms, 0);
        const active = all.reduce((total, ms) => total + Math.min(ms, activePauseMsMax), 0);
        const { user_engagement, session_duration } = signalsOf(play(pauses, last));
        assert.ok(user_engagement >= 0 && user_engagement <= 1);
        assert.equal(session_duration, Math.round(sum / 100) / 10);
        assert.ok(Math.abs(user_engagement - (sum > 0 ? active / sum : 0)) <= 0.000_5);
      }),
    );
  });

  it("does not depend on how often the time is updated", () => {
    fc.assert(
      fc.property(fc.array(pause, { maxLength: 20 }), pause, fc.integer({ min: 1, max: 20 }), (pauses, last, looks) => {
        const once = play(pauses, last);
        const often = play(pauses, 0);
        const fromMs = often.seenMs;
        for (let look = 1; look <= looks; look += 1) passTime(often, fromMs + Math.round((last * look) / looks));
        assert.deepEqual(signalsOf(often), signalsOf(once));
      }),
    );
  });
});

describe("clocks and long pauses", () => {
  it("loses nothing when the clock is set back", () => {
    const totals = play([10_000], 5_000);
    passTime(totals, startMs - 3_600_000);
    passTime(totals, startMs - 3_600_000 + 1_000);
    assert.equal(signalsOf(totals).session_duration, 16);
  });

  it("ends a session after half an hour without activity, and counts no more of the pause", () => {
    const totals = play([10_000], 8 * 3_600_000);
    assert.equal(signalsOf(totals).session_duration, 10 + sessionPauseMsMax / 1_000);
    assert.equal(isOver(totals, totals.seenMs), true);
    assert.equal(isOver(play([10_000], sessionPauseMsMax - 1), startMs + 10_000 + sessionPauseMsMax - 1), false);
  });
});
