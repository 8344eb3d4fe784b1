import { createHmac } from "node:crypto";
import { Failure } from "../failure/failure.ts";
import { msPerDay, msPerHour, msPerMinute } from "../formats/time.ts";
import { readSealedKey, type SecretsContext } from "../secrets/read-sealed-key.ts";
import { deriveKey } from "../secrets/sealer.ts";
import { decideTry, networkOf, siteOf, type ThrottleRule } from "./throttle-rule.ts";
import { deleteThrottles, insertThrottle, replaceThrottle, selectThrottle } from "./throttles.table.ts";

/** After five wrong passwords the next attempt waits 30 s, then twice as long each time, up to 15 minutes. */
const wrongPassword = { kind: "backoff", freeTries: 5, waitMs: 30_000, waitMsMax: 15 * msPerMinute, forgetMs: msPerHour } as const;

/**
 * Attempts are counted before the password is checked, so concurrent guesses gain nothing, and cleared when it was right.
 * Nobody can be locked out permanently: the longest wait is 15 minutes, attempts from other networks do not count against
 * a network that the account signed in from before, and a password reset clears the counts.
 */
const rules = {
  sign_in_network: { kind: "window", triesMax: 100, windowMs: 10 * msPerMinute },
  sign_in_here: wrongPassword,
  /** All networks together, against guesses that are spread over many of them. */
  sign_in_anywhere: { ...wrongPassword, freeTries: 20 },
  sign_up_network: { kind: "window", triesMax: 30, windowMs: msPerHour },
  sign_up_address: { kind: "window", triesMax: 3, windowMs: msPerHour },
  reset_network: { kind: "window", triesMax: 30, windowMs: msPerHour },
  reset_address: { kind: "window", triesMax: 3, windowMs: msPerHour },
  resend_network: { kind: "window", triesMax: 30, windowMs: msPerHour },
  resend_address: { kind: "window", triesMax: 3, windowMs: msPerHour },
  link_network: { kind: "window", triesMax: 60, windowMs: 10 * msPerMinute },
  code_network: { kind: "window", triesMax: 60, windowMs: 10 * msPerMinute },
  /** The password that a session is asked for again. */
  confirm_account: wrongPassword,
  /** Right passwords count too: each is as much work as a wrong one, for the one thread that all who are signed in share. */
  confirm_often: { kind: "window", triesMax: 20, windowMs: 10 * msPerMinute },
  /** Each mails an address that the account names, and need not have. */
  change_address: { kind: "window", triesMax: 5, windowMs: msPerHour },
  /** The code of the second factor that a session is asked for again. */
  confirm_code: wrongPassword,
} as const satisfies Record<string, ThrottleRule>;

/** A second factor locks for this long after this many wrong codes in a row, from any browser. */
export const secondFactorFailuresMax = 10;
export const secondFactorLockMs = 15 * msPerMinute;

export type ThrottleKind = keyof typeof rules;

/** A /48 has four times what each of its /64 has. It may be one customer, or a carrier's thousands. */
const siteFactor = 4;
const siteRule = (rule: ThrottleRule): ThrottleRule => (rule.kind === "window" ? { ...rule, triesMax: siteFactor * rule.triesMax } : rule);

const rereadsMax = 5;
/** How long a network counts as known after a sign-in. */
const knownNetworkMs = 30 * msPerDay;
/** No rule looks further back. */
export const throttleRetention = {
  attemptsMs: Math.max(...Object.values(rules).map((rule) => (rule.kind === "window" ? rule.windowMs : Math.max(rule.forgetMs, rule.waitMsMax)))),
  knownNetworksMs: knownNetworkMs,
};

export class TooManyTries extends Failure {
  constructor(retryAfterSeconds: number) {
    const wait = retryAfterSeconds < 120 ? `${retryAfterSeconds} seconds` : `${Math.ceil(retryAfterSeconds / 60)} minutes`;
    super("rate_limit_exceeded", `Too many attempts. Try again in ${wait}.`, undefined, { retryAfterSeconds });
  }
}

export type Throttle = {
  /** Counts one attempt, or throws TooManyTries. */
  take(kind: ThrottleKind, subject: string): Promise<void>;
  takeSignIn(attempt: SignInAttempt): Promise<void>;
  /** The password was right: clears its attempts and marks the network as known. */
  signInSucceeded(attempt: SignInAttempt): Promise<void>;
  /** Clears the wrong passwords of an address, after its owner proved access to it. */
  resetSignIn(attempt: SignInAttempt): Promise<void>;
  reset(kind: ThrottleKind, subject: string): Promise<void>;
};

type SignInAttempt = { email: string; ip: string };

