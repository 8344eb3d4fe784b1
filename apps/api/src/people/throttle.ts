import { createHmac } from "node:crypto";
import { Failure } from "../failure/failure.ts";
import type { Store } from "../store/store.ts";
import { decideTry, networkOf, type ThrottleRule } from "./throttle-rule.ts";
import { deleteThrottles, insertThrottle, replaceThrottle, selectThrottle } from "./throttles.table.ts";
import { msPerHour, msPerMinute } from "../formats/time.ts";

/** Wrong passwords: five are free, then half a minute, doubling to a quarter of an hour. */
const wrongPassword = { kind: "backoff", freeTries: 5, waitMs: 30_000, waitMsMax: 15 * msPerMinute, forgetMs: msPerHour } as const;

/**
 * What is counted. Tries are taken before the password is looked at, so that many at once gain nothing, and given back
 * when it was right. Nobody can be shut out for good: the longest wait is a quarter of an hour, a network that the person
 * signed in from before is not held back by what others do, and a reset of the password clears the counts.
 */
const rules = {
  sign_in_network: { kind: "window", triesMax: 100, windowMs: 10 * msPerMinute },
  sign_in_here: wrongPassword,
  /** All networks together: guesses that are spread over many of them. */
  sign_in_anywhere: { ...wrongPassword, freeTries: 20 },
  sign_up_network: { kind: "window", triesMax: 30, windowMs: msPerHour },
  sign_up_address: { kind: "window", triesMax: 3, windowMs: msPerHour },
  reset_network: { kind: "window", triesMax: 30, windowMs: msPerHour },
  reset_address: { kind: "window", triesMax: 3, windowMs: msPerHour },
  resend_network: { kind: "window", triesMax: 30, windowMs: msPerHour },
  resend_address: { kind: "window", triesMax: 3, windowMs: msPerHour },
  link_network: { kind: "window", triesMax: 60, windowMs: 10 * msPerMinute },
  code_network: { kind: "window", triesMax: 60, windowMs: 10 * msPerMinute },
  /** The password asked for once more inside a session. */
  confirm_account: wrongPassword,
} as const satisfies Record<string, ThrottleRule>;

export type ThrottleKind = keyof typeof rules;
/** A network the account was signed in from lately: a mark, not a count. */
type Subject = { kind: ThrottleKind | "known_network"; who: string };

const rereadsMax = 5;
/** So long a network counts as one the person uses. */
const knownNetworkMs = 30 * 24 * msPerHour;
/** After this long no rule remembers anything. */
export const throttleMemoryMs = knownNetworkMs;

/** Too many tries; the caller is told when one will be let through. */
export class TooManyTries extends Failure {
  constructor(retryAfterSeconds: number) {
    const wait = retryAfterSeconds < 120 ? `${retryAfterSeconds} seconds` : `${Math.ceil(retryAfterSeconds / 60)} minutes`;
    super("rate_limit_exceeded", `Too many tries. Try again in ${wait}.`, undefined, { retryAfterSeconds });
  }
}

export type Throttle = {
  /** Counts one try, or throws TooManyTries and counts nothing. */
  take(kind: ThrottleKind, who: string): Promise<void>;
  /** Takes the tries of a sign-in with this address from this network. */
  takeSignIn(tried: { email: string; ip: string }): Promise<void>;
  /** The password was right: its tries are given back, and the network is remembered. */
  signInSucceeded(tried: { email: string; ip: string }): Promise<void>;
  /** Forgets the wrong passwords of an address: its person has proven to be the right one. */
  forgiveSignIn(proven: { email: string; ip: string }): Promise<void>;
  forgive(kind: ThrottleKind, who: string): Promise<void>;
};

/** Counts in the store: a restart forgets nothing, and all nodes count together. */
export function createThrottle({ store, nowMs, key }: { store: Store; nowMs: () => number; key: string }): Throttle {
  const nameOf = ({ kind, who }: Subject) => createHmac("sha256", key).update(`${kind}\n${who}`).digest("base64url");

  async function take(kind: ThrottleKind, who: string): Promise<void> {
    const subject = nameOf({ kind, who });
    for (let reread = 0; reread < rereadsMax; reread += 1) {
      const now = nowMs();
      const row = await selectThrottle(store.db, subject).executeTakeFirst();
      const known = row && { tries: row.tries, sinceMs: row.since, blockedUntilMs: row.blocked_until };
      const decision = decideTry(rules[kind], known, now);
      if (!decision.allowed) throw new TooManyTries(Math.max(1, Math.ceil((decision.retryAtMs - now) / 1_000)));
      const { tries, sinceMs: since, blockedUntilMs: blocked_until } = decision.next;
      const after = { subject, tries, since, blocked_until, updated_at: now };
      const [changed] = await store.write([row ? replaceThrottle(store.db, { before: row, after }) : insertThrottle(store.db, after)]);
      if (changed === 1) return;
    }
    // So many at the same moment that this one never got its turn.
    throw new TooManyTries(1);
  }

  const placeOf = (tried: { email: string; ip: string }) => `${tried.email}\n${networkOf(tried.ip)}`;

  const countedOf = (tried: { email: string; ip: string }) => [
    nameOf({ kind: "sign_in_here", who: placeOf(tried) }),
    nameOf({ kind: "sign_in_anywhere", who: tried.email }),
  ];

  async function isKnownNetwork(place: string): Promise<boolean> {
    const row = await selectThrottle(store.db, nameOf({ kind: "known_network", who: place })).executeTakeFirst();
    return row !== undefined && row.updated_at > nowMs() - knownNetworkMs;
  }

  return {
    take,
    async takeSignIn(tried) {
      await take("sign_in_network", networkOf(tried.ip));
      await take("sign_in_here", placeOf(tried));
      if (!(await isKnownNetwork(placeOf(tried)))) await take("sign_in_anywhere", tried.email);
    },
    async signInSucceeded(tried) {
      const now = nowMs();
      const known = nameOf({ kind: "known_network", who: placeOf(tried) });
      await store.write([
        deleteThrottles(store.db, [...countedOf(tried), known]),
        insertThrottle(store.db, { subject: known, tries: 0, since: now, blocked_until: 0, updated_at: now }),
      ]);
    },
    async forgiveSignIn(proven) {
      await store.write([deleteThrottles(store.db, countedOf(proven))]);
    },
    async forgive(kind, who) {
      await store.write([deleteThrottles(store.db, [nameOf({ kind, who })])]);
    },
  };
}
