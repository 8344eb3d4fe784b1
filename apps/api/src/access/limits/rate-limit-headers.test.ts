import assert from "node:assert/strict";
import { it } from "node:test";
import { rateLimitOf, rateLimitPolicyOf } from "./rate-limit-headers.ts";

it("RateLimit-Policy names both windows and is the same for equal quotas", () => {
  const quota = { perHour: 1000, perMinute: 50 };
  assert.equal(rateLimitPolicyOf(quota), '"hour";q=1000;w=3600, "burst";q=50;w=60');
  assert.equal(rateLimitPolicyOf(quota), rateLimitPolicyOf({ ...quota }));
});

it("RateLimit names the remaining calls and the seconds until some quota is restored", () => {
  const hour = { remaining: 999, resetSeconds: 3601 };
  const burst = { remaining: 0, resetSeconds: 7 };
  assert.equal(rateLimitOf({ allowed: true, hour, burst }), '"hour";r=999;t=3601, "burst";r=0;t=7');
});
