import type { onRequestHookHandler } from "fastify";
import type { LimitOutcome, Quota } from "../access/limits/limiter.ts";
import { createMemoryLimiter } from "../access/limits/memory-limiter.ts";
import { Failure } from "../failure/failure.ts";
import { copyText } from "../formats/copy-text.ts";
import { networkOf } from "./throttle-rule.ts";

/** Windows of each kind that a node remembers: under 20 MB. Beyond it the one that was seen first is forgotten. */
const windowsMax = 5_000;
/** Providers give their customers /64s of one /48, and somebody who has a /48 has 65,536 /64s. */
const customersPerSite = 4;

/** The IPv6 /48 of a /64; undefined for an IPv4 address. */
export function siteOf(network: string): string | undefined {
  return network.endsWith("::/64") ? `${network.split(":").slice(0, 3).join(":")}::/48` : undefined;
}

/**
 * Windows per IPv4 address, or per IPv6 /64 and for all /64s of a /48 together. They are in the memory of this node, and
 * nowhere else. `nowMs`: of a clock that never steps back.
 */
export function createNetworkWindows({ quota, nowMs }: { quota: Quota; nowMs: () => number }): (ip: string) => LimitOutcome {
  const siteQuota = { perHour: customersPerSite * quota.perHour, perMinute: customersPerSite * quota.perMinute };
  const wide = createMemoryLimiter({ nowMs, subjectsMax: windowsMax });
  // Apart, so that nobody's many /64s push out the window of their /48.
  const customers = createMemoryLimiter({ nowMs, subjectsMax: windowsMax });
  return (ip) => {
    const network = copyText(networkOf(ip));
    const site = siteOf(network);
    if (site === undefined) return wide.consume(network, quota);
    // What is refused of one /64 takes nothing from its neighbours.
    const outcome = customers.consume(network, quota);
    return outcome.allowed ? wide.consume(site, siteQuota) : outcome;
  };
}

/** Limits callers without a key: 429 with `Retry-After`. Its answers have no RateLimit fields, because caches may share them. */
export function limitNetworks(settings: { quota: Quota; nowMs: () => number }): onRequestHookHandler {
  const consume = createNetworkWindows(settings);
  return (request, _reply, done) => {
    const outcome = consume(request.ip);
    if (outcome.allowed) {
      done();
      return;
    }
    const { limit, retryAfterSeconds } = outcome;
    const message = `This network has sent too many requests. Try again in ${retryAfterSeconds} ${retryAfterSeconds === 1 ? "second" : "seconds"}.`;
    done(new Failure("rate_limit_exceeded", message, undefined, { retryAfterSeconds, limit }));
  };
}
