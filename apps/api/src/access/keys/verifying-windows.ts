import type { Authenticator } from "./authenticate-key.ts";
import type { Caller } from "./caller.ts";
import type { Quota } from "../limits/limiter.ts";

/** The same for every tier: a log of ten million entries has 40,000 tiles. */
const verifyingQuota: Quota = { perHour: 60_000, perMinute: 1_000 };

/**
 * Of one network, where everybody may read the log: all of a log of ten million entries, 39,217 tiles, within seven minutes.
 * Following a log of a thousand entries a second takes 240 tiles a minute.
 */
export const publicLogQuota: Quota = { perHour: 60_000, perMinute: 6_000 };

const toVerifying = (caller: Caller): Caller => ({ ...caller, quota: verifyingQuota, limitSubject: `verifying:${caller.limitSubject}` });

/** The same keys, but calls count in windows of their own. */
export function withVerifyingWindows(authenticator: Authenticator): Authenticator {
  return {
    ...authenticator,
    authenticate(key, from) {
      const caller = authenticator.authenticate(key, from);
      if (caller instanceof Promise) return caller.then((each) => each && toVerifying(each));
      return caller && toVerifying(caller);
    },
  };
}
