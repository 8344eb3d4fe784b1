import assert from "node:assert/strict";
import { it } from "node:test";
import * as fc from "fast-check";
import { checkWindows, visits } from "../../../test/access/check-windows.ts";
import { createMemoryLimiter, type MemoryLimiter } from "./memory-limiter.ts";

function limiterAt(startMs: number): { limiter: MemoryLimiter; clock: { nowMs: number } } {
  const clock = { nowMs: startMs };
  return { limiter: createMemoryLimiter({ nowMs: () => clock.nowMs }), clock };
}

it("agrees with a plain log of calls for all quotas and times", async () => {
  const starts = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 10_000_000 }));
  const fractions = fc.double({ min: 0, max: 0.999, noNaN: true });
  await fc.assert(
    fc.asyncProperty(starts, fractions, visits, async (startMs, fraction, list) => {
      const { limiter, clock } = limiterAt(startMs);
      await checkWindows({
        startMs,
        visits: list,
        decide: async (nowMs, calls, quota) => {
          clock.nowMs = nowMs + fraction;
          return Array.from({ length: calls }, () => limiter.consume("a", quota));
        },
      });
    }),
    { numRuns: 500 },
  );
});

it("a refused call uses quota of neither window", () => {
  const { limiter, clock } = limiterAt(0);
  const quota = { perHour: 3, perMinute: 2 };
  for (let call = 0; call < 2; call += 1) assert(limiter.consume("a", quota).allowed);
  for (let call = 0; call < 50; call += 1) {
    assert.deepEqual(limiter.consume("a", quota), {
      allowed: false,
      limit: "burst",
      retryAfterSeconds: 61,
      hour: { remaining: 1, resetSeconds: 3660 },
      burst: { remaining: 0, resetSeconds: 61 },
    });
  }
  clock.nowMs = 61_000;
  assert(limiter.consume("a", quota).allowed);
  const refused = limiter.consume("a", quota);
  assert(!refused.allowed);
  assert.equal(refused.limit, "hour");
  assert.equal(refused.burst.remaining, 1);
});

it("a changed quota applies from the next call", () => {
  const { limiter } = limiterAt(0);
  for (let call = 0; call < 10; call += 1) limiter.consume("a", { perHour: 100, perMinute: 10 });
  assert(!limiter.consume("a", { perHour: 100, perMinute: 10 }).allowed);
  assert.deepEqual(limiter.consume("a", { perHour: 100, perMinute: 12 }).burst, { remaining: 1, resetSeconds: 61 });
  assert.deepEqual(limiter.consume("a", { perHour: 5, perMinute: 12 }).hour, { remaining: 0, resetSeconds: 3660 });
});

it("under a lowered limit a caller waits until enough calls have left the window, not only the oldest", () => {
  const { limiter, clock } = limiterAt(0);
  for (let call = 0; call < 10; call += 1) {
    limiter.consume("a", { perHour: 100, perMinute: 10 });
    clock.nowMs += 2_000;
  }
  const refused = limiter.consume("a", { perHour: 100, perMinute: 3 });
  assert(!refused.allowed);
  // Calls of seconds 0 to 14 must leave: the last of them leaves at 14 + 61, and it is second 20.
  assert.equal(refused.retryAfterSeconds, 55);
});

it("a limit of 0 refuses every call and names a whole window as the wait", () => {
  const { limiter } = limiterAt(0);
  const refused = limiter.consume("a", { perHour: 0, perMinute: 10 });
  assert(!refused.allowed);
  assert.equal(refused.limit, "hour");
  assert.equal(refused.retryAfterSeconds, 3600);
});

it("subjects do not share windows", () => {
  const { limiter } = limiterAt(0);
  const quota = { perHour: 1, perMinute: 1 };
  assert(limiter.consume("a", quota).allowed);
  assert(limiter.consume("b", quota).allowed);
  assert(!limiter.consume("a", quota).allowed);
});

it("recorded calls count like consumed ones, and peek consumes nothing", () => {
  const { limiter } = limiterAt(0);
  const quota = { perHour: 10, perMinute: 5 };
  limiter.record("a", 4);
  limiter.record("a", 0);
  assert.deepEqual(limiter.peek("a", quota).burst, { used: 4, resetMs: 61_000 });
  assert(limiter.consume("a", quota).allowed);
  assert(!limiter.consume("a", quota).allowed);
  assert.equal(limiter.peek("a", quota).hour.used, 5);
});

it("idle subjects are evicted, and one with counted calls is not", () => {
  const { limiter, clock } = limiterAt(0);
  const quota = { perHour: 1, perMinute: 1 };
  for (let subject = 0; subject < 1_000; subject += 1) limiter.consume(`idle-${subject}`, quota);
  clock.nowMs = 3_000_000;
  limiter.consume("kept", quota);
  clock.nowMs = 3_700_000;
  for (let call = 0; call < 2_000; call += 1) limiter.consume("busy", { perHour: 1_000, perMinute: 1_000 });
  assert.equal(limiter.subjectCount(), 2);
  assert(!limiter.consume("kept", quota).allowed);
});
