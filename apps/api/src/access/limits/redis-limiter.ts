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
import { limitKeyOf, type Taken, takeFromRedis } from "./take-script.ts";

type Answer = (outcome: LimitOutcome) => void;
/** Calls of one subject under one quota, in order of arrival, that are taken together. */
type Batch = { quota: Quota; answers: Answer[]; answered: boolean };
/** The calls of one subject. At most one batch is in flight, so that they are granted in order. */
type Lane = { subject: string; inFlight: Batch | undefined; waiting: Batch[] };

/** At 250 ms per command this is 65,000 calls a second on one node; more indicates a fault. */
const waitingCallsMax = 16_384;
/** Redis answers nobody else while the script runs. */
const subjectsPerRunMax = 200;
/** How long memory may count calls that Redis does not. */
const memoryMs = (hourSeconds * 1000 * 61) / 60;
/** Cannot collide with a subject's key, which has a brace after the colon. */
const probeKey = "limits:probe";
const probeQuota: Quota = { perHour: 1_000_000_000, perMinute: 1_000_000_000 };

/**
 * Limits that all nodes share: Redis decides, with one run of the script for all calls of an event-loop turn. Every granted call is also
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
  let ready: Lane[] = [];
  let waitingCount = 0;
  let distrustUntilMs = Number.NEGATIVE_INFINITY;
  let closed = false;

  const distrustRedis = (): void => {
    distrustUntilMs = memory.nowMs() + memoryMs;
  };

  const answerAllFromMemory = (): void => {
    for (const { subject, inFlight, waiting } of lanes.values()) {
      for (const batch of inFlight ? [inFlight, ...waiting] : waiting) {
        batch.answered = true;
        for (const answer of batch.answers) answer(memory.consume(subject, batch.quota));
      }
    }
    lanes.clear();
    ready = [];
    waitingCount = 0;
  };

  const health = createFallbackSwitch({
    probe: () => takeFromRedis(redis, [{ key: probeKey, asked: 1, quota: probeQuota }]),
    nowMs: memory.nowMs,
    log: options.log,
    onModeChange: (mode) => {
      if (mode === "fallback") answerAllFromMemory();
      else distrustRedis();
      options.onModeChange(mode);
    },
  });

  const answerBatch = ({ subject }: Lane, batch: Batch, taken: Taken, distrusted: boolean): void => {
    batch.answered = true;
    memory.record(subject, taken.granted);
    waitingCount -= batch.answers.length;
    const seen = distrusted ? stricterOf(taken, memory.peek(subject, batch.quota), batch.quota) : taken;
    for (let index = 0; index < batch.answers.length; index += 1) batch.answers[index]!(outcomeAt(index, seen, batch.quota));
  };

  const send = async (sent: readonly Lane[]): Promise<void> => {
    const distrusted = memory.nowMs() < distrustUntilMs;
    const batches = sent.map((lane) => (lane.inFlight = lane.waiting.shift()!));
    const takes = batches.map(({ quota, answers }, index) => {
      const { subject } = sent[index]!;
      const asked = distrusted ? Math.min(answers.length, roomInMemory(memory, subject, quota)) : answers.length;
      return { key: limitKeyOf(subject), asked, quota };
    });
    let taken: Taken[];
    try {
      taken = await takeFromRedis(redis, takes);
    } catch (error) {
      // If answered, this error belongs to a failure that is already known and may be over.
      if (batches.some(({ answered }) => !answered)) health.fail(error);
      return;
    }
    for (const [index, lane] of sent.entries()) {
      const batch = batches[index]!;
      if (batch.answered) continue;
      answerBatch(lane, batch, taken[index]!, distrusted);
      lane.inFlight = undefined;
      if (lane.waiting.length === 0) lanes.delete(lane.subject);
      else sendSoon(lane);
    }
  };

  /** Calls that are already readable join the same run. */
  const sendSoon = (lane: Lane): void => {
    if (ready.push(lane) > 1) return;
    setImmediate(() => {
      const due = ready;
      ready = [];
      for (let first = 0; first < due.length; first += subjectsPerRunMax) void send(due.slice(first, first + subjectsPerRunMax));
    });
  };

  const join = (subject: string, quota: Quota, answer: Answer): void => {
    waitingCount += 1;
    let lane = lanes.get(subject);
    if (lane === undefined) {
      lane = { subject, inFlight: undefined, waiting: [] };
      lanes.set(subject, lane);
      sendSoon(lane);
    }
    const last = lane.waiting.at(-1);
    if (last !== undefined && sameQuota(last.quota, quota)) last.answers.push(answer);
    else lane.waiting.push({ quota, answers: [answer], answered: false });
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
      const [counts] = await takeFromRedis(redis, [{ key: limitKeyOf(subject), asked: 0, quota }]);
      return counts!;
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

function roomInMemory(memory: MemoryLimiter, subject: string, quota: Quota): number {
  const { hour, burst } = memory.peek(subject, quota);
  return Math.max(0, Math.min(quota.perHour - hour.used, quota.perMinute - burst.used));
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
