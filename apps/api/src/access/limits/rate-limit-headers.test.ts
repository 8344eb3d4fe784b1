import assert from "node:assert/strict";
import { it } from "node:test";
import { rateLimitOf, rateLimitPolicyOf } from "./rate-limit-headers.ts";

it("the policy names both windows, and is written once per quota", () => {
  const quota = { perHour: 1000, perMinute: 50 };
  assert.equal(rateLimitPolicyOf(quota), '"hour";q=1000;w=3600, "burst";q=50;w=60');
  assert.equal(rateLimitPolicyOf(quota), rateLimitPolicyOf({ ...quota }));
});

it("the state names what is left and when some comes back", () => {
  const hour = { remaining: 999, resetSeconds: 3601 };
  const burst = { remaining: 0, resetSeconds: 7 };
  assert.equal(rateLimitOf({ allowed: true, hour, burst }), '"hour";r=999;t=3601, "burst";r=0;t=7');
});
