import type { FastifyInstance, onRequestAsyncHookHandler, RouteOptions } from "fastify";
import type { Limiter, Quota } from "../access/limits/limiter.ts";
import { Failure } from "../failure/failure.ts";
import type { SignedIn } from "../people/require-sign-in.ts";

/**
 * Changes of one account, which is one person, whichever sessions they come from. Far beyond what somebody does by hand;
 * a script that would fill the audit log, and the mails and events of others, stops here.
 */
const developerQuota: Quota = { perHour: 1_000, perMinute: 100 };
/** Operators work through lists. Bulk actions are one request each. */
const operatorQuota: Quota = { perHour: 6_000, perMinute: 600 };

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);
const changes = ({ method }: RouteOptions): boolean => [method].flat().some((each) => !safeMethods.has(each));

/** Makes every change below `prefix` that is added after this call count, in windows that all nodes share. */
export function limitWrites(app: FastifyInstance, { limiter, prefix }: { limiter: Pick<Limiter, "consume">; prefix: string }): void {
  app.addHook("onRoute", (route) => {
    if (!route.url.startsWith(prefix) || !changes(route)) return;
    const isOperators = route.url.startsWith(`${prefix}operator/`);
    const [kind, quota] = isOperators ? (["operator-writes", operatorQuota] as const) : (["writes", developerQuota] as const);
    const countWrite: onRequestAsyncHookHandler = async (request) => {
      // Without a session: signing in has throttles of its own.
      const signedIn = request.signedIn as SignedIn | undefined;
      if (!signedIn) return;
      const outcome = await limiter.consume(`${kind}:${signedIn.accountId}`, quota);
      if (outcome.allowed) return;
      const { limit, retryAfterSeconds } = outcome;
      const most = limit === "burst" ? `${quota.perMinute} a minute` : `${quota.perHour} an hour`;
      throw new Failure("rate_limit_exceeded", `Too many changes: at most ${most} are taken. Try again in ${retryAfterSeconds} seconds.`, undefined, { retryAfterSeconds });
    };
    // After the scope's own, which know the session; before the body is read.
    route.onRequest = [...[route.onRequest ?? []].flat(), countWrite];
  });
}
