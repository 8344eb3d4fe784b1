import fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decideTry, networkOf, type ThrottleRule, type Tries } from "./throttle-rule.ts";

/** Makes an attempt at each moment; returns which were allowed and which refused. */
function tryAt(rule: ThrottleRule, moments: readonly number[]): { allowedAt: number[]; refusals: { atMs: number; retryAtMs: number }[] } {
  let known: Tries | undefined;
  const allowedAt: number[] = [];
  const refusals: { atMs: number; retryAtMs: number }[] = [];
  for (const atMs of moments) {
    const decision = decideTry(rule, known, atMs);
    if (decision.allowed) {
      known = decision.next;
      allowedAt.push(atMs);
    } else refusals.push({ atMs, retryAtMs: decision.retryAtMs });
  }
  return { allowedAt, refusals };
}

const moments = fc.array(fc.nat({ max: 100_000 }), { maxLength: 200 }).map((gaps) => {
  let now = 1_000_000;
  return gaps.map((gap) => (now += gap % 3_000));
});

describe("a window of attempts", () => {
  const rule = { kind: "window", triesMax: 5, windowMs: 60_000 } as const;

  it("allows at most triesMax attempts, and refuses none for longer than the window", () => {
    fc.assert(
      fc.property(moments, (at) => {
        const { allowedAt, refusals } = tryAt(rule, at);
        let start = Number.NEGATIVE_INFINITY;
        let count = 0;
        for (const atMs of allowedAt) {
          if (atMs >= start + rule.windowMs) [start, count] = [atMs, 0];
          count += 1;
          assert(count <= rule.triesMax);
        }
        for (const { atMs, retryAtMs } of refusals) assert(retryAtMs > atMs && retryAtMs <= atMs + rule.windowMs);
      }),
    );
    assert.deepEqual(tryAt(rule, [0, 1, 2, 3, 4, 5, 59_999, 60_000]).allowedAt, [0, 1, 2, 3, 4, 60_000]);
  });
});

describe("back-off after wrong passwords", () => {
  const rule = { kind: "backoff", freeTries: 3, waitMs: 1_000, waitMsMax: 8_000, forgetMs: 60_000 } as const;

  it("starts after the free attempts, doubles each time and stays within its bound", () => {
    const waits: number[] = [];
    let known: Tries | undefined;
    let now = 0;
    for (let tries = 0; tries < 12; tries += 1) {
      const decision = decideTry(rule, known, now);
      assert(decision.allowed);
      known = decision.next;
      waits.push(Math.max(0, known.blockedUntilMs - now));
      now = Math.max(now, known.blockedUntilMs);
    }
    assert.deepEqual(waits, [0, 0, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000, 8_000, 8_000, 8_000]);
  });

  it("refuses while blocked, and allows an attempt at the announced time", () => {
    fc.assert(
      fc.property(moments, (at) => {
        let known: Tries | undefined;
        for (const atMs of at) {
          const decision = decideTry(rule, known, atMs);
          if (decision.allowed) {
            assert(known === undefined || atMs >= known.blockedUntilMs);
            known = decision.next;
          } else {
            assert(decision.retryAtMs - atMs <= rule.waitMsMax, "no wait exceeds the bound");
            assert(decideTry(rule, known, decision.retryAtMs).allowed);
            assert(!decideTry(rule, known, decision.retryAtMs - 1).allowed);
          }
        }
      }),
    );
  });

  it("starts over after forgetMs without attempts", () => {
    const known = { tries: 50, sinceMs: 0, blockedUntilMs: 8_000 };
    const decision = decideTry(rule, known, 60_000);
    assert(decision.allowed && decision.next.tries === 1 && decision.next.blockedUntilMs === 0);
  });

  it("stays finite after any number of attempts", () => {
    const decision = decideTry(rule, { tries: 1_000_000, sinceMs: 10, blockedUntilMs: 11 }, 20);
    assert(decision.allowed && decision.next.blockedUntilMs === 20 + rule.waitMsMax);
  });
});

describe("networks that are counted together", () => {
  it("each IPv4 address alone, also as an IPv4-mapped IPv6 address", () => {
    assert.equal(networkOf("192.0.2.7"), "192.0.2.7");
    assert.equal(networkOf("::ffff:192.0.2.7"), "192.0.2.7");
    assert.notEqual(networkOf("192.0.2.7"), networkOf("192.0.2.8"));
  });

  it("all IPv6 addresses of a /64, in every notation", () => {
    const same = ["2001:db8:1:2::1", "2001:0db8:0001:0002:0000:0000:0000:0009", "2001:DB8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2:3:4:5:6%eth0"];
    assert.deepEqual(new Set(same.map(networkOf)), new Set(["2001:db8:1:2::/64"]));
    assert.equal(networkOf("::1"), "0:0:0:0::/64");
    assert.notEqual(networkOf("2001:db8:1:3::1"), networkOf("2001:db8:1:2::1"));
  });
});
