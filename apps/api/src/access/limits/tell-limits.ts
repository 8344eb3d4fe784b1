import { isoTime, msPerHour, msPerSecond } from "../../formats/time.ts";
import type { Store } from "../../store/store.ts";
import { writeOnce } from "../../webhooks/events/write-once.ts";
import type { Limiter, LimitOutcome, Quota } from "./limiter.ts";

const flushMs = msPerSecond;
/** A node tells of at most this many accounts an hour; more than that are a matter for the operator. */
const subjectsMax = 10_000;
/** A limit is near when less than a fifth of it is left. */
const nearPart = 5;

/** What was noticed of an account within the hour, as bits. */
const nearHour = 1;
const nearBurst = 2;
const reachedHour = 4;
const reachedBurst = 8;
const types = [
  { bit: nearHour, type: "limit.near", limit: "hour" },
  { bit: nearBurst, type: "limit.near", limit: "burst" },
  { bit: reachedHour, type: "limit.reached", limit: "hour" },
  { bit: reachedBurst, type: "limit.reached", limit: "burst" },
] as const;

type Noticed = { accountId: string; quota: Quota; bits: number };

const isNear = (remaining: number, limit: number): boolean => remaining * nearPart <= limit;

function bitsOf(outcome: LimitOutcome, quota: Quota): number {
  const near = (isNear(outcome.hour.remaining, quota.perHour) ? nearHour : 0) | (isNear(outcome.burst.remaining, quota.perMinute) ? nearBurst : 0);
  return outcome.allowed ? near : near | (outcome.limit === "hour" ? reachedHour : reachedBurst);
}

/** The windows of an account's live keys have its id as their subject; those of test keys and of verifying have more. */
const isLive = (subject: string): boolean => subject.startsWith("acct_") && !subject.includes(":");

async function tell(store: Store, { accountId, quota, bits }: Noticed, hour: string): Promise<void> {
  for (const { bit, type, limit } of types) {
    if ((bits & bit) === 0) continue;
    const data = { account_id: accountId, limit, calls: limit === "hour" ? quota.perHour : quota.perMinute };
    await writeOnce(store, { audience: accountId, type, data }, { onceKey: `${type}:${limit}:${hour}`, nowMs: Date.parse(hour) });
  }
}

/**
 * A limiter that notices when a limit is near or reached, and tells the account once per limit and hour. Noticing is a
 * comparison per call; what is noticed is written later, by itself. A crash within that second loses it.
 */
export function tellLimits(inner: Limiter, context: { store: Store; nowMs: () => number; onError: (error: unknown) => void }) {
  const { store, nowMs, onError } = context;
  let hour = -1;
  let seen = new Map<string, number>();
  let waiting = new Map<string, Noticed>();
  let flushing: Promise<void> | undefined;

  function notice(subject: string, quota: Quota, outcome: LimitOutcome): void {
    const bits = bitsOf(outcome, quota);
    if (bits === 0 || !isLive(subject)) return;
    const now = Math.floor(nowMs() / msPerHour);
    if (now !== hour) {
      hour = now;
      seen = new Map();
    }
    const before = seen.get(subject) ?? 0;
    if ((before | bits) === before || (before === 0 && seen.size >= subjectsMax)) return;
    seen.set(subject, before | bits);
    waiting.set(subject, { accountId: subject, quota, bits: (waiting.get(subject)?.bits ?? 0) | bits });
  }

  async function flush(): Promise<void> {
    const some = [...waiting.values()];
    waiting = new Map();
    const text = isoTime(hour * msPerHour);
    for (const noticed of some) await tell(store, noticed, text).catch(onError);
  }

  const timer = setInterval(() => {
    if (waiting.size === 0) return;
    flushing ??= flush().finally(() => {
      flushing = undefined;
    });
  }, flushMs);
  timer.unref();

  const limiter: Limiter = {
    ...inner,
    consume(subject, quota) {
      const outcome = inner.consume(subject, quota);
      if (outcome instanceof Promise) outcome.then((each) => notice(subject, quota, each), () => {});
      else notice(subject, quota, outcome);
      return outcome;
    },
  };
  return {
    limiter,
    /** Writes what was noticed and not told. */
    async stop() {
      clearInterval(timer);
      await flushing;
      await flush();
    },
  };
}
