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

/**
 * Revocations and changes of credentials, per session: a stolen one must not use up what the owner needs to end it. Whoever
 * signs in again has another window; opening many takes the password, and what they note needs a password or a key each.
 */
const defenceQuota: Quota = { perHour: 200, perMinute: 20 };
const defences = new Set([
  "POST auth/revoke-session",
  "POST auth/revoke-other-sessions",
  "POST auth/change-password",
  "POST auth/two-factor/enable",
  "POST auth/two-factor/disable",
  "POST auth/two-factor/generate-backup-codes",
  "DELETE keys/:key_id",
]);

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);
const changes = ({ method }: RouteOptions): boolean => [method].flat().some((each) => !safeMethods.has(each));

type Window = { quota: Quota; subjectOf: (signedIn: SignedIn) => string };

function windowOf(method: RouteOptions["method"], path: string): Window {
  if (defences.has(`${String(method)} ${path}`)) return { quota: defenceQuota, subjectOf: ({ sessionId }) => `defence-writes:${sessionId}` };
  if (path.startsWith("operator/")) return { quota: operatorQuota, subjectOf: ({ accountId }) => `operator-writes:${accountId}` };
  return { quota: developerQuota, subjectOf: ({ accountId }) => `writes:${accountId}` };
}

/** Makes every change below `prefix` that is added after this call count, in windows that all nodes share. */
export function limitWrites(app: FastifyInstance, { limiter, prefix }: { limiter: Pick<Limiter, "consume">; prefix: string }): void {
  app.addHook("onRoute", (route) => {
    if (!route.url.startsWith(prefix) || !changes(route)) return;
    const { quota, subjectOf } = windowOf(route.method, route.url.slice(prefix.length));
    const countWrite: onRequestAsyncHookHandler = async (request) => {
      // Without a session: signing in has throttles of its own.
      const signedIn = request.signedIn as SignedIn | undefined;
      if (!signedIn) return;
      const outcome = await limiter.consume(subjectOf(signedIn), quota);
      if (outcome.allowed) return;
      const { limit, retryAfterSeconds } = outcome;
      const most = limit === "burst" ? `${quota.perMinute} a minute` : `${quota.perHour} an hour`;
      throw new Failure("rate_limit_exceeded", `Too many changes: at most ${most} are taken. Try again in ${retryAfterSeconds} seconds.`, undefined, { retryAfterSeconds });
    };
    // After the scope's own, which know the session; before the body is read.
    route.onRequest = [...[route.onRequest ?? []].flat(), countWrite];
  });
}