/** As version 0.1 derived it, so that its counts go on; the same on all nodes. */
const firstKey = (secretKey: string): Buffer => Buffer.from(deriveKey(secretKey, "throttles").toString("hex"));

/** Counts in the store: counts survive a restart, and a replaced SECRET_KEY, and are shared by all nodes. */
export function createThrottle(context: SecretsContext): Throttle {
  const { store, nowMs, sealer } = context;
  let knownKey: Buffer | undefined;
  async function readKey(): Promise<Buffer> {
    const makeFirst = () => firstKey(sealer.secretKeys[0]!);
    const key = await readSealedKey(context, "throttles", makeFirst);
    // Without it earlier attempts are forgotten, and nobody is locked out.
    return (knownKey = key === "unreadable" ? makeFirst() : key);
  }
  /** Keyed, so the table reveals neither addresses nor networks. */
  const hashSubject = async (kind: ThrottleKind | "known_network", subject: string) =>
    createHmac("sha256", knownKey ?? (await readKey())).update(`${kind}\n${subject}`).digest("base64url");

  const takeAlone = async (kind: ThrottleKind, name: string): Promise<void> => takeBy(rules[kind], await hashSubject(kind, name));

  /**
   * Where the subject is a network and nothing else, its /48 counts too. A network that its /48 keeps out loses nothing of
   * its own count, and one that is over its own count adds nothing to the /48's.
   */
  async function take(kind: ThrottleKind, name: string): Promise<void> {
    const site = siteOf(name);
    if (site === undefined) return takeAlone(kind, name);
    const [rule, subject] = [siteRule(rules[kind]), await hashSubject(kind, site)];
    await decide(rule, subject);
    await takeAlone(kind, name);
    await takeBy(rule, subject);
  }

  /** What the subject's row is, and what it is after one attempt more; throws TooManyTries if that is not allowed. */
  async function decide(rule: ThrottleRule, subject: string) {
    const now = nowMs();
    const before = await selectThrottle(store.db, subject).executeTakeFirst();
    const known = before && { tries: before.tries, sinceMs: before.since, blockedUntilMs: before.blocked_until };
    const decision = decideTry(rule, known, now);
    if (!decision.allowed) throw new TooManyTries(Math.max(1, Math.ceil((decision.retryAtMs - now) / 1_000)));
    const { tries, sinceMs: since, blockedUntilMs: blocked_until } = decision.next;
    return { before, after: { subject, tries, since, blocked_until, updated_at: now } };
  }

  async function takeBy(rule: ThrottleRule, subject: string): Promise<void> {
    for (let reread = 0; reread < rereadsMax; reread += 1) {
      const { before, after } = await decide(rule, subject);
      const [changed] = await store.write([before ? replaceThrottle(store.db, { before, after }) : insertThrottle(store.db, after)]);
      if (changed === 1) return;
    }
    // Lost the race against other attempts every time.
    throw new TooManyTries(1);
  }

  const addressAndNetwork = ({ email, ip }: SignInAttempt) => `${email}\n${networkOf(ip)}`;

  const signInSubjects = (attempt: SignInAttempt) =>
    Promise.all([hashSubject("sign_in_here", addressAndNetwork(attempt)), hashSubject("sign_in_anywhere", attempt.email)]);

  async function isKnownNetwork(attempt: SignInAttempt): Promise<boolean> {
    const row = await selectThrottle(store.db, await hashSubject("known_network", addressAndNetwork(attempt))).executeTakeFirst();
    return row !== undefined && row.updated_at > nowMs() - knownNetworkMs;
  }

  return {
    take,
    async takeSignIn(attempt) {
      const isKnown = await isKnownNetwork(attempt);
      // A carrier's /48 has thousands of customers: what strangers try from it keeps nobody out of a network of their own.
      await (isKnown ? takeAlone : take)("sign_in_network", networkOf(attempt.ip));
      await takeAlone("sign_in_here", addressAndNetwork(attempt));
      if (!isKnown) await takeAlone("sign_in_anywhere", attempt.email);
    },
    async signInSucceeded(attempt) {
      const now = nowMs();
      // A mark rather than a count, so with 0 tries.
      const network = await hashSubject("known_network", addressAndNetwork(attempt));
      await store.write([
        deleteThrottles(store.db, [...(await signInSubjects(attempt)), network]),
        insertThrottle(store.db, { subject: network, tries: 0, since: now, blocked_until: 0, updated_at: now }),
      ]);
    },
    async resetSignIn(attempt) {
      await store.write([deleteThrottles(store.db, await signInSubjects(attempt))]);
    },
    async reset(kind, subject) {
      await store.write([deleteThrottles(store.db, [await hashSubject(kind, subject)])]);
    },
  };
}
