import { burstSeconds, hourSeconds, type LimitOutcome, type Quota } from "./limiter.ts";

/** Weak, so that a cached text lives as long as its quota object. */
const policies = new WeakMap<Quota, string>();

/** Value of the `RateLimit-Policy` header. The quota object must not be changed afterwards. */
export function rateLimitPolicyOf(quota: Quota): string {
  let policy = policies.get(quota);
  if (policy === undefined) {
    policy = `"hour";q=${quota.perHour};w=${hourSeconds}, "burst";q=${quota.perMinute};w=${burstSeconds}`;
    policies.set(quota, policy);
  }
  return policy;
}

/** Value of the `RateLimit` header. */
export function rateLimitOf({ hour, burst }: LimitOutcome): string {
  return `"hour";r=${hour.remaining};t=${hour.resetSeconds}, "burst";r=${burst.remaining};t=${burst.resetSeconds}`;
}
