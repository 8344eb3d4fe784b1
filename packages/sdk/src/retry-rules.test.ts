import fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { defaultBackoff, isRetryableAnswer, parseRetryAfter, waitMsBefore } from "./retry-rules.ts";

describe("which answers are retried", () => {
  it("retries 429, 500, 502, 503 and 504 and no other status", () => {
    const retried = Array.from({ length: 600 }, (_, status) => status).filter((status) => isRetryableAnswer(status, "any"));
    assert.deepEqual(retried, [429, 500, 502, 503, 504]);
  });

  it("retries a 409 only while the call is in progress", () => {
    assert.equal(isRetryableAnswer(409, "idempotency_in_progress"), true);
    assert.equal(isRetryableAnswer(409, "idempotency_conflict"), false);
    assert.equal(isRetryableAnswer(409, "session_token_used"), false);
  });
});

describe("the wait before a retry", () => {
  const number = fc.integer({ min: 1, max: 100 });
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  it("is random below a bound that doubles with each attempt up to a limit", () => {
    const boundOf = (attempt: number) => waitMsBefore({ number: attempt, retryAfterSeconds: undefined, chance: 0.999_999_9 }) + 1;
    assert.deepEqual([1, 2, 3, 4, 5, 6, 7].map(boundOf), [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000]);
    assert.equal(waitMsBefore({ number: 7, retryAfterSeconds: undefined, chance: 0 }), 0);
  });

  it("is at least what the service asked for, and at most that plus the bound", () => {
    fc.assert(
      fc.property(number, chance, fc.integer({ min: 0, max: 3_600 }), (attempt, luck, seconds) => {
        const waitMs = waitMsBefore({ number: attempt, retryAfterSeconds: seconds, chance: luck });
        return waitMs >= seconds * 1_000 && waitMs < seconds * 1_000 + defaultBackoff.eachMsMax;
      }),
    );
  });

  it("comes from the body first, then from the header", () => {
    assert.equal(parseRetryAfter({ retry_after: 12 }, "7"), 12);
    assert.equal(parseRetryAfter({}, "7"), 7);
    assert.equal(parseRetryAfter({ retry_after: "12" }, null), undefined);
    assert.equal(parseRetryAfter(undefined, "Wed, 21 Oct 2026 07:28:00 GMT"), undefined);
    assert.equal(parseRetryAfter({ retry_after: -1 }, null), undefined);
  });
});
