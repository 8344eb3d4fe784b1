import type { Redis } from "ioredis";
import { overloaded } from "../../failure/failure.ts";
import { createFallbackSwitch } from "./fallback-switch.ts";
import {
  hourSeconds,
  type Limiter,
  type LimiterLog,
  type LimiterMode,
  type LimitOutcome,
  type Quota,
  refuse,
  type WindowCount,
  type WindowCounts,
  windowState,
} from "./limiter.ts";
import type { MemoryLimiter } from "./memory-limiter.ts";
import { limitKeyOf, type Taken, takeFromRedis, takeScript } from "./take-script.ts";

type Answer = (outcome: LimitOutcome) => void;
/** Calls of one subject under one quota, in order of arrival, that share one run of the script. */
type Batch = { quota: Quota; answers: Answer[]; answered: boolean };
/** The calls of one subject. At most one batch is in flight, so that they are granted in order. */
type Lane = { subject: string; current: Batch; next: Batch[] };

/** At 250 ms per command this is 65,000 calls a second on one node; more indicates a fault. */
const waitingCallsMax = 16_384;
/** How long memory may count calls that Redis does not. */
const memoryMs = (hourSeconds * 1000 * 61) / 60;
/** Cannot collide with a subject's key, which has a brace after the colon. */
const probeKey = "limits:probe";
const probeQuota: Quota = { perHour: 1_000_000_000, perMinute: 1_000_000_000 };

/**
 * Limits that all nodes share: Redis decides, with one script run per subject at a time. Every granted call is also
 * counted in `memory`, which decides alone while Redis is unreachable. After an outage, and after every reconnect, Redis
 * may have lost calls or missed ours: until those have left the windows, a call must pass in both.
 *
 * `redis` must fail fast (see `openRedis`), and the caller closes it. `consume` throws `overloaded` when too many calls
 * wait.
 */
export function createRedisLimiter(options: {
  redis: Redis;
  memory: MemoryLimiter;
  log: LimiterLog;
  /** Called on every change, but not for the initial mode ("redis"). */
  onModeChange: (mode: LimiterMode) => void;
  waitingMax?: number;
}): Limiter {
  const { redis, memory, waitingMax = waitingCallsMax } = options;
  const lanes = new Map<string, Lane>();
  let waitingCount = 0;
  let distrustUntilMs = Number.NEGATIVE_INFINITY;
  let closed = false;

  const distrustRedis = (): void => {
    distrustUntilMs = memory.nowMs() + memoryMs;
  };

  const answerAllFromMemory = (): void => {
    for (const { subject, current, next } of lanes.values()) {
      for (const batch of [current, ...next]) {
        batch.answered = true;
        for (const answer of batch.answers) answer(memory.consume(subject, batch.quota));
      }
    }
    lanes.clear();
    waitingCount = 0;
  };

  const health = createFallbackSwitch({
    probe: () => takeFromRedis(redis, { script: takeScript, key: probeKey, asked: 1, quota: probeQuota }),
    nowMs: memory.nowMs,
    log: options.log,
    onModeChange: (mode) => {
      if (mode === "fallback") answerAllFromMemory();
      else distrustRedis();
      options.onModeChange(mode);
    },
  });

  const send = async (lane: Lane): Promise<void> => {
    const { subject, current: batch } = lane;
    const distrusted = memory.nowMs() < distrustUntilMs;
    const asked = distrusted ? Math.min(batch.answers.length, roomInMemory(memory, lane)) : batch.answers.length;
    let taken: Taken;
    try {
      taken = await takeFromRedis(redis, { script: takeScript, key: limitKeyOf(subject), asked, quota: batch.quota });
    } catch (error) {
      // If answered, this error belongs to a failure that is already known and may be over.
      if (!batch.answered) health.fail(error);
      return;
    }
    if (batch.answered) return;
    batch.answered = true;
    memory.record(subject, taken.granted);
    waitingCount -= batch.answers.length;
    const seen = distrusted ? stricterOf(taken, memory.peek(subject, batch.quota), batch.quota) : taken;
    for (const [index, answer] of batch.answers.entries()) answer(outcomeAt(index, seen, batch.quota));
    const next = lane.next.shift();
    if (next === undefined) {
      lanes.delete(subject);
    } else {
      lane.current = next;
      void send(lane);
    }
  };

  const join = (subject: string, quota: Quota, answer: Answer): void => {
    waitingCount += 1;
    const lane = lanes.get(subject);
    if (lane === undefined) {
      const opened = { subject, current: { quota, answers: [answer], answered: false }, next: [] };
      lanes.set(subject, opened);
      void send(opened);
      return;
    }
    const last = lane.next.at(-1);
    if (last !== undefined && sameQuota(last.quota, quota)) last.answers.push(answer);
    else lane.next.push({ quota, answers: [answer], answered: false });
  };

  const consume = (subject: string, quota: Quota): LimitOutcome | Promise<LimitOutcome> => {
    if (closed || health.mode() === "fallback") return memory.consume(subject, quota);
    if (waitingCount >= waitingMax) throw overloaded("too many calls wait for the rate limiter");
    return new Promise((answer) => join(subject, quota, answer));
  };

  /** Takes zero calls, which returns the counts. An error does not switch to the fallback. */
  const peek = async (subject: string, quota: Quota): Promise<WindowCounts> => {
    const own = memory.peek(subject, quota);
    if (closed || health.mode() === "fallback") return own;
    try {
      return await takeFromRedis(redis, { script: takeScript, key: limitKeyOf(subject), asked: 0, quota });
    } catch {
      return own;
    }
  };

  const close = async (): Promise<void> => {
    closed = true;
    redis.off("ready", distrustRedis);
    health.close();
    answerAllFromMemory();
  };

  redis.on("ready", distrustRedis);
  return { consume, peek, mode: health.mode, close };
}

/** The outcome of one call of a batch: the first `granted` pass, and each gets the quota that is left just after it. */
export function outcomeAt(index: number, taken: Taken, quota: Quota): LimitOutcome {
  const grantedLater = Math.max(0, taken.granted - 1 - index);
  const hour = windowState(quota.perHour, taken.hour.used - grantedLater, taken.hour.resetMs);
  const burst = windowState(quota.perMinute, taken.burst.used - grantedLater, taken.burst.resetMs);
  return index < taken.granted ? { allowed: true, hour, burst } : refuse(hour, burst);
}

function roomInMemory(memory: MemoryLimiter, { subject, current }: Lane): number {
  const { hour, burst } = memory.peek(subject, current.quota);
  return Math.max(0, Math.min(current.quota.perHour - hour.used, current.quota.perMinute - burst.used));
}

function stricterOf(taken: Taken, own: WindowCounts, quota: Quota): Taken {
  return {
    granted: taken.granted,
    hour: stricterWindow(taken.hour, own.hour, quota.perHour),
    burst: stricterWindow(taken.burst, own.burst, quota.perMinute),
  };
}

function stricterWindow(a: WindowCount, b: WindowCount, limit: number): WindowCount {
  const [fuller, emptier] = a.used >= b.used ? [a, b] : [b, a];
  if (emptier.used < limit) return fuller;
  return { used: fuller.used, resetMs: Math.max(a.resetMs, b.resetMs) };
}

function sameQuota(a: Quota, b: Quota): boolean {
  return a === b || (a.perHour === b.perHour && a.perMinute === b.perMinute);
}
