// oxlint-disable no-await-in-loop -- each call must find what the one before it left.
import assert from "node:assert/strict";
import * as fc from "fast-check";
import type { LimitOutcome, Quota, WindowState } from "../../src/access/limits/limiter.ts";

/** Some calls at one moment. `obeys`: when refused, waits as told and must then pass. */
type Visit = { afterMs: number; calls: number; quota: Quota; obeys: boolean };

/** The limiter under test: decides `calls` calls, in order, at a moment. */
type Decide = (nowMs: number, calls: number, quota: Quota) => Promise<LimitOutcome[]>;

const hourWindow = { lengthMs: 3_600_000, bucketMs: 60_000 };
const burstWindow = { lengthMs: 60_000, bucketMs: 1_000 };

const quotas = fc.record({
  perHour: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 60 })),
  perMinute: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 30 })),
});

/** Gaps that fall within buckets, on their edges, on the windows' edges, and far beyond them. */
const gapsMs = fc.oneof(
  fc.constantFrom(0, 1, 999, 1_000, 1_001, 59_999, 60_000, 60_001, 61_000, 3_599_999, 3_600_000, 3_660_000),
  fc.integer({ min: 0, max: 3_000 }),
  fc.integer({ min: 0, max: 90_000 }),
  fc.integer({ min: 0, max: 8_000_000 }),
);

/** Mostly one quota throughout; now and then a tier that changes under way. */
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

/** Walks through the visits beside a plain log of granted calls, which knows the truth to the millisecond. */
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
      assert(within(hourWindow.lengthMs) <= quota.perHour, "no more than the limit in the hour that ends now");
      assert(within(burstWindow.lengthMs) <= quota.perMinute, "no more than the limit in the minute that ends now");
      return;
    }
    const hourFull = within(hourWindow.lengthMs + hourWindow.bucketMs - 1) >= quota.perHour;
    const burstFull = within(burstWindow.lengthMs + burstWindow.bucketMs - 1) >= quota.perMinute;
    assert(hourFull || burstFull, "refused at most a sixtieth of the window longer than needed");
    assert(Number.isInteger(outcome.retryAfterSeconds) && outcome.retryAfterSeconds >= 1);
    assert.equal(outcome[outcome.limit].remaining, 0);
    assert.equal(outcome[outcome.limit].resetSeconds, outcome.retryAfterSeconds);
  };

  const checkState = (state: WindowState, window: { lengthMs: number; bucketMs: number; limit: number }): void => {
    const usedMin = within(window.lengthMs);
    const usedMax = within(window.lengthMs + window.bucketMs - 1);
    assert(state.remaining <= Math.max(0, window.limit - usedMin), "remaining promises no more than there is");
    assert(state.remaining >= Math.max(0, window.limit - usedMax), "remaining hides no more than the rounding");
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
      assert.equal(early.allowed, false, "a second earlier would not have done");
    }
    nowMs += 1000;
    const told = await decideAndCheck(1, visit.quota);
    assert.equal(told.allowed, true, "a call passes after retryAfterSeconds");
  }
}
