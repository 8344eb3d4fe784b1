import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { decideTry, networkOf, type ThrottleRule, type Tries } from "./throttle-rule.ts";

/** Tries at these moments, in order; tells which were let through, and when. */
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

describe("a window of tries", () => {
  const rule = { kind: "window", triesMax: 5, windowMs: 60_000 } as const;

  it("lets at most its number through before it ends, and refuses nobody for longer than it lasts", () => {
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

describe("waiting longer after every wrong password", () => {
  const rule = { kind: "backoff", freeTries: 3, waitMs: 1_000, waitMsMax: 8_000, forgetMs: 60_000 } as const;

  it("asks for nothing at first, then for twice as long each time, and never for more than its bound", () => {
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

  it("lets nobody through while blocked, and always lets somebody through at the moment it named", () => {
    fc.assert(
      fc.property(moments, (at) => {
        let known: Tries | undefined;
        for (const atMs of at) {
          const decision = decideTry(rule, known, atMs);
          if (decision.allowed) {
            assert(known === undefined || atMs >= known.blockedUntilMs);
            known = decision.next;
          } else {
            assert(decision.retryAtMs - atMs <= rule.waitMsMax, "nobody is shut out for longer than the bound");
            assert(decideTry(rule, known, decision.retryAtMs).allowed);
            assert(!decideTry(rule, known, decision.retryAtMs - 1).allowed);
          }
        }
      }),
    );
  });

  it("forgets after a while without tries", () => {
    const known = { tries: 50, sinceMs: 0, blockedUntilMs: 8_000 };
    const decision = decideTry(rule, known, 60_000);
    assert(decision.allowed && decision.next.tries === 1 && decision.next.blockedUntilMs === 0);
  });

  it("stays finite however long the row of tries is", () => {
    const decision = decideTry(rule, { tries: 1_000_000, sinceMs: 10, blockedUntilMs: 11 }, 20);
    assert(decision.allowed && decision.next.blockedUntilMs === 20 + rule.waitMsMax);
  });
});

describe("whose tries count together", () => {
  it("an IPv4 address by itself, also when it is written as IPv6", () => {
    assert.equal(networkOf("192.0.2.7"), "192.0.2.7");
    assert.equal(networkOf("::ffff:192.0.2.7"), "192.0.2.7");
    assert.notEqual(networkOf("192.0.2.7"), networkOf("192.0.2.8"));
  });

  it("all IPv6 addresses of one /64, in every spelling", () => {
    const same = ["2001:db8:1:2::1", "2001:0db8:0001:0002:0000:0000:0000:0009", "2001:DB8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2:3:4:5:6%eth0"];
    assert.deepEqual(new Set(same.map(networkOf)), new Set(["2001:db8:1:2::/64"]));
    assert.equal(networkOf("::1"), "0:0:0:0::/64");
    assert.notEqual(networkOf("2001:db8:1:3::1"), networkOf("2001:db8:1:2::1"));
  });
});
