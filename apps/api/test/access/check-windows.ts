// oxlint-disable no-await-in-loop -- each call depends on the state that the previous one left.
import assert from "node:assert/strict";
import * as fc from "fast-check";
import type { LimitOutcome, Quota, WindowState } from "../../src/access/limits/limiter.ts";

/** Some calls at one moment. `obeys`: if refused, waits for retryAfterSeconds and must then be accepted. */
type Visit = { afterMs: number; calls: number; quota: Quota; obeys: boolean };

/** The limiter under test: decides on `calls` calls, in order, at one moment. */
type Decide = (nowMs: number, calls: number, quota: Quota) => Promise<LimitOutcome[]>;

const hourWindow = { lengthMs: 3_600_000, bucketMs: 60_000 };
const burstWindow = { lengthMs: 60_000, bucketMs: 1_000 };

const quotas = fc.record({
  perHour: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 60 })),
  perMinute: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 30 })),
});

/** Gaps within buckets, on their edges, on the edges of the windows, and far beyond them. */
const gapsMs = fc.oneof(
  fc.constantFrom(0, 1, 999, 1_000, 1_001, 59_999, 60_000, 60_001, 61_000, 3_599_999, 3_600_000, 3_660_000),
  fc.integer({ min: 0, max: 3_000 }),
  fc.integer({ min: 0, max: 90_000 }),
  fc.integer({ min: 0, max: 8_000_000 }),
);

/** Mostly one quota throughout; sometimes a tier that changes in between. */
export const visits: fc.Arbitrary<Visit[]> = fc.tuple(quotas, fc.array(quotas, { maxLength: 2 })).chain(
  ([first, others]) =>
    fc.array(
      fc.record({
        afterMs: gapsMs,
        calls: fc.integer({ min: 1, max: 15 }),
        quota: fc.constantFrom(first, first, ...others),
        obeys: fc.boolean(),
      }),
      { minLength: 1, maxLength: 40 },
    ),
);

/** Replays the visits and compares each decision with an exact log of the accepted calls. */
export async function checkWindows(options: { startMs: number; visits: Visit[]; decide: Decide }): Promise<void> {
  const log: number[] = [];
  let nowMs = options.startMs;

  const within = (spanMs: number): number => log.filter((atMs) => nowMs - atMs <= spanMs).length;

  const decideAndCheck = async (calls: number, quota: Quota): Promise<LimitOutcome> => {
    const outcomes = await options.decide(nowMs, calls, quota);
    assert.equal(outcomes.length, calls);
    for (const outcome of outcomes) {
      if (outcome.allowed) log.push(nowMs);
      checkVerdict(outcome, quota);
      checkState(outcome.hour, { ...hourWindow, limit: quota.perHour });
      checkState(outcome.burst, { ...burstWindow, limit: quota.perMinute });
    }
    return outcomes[calls - 1] as LimitOutcome;
  };

  const checkVerdict = (outcome: LimitOutcome, quota: Quota): void => {
    if (outcome.allowed) {
      assert(within(hourWindow.lengthMs) <= quota.perHour, "at most the limit in the past hour");
      assert(within(burstWindow.lengthMs) <= quota.perMinute, "at most the limit in the past minute");
      return;
    }
    const hourFull = within(hourWindow.lengthMs + hourWindow.bucketMs - 1) >= quota.perHour;
    const burstFull = within(burstWindow.lengthMs + burstWindow.bucketMs - 1) >= quota.perMinute;
    assert(hourFull || burstFull, "refused for at most a sixtieth of the window longer than necessary");
    assert(Number.isInteger(outcome.retryAfterSeconds) && outcome.retryAfterSeconds >= 1);
    assert.equal(outcome[outcome.limit].remaining, 0);
    assert.equal(outcome[outcome.limit].resetSeconds, outcome.retryAfterSeconds);
  };

  const checkState = (state: WindowState, window: { lengthMs: number; bucketMs: number; limit: number }): void => {
    const usedMin = within(window.lengthMs);
    const usedMax = within(window.lengthMs + window.bucketMs - 1);
    assert(state.remaining <= Math.max(0, window.limit - usedMin), "remaining is not too high");
    assert(state.remaining >= Math.max(0, window.limit - usedMax), "remaining is not too low, except for rounding");
    assert(Number.isInteger(state.resetSeconds) && state.resetSeconds >= 0);
    assert(state.resetSeconds * 1000 <= window.lengthMs + window.bucketMs);
    if (usedMin > 0) assert(state.resetSeconds >= 1);
    if (usedMax === 0) assert.equal(state.resetSeconds, 0);
  };

  for (const visit of options.visits) {
    nowMs += visit.afterMs;
    const last = await decideAndCheck(visit.calls, visit.quota);
    if (last.allowed || !visit.obeys) continue;
    nowMs += (last.retryAfterSeconds - 1) * 1000;
    if (last.retryAfterSeconds > 1) {
      const early = await decideAndCheck(1, visit.quota);
      assert.equal(early.allowed, false, "a second earlier the call is still refused");
    }
    nowMs += 1000;
    const retried = await decideAndCheck(1, visit.quota);
    assert.equal(retried.allowed, true, "a call is accepted after retryAfterSeconds");
  }
}
