import { setTimeout as sleep } from "node:timers/promises";
import { overloaded } from "../../failure/failure.ts";
import { readRedirection } from "../redis/cluster-slots.ts";
import type { RedisShards } from "../redis/shards.ts";
import {
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
import { createShardStates, type ShardState } from "./shard-state.ts";
import { takeFromShard } from "./take-from-shard.ts";
import { limitKeyOf, type Taken } from "./take-script.ts";

type Answer = (outcome: LimitOutcome) => void;
/** Calls of one subject under one quota, in order of arrival, that are taken together. */
type Batch = { quota: Quota; answers: Answer[]; answered: boolean };
/** The calls of one subject. At most one batch is in flight, so that they are granted in order. */
type Lane = { subject: string; slot: number; state: ShardState; inFlight: Batch | undefined; waiting: Batch[]; moves: number };

/** At 250 ms per command this is 65,000 calls a second on one node; more indicates a fault. */
const waitingCallsMax = 16_384;
/** Redis answers nobody else while the script runs. */
const subjectsPerRunMax = 200;
/** Calls follow their slot to another shard this often; then this node counts them. */
const movesMax = 3;
const relearnMsMax = 250;

/**
 * Limits that all nodes share: Redis decides, with one run of the script for all calls of an event-loop turn whose subjects are
 * in the same slot. Every granted call is also counted in `memory`, which decides alone while the subject's shard is
 * unreachable. After an outage, after every reconnect and every change of the primary, the shard may have lost calls or
 * missed ours: until those have left the windows, a call must pass in both.
 *
 * The clients of `shards` must fail fast (see `openRedis`), and the caller closes them. `consume` throws `overloaded` when
 * too many calls wait.
 */
export function createRedisLimiter(options: {
  shards: RedisShards;
  memory: MemoryLimiter;
  log: LimiterLog;
  /** Called on every change, but not for the initial mode. */
  onModeChange: (mode: LimiterMode) => void;
  waitingMax?: number;
}): Limiter {
  const { shards, memory, waitingMax = waitingCallsMax } = options;
  const lanes = new Map<string, Lane>();
  let ready: Lane[] = [];
  let waitingCount = 0;
  let closed = false;

  const answerFromMemory = (lane: Lane): void => {
    const { subject, inFlight, waiting } = lane;
    for (const batch of inFlight ? [inFlight, ...waiting] : waiting) {
      batch.answered = true;
      waitingCount -= batch.answers.length;
      for (const answer of batch.answers) answer(memory.consume(subject, batch.quota));
    }
    lanes.delete(subject);
  };

  const answerAllFromMemory = (failed?: ShardState): void => {
    ready = failed === undefined ? [] : ready.filter(({ state }) => state !== failed);
    for (const lane of lanes.values()) if (failed === undefined || lane.state === failed) answerFromMemory(lane);
  };

  let toldMode: LimiterMode = "redis";
  const states = createShardStates({
    shards,
    nowMs: memory.nowMs,
    log: options.log,
    onFailed: answerAllFromMemory,
    onChanged: () => {
      const now = mode();
      if (now === toldMode) return;
      toldMode = now;
      options.onModeChange(now);
    },
  });

  /** Of several shards, the worst. */
  const mode = (): LimiterMode => (states.all().some(({ health }) => health.mode() === "fallback") ? "fallback" : "redis");

  const answerBatch = ({ subject }: Lane, batch: Batch, taken: Taken, distrusted: boolean): void => {
    batch.answered = true;
    memory.record(subject, taken.granted);
    waitingCount -= batch.answers.length;
    const seen = distrusted ? stricterOf(taken, memory.peek(subject, batch.quota), batch.quota) : taken;
    for (let index = 0; index < batch.answers.length; index += 1) batch.answers[index]!(outcomeAt(index, seen, batch.quota));
  };

  /** Nothing was taken: the calls follow their slot to the shard that has it now. */
  const follow = async (lane: Lane, batch: Batch, place: string): Promise<void> => {
    lane.inFlight = undefined;
    lane.waiting.unshift(batch);
    lane.moves += 1;
    await Promise.race([shards.relearn(place), sleep(relearnMsMax)]);
    if (lanes.get(lane.subject) === lane) sendSoon(lane);
  };

  const send = async (state: ShardState, sent: readonly Lane[]): Promise<void> => {
    const distrusted = memory.nowMs() < state.distrustUntilMs;
    const batches = sent.map((lane) => (lane.inFlight = lane.waiting.shift()!));
    const takes = batches.map(({ quota, answers }, index) => {
      const { subject } = sent[index]!;
      const asked = distrusted ? Math.min(answers.length, roomInMemory(memory, subject, quota)) : answers.length;
      return { key: limitKeyOf(subject), asked, quota };
    });
    let taken: Taken[];
    try {
      taken = await takeFromShard(shards, state.shard, takes);
    } catch (error) {
      // If answered, this error belongs to a failure that is already known and may be over.
      if (batches.every(({ answered }) => answered)) return;
      const redirection = readRedirection(error);
      if (typeof redirection === "object" && sent.every(({ moves }) => moves < movesMax)) {
        for (const [index, lane] of sent.entries()) if (!batches[index]!.answered) void follow(lane, batches[index]!, redirection.place);
      } else state.health.fail(error);
      return;
    }
    for (const [index, lane] of sent.entries()) {
      const batch = batches[index]!;
      if (batch.answered) continue;
      answerBatch(lane, batch, taken[index]!, distrusted);
      lane.inFlight = undefined;
      lane.moves = 0;
      if (lane.waiting.length === 0) lanes.delete(lane.subject);
      else sendSoon(lane);
    }
  };

  const sendDue = (due: readonly Lane[]): void => {
    for (const lane of due) lane.state = states.of(lane.slot);
    for (const [state, ofShard] of Map.groupBy(due, (lane) => lane.state)) {
      // A shard that failed while its calls followed their slot.
      if (state.health.mode() === "fallback") {
        ofShard.forEach(answerFromMemory);
        continue;
      }
      writeTogether(state, () => {
        for (const ofSlot of Map.groupBy(ofShard, ({ slot }) => slot).values()) {
          for (let first = 0; first < ofSlot.length; first += subjectsPerRunMax) void send(state, ofSlot.slice(first, first + subjectsPerRunMax));
        }
      });
    }
  };

  /** Calls that are already readable join the same run. */
  const sendSoon = (lane: Lane): void => {
    if (ready.push(lane) > 1) return;
    setImmediate(() => {
      const due = ready;
      ready = [];
      sendDue(due);
    });
  };

  const join = (subject: string, quota: Quota, { slot, state, answer }: { slot: number; state: ShardState; answer: Answer }): void => {
    waitingCount += 1;
    let lane = lanes.get(subject);
    if (lane === undefined) {
      lane = { subject, slot, state, inFlight: undefined, waiting: [], moves: 0 };
      lanes.set(subject, lane);
      sendSoon(lane);
    }
    const last = lane.waiting.at(-1);
    if (last !== undefined && sameQuota(last.quota, quota)) last.answers.push(answer);
    else lane.waiting.push({ quota, answers: [answer], answered: false });
  };

  const consume = (subject: string, quota: Quota): LimitOutcome | Promise<LimitOutcome> => {
    if (closed) return memory.consume(subject, quota);
    const slot = shards.slotOf(limitKeyOf(subject));
    const state = states.of(slot);
    if (state.health.mode() === "fallback") return memory.consume(subject, quota);
    if (waitingCount >= waitingMax) throw overloaded("too many calls wait for the rate limiter");
    return new Promise((answer) => join(subject, quota, { slot, state, answer }));
  };

  /** Takes zero calls, which returns the counts. An error does not switch to the fallback. */
  const peek = async (subject: string, quota: Quota): Promise<WindowCounts> => {
    const own = memory.peek(subject, quota);
    const key = limitKeyOf(subject);
    const { shard, health } = states.of(shards.slotOf(key));
    if (closed || health.mode() === "fallback") return own;
    try {
      const [counts] = await takeFromShard(shards, shard, [{ key, asked: 0, quota }]);
      return counts!;
    } catch {
      return own;
    }
  };

  const close = async (): Promise<void> => {
    closed = true;
    states.close();
    answerAllFromMemory();
  };

  return { consume, peek, mode, close };
}

/** The runs of a turn, one per slot, leave in one write. */
function writeTogether({ shard }: ShardState, write: () => void): void {
  let stream: { cork(): void; uncork(): void } | undefined;
  try {
    stream = shard.redis().stream;
  } catch {
    // Nobody is known: each run fails by itself.
  }
  stream?.cork();
  write();
  stream?.uncork();
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
