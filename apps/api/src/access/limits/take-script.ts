import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import type { Quota, WindowCounts } from "./limiter.ts";

type RedisScript = { source: string; sha1: string };

/** As many calls of one subject as fit into its quota, `asked` at most. */
export type Take = { key: string; asked: number; quota: Quota };

/** The number of granted calls, and both windows afterwards. */
export type Taken = WindowCounts & { granted: number };

/** All nodes use the clock of the Redis server. */
const redisClock = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * The lines before it must set `now` (whole milliseconds). A test can put another clock there, while the production
 * script does not accept a time from outside. See sliding-window.ts for the rule.
 *
 * One hash per subject. Field `s` packs the heads of both windows: calls counted, oldest bucket with calls, bucket being
 * filled, calls in that one. h0..h60 and b0..b60 are the rings of filled buckets. The usual call reads and writes one
 * field. Another is written once per bucket. The rings are read only when a bucket has expired, or under a lowered
 * limit. Plain locals and one field take half the server time of a table per window and six fields.
 *
 * Wall clocks step back. After a step of up to one window, time stands still here: calls are only counted longer. After
 * a larger step the counts lie in the future and are dropped.
 */
const takeCalls = `
local floor, head = math.floor, '<I4ddI4I4ddI4'
local key, moved, ring

local function slots()
  if not ring then
    ring = {}
    local flat = redis.call('HGETALL', key)
    for i = 1, #flat, 2 do ring[flat[i]] = tonumber(flat[i + 1]) end
  end
  return ring
end

local function dropBefore(first, name, oldest, bucket)
  local used, kept, gone = 0, nil, {}
  for counted = oldest, oldest + 60 do
    local slot = name .. counted % 61
    local count = slots()[slot]
    if count and counted >= first then
      used, kept = used + count, kept or counted
    elseif count then
      gone[#gone + 1], ring[slot] = slot, nil
    end
  end
  if #gone > 0 then redis.call('HDEL', key, unpack(gone)) end
  return used, kept or bucket
end

local function advance(name, bucketMs, used, oldest, filling, here)
  local bucket = floor(now / bucketMs)
  if used == 0 then return 0, bucket, bucket, 0 end
  local back = filling - bucket
  if back >= 0 and back <= 60 then return used, oldest, filling, here end
  moved = true
  if here > 0 then
    local slot = name .. filling % 61
    redis.call('HSET', key, slot, here)
    if ring then ring[slot] = here end
  end
  if back > 60 then
    used, oldest = dropBefore(math.huge, name, oldest, bucket)
  elseif bucket >= oldest + 61 then
    used, oldest = dropBefore(bucket - 60, name, oldest, bucket)
  end
  return used, oldest, bucket, 0
end

local function resetMs(name, bucketMs, limit, used, oldest, filling)
  if limit < 1 then return bucketMs * 60 end
  if used == 0 then return 0 end
  local last, left = oldest, used
  if used > limit then
    while last < filling do
      left = left - (slots()[name .. last % 61] or 0)
      if left < limit then break end
      last = last + 1
    end
  end
  return (last + 61) * bucketMs - now
end

local reply = {}
for turn = 1, #KEYS do
  key, moved, ring = KEYS[turn], false, nil
  local asked, hourLimit, burstLimit = tonumber(ARGV[turn * 3 - 2]), tonumber(ARGV[turn * 3 - 1]), tonumber(ARGV[turn * 3])
  local hUsed, hOldest, hBucket, hHere, bUsed, bOldest, bBucket, bHere = 0, 0, 0, 0, 0, 0, 0, 0
  local held = redis.call('HGET', key, 's')
  if held then hUsed, hOldest, hBucket, hHere, bUsed, bOldest, bBucket, bHere = struct.unpack(head, held) end
  hUsed, hOldest, hBucket, hHere = advance('h', 60000, hUsed, hOldest, hBucket, hHere)
  bUsed, bOldest, bBucket, bHere = advance('b', 1000, bUsed, bOldest, bBucket, bHere)

  local granted = math.max(0, floor(math.min(asked, hourLimit - hUsed, burstLimit - bUsed)))
  hUsed, bUsed = hUsed + granted, bUsed + granted
  if granted > 0 or moved then
    redis.call('HSET', key, 's', struct.pack(head,
      hUsed, hOldest, hBucket, hHere + granted, bUsed, bOldest, bBucket, bHere + granted))
    if granted > 0 and hHere == 0 then redis.call('PEXPIREAT', key, (hBucket + 61) * 60000) end
  end
  local at = turn * 5
  reply[at - 4], reply[at - 3] = granted, hUsed
  reply[at - 2] = resetMs('h', 60000, hourLimit, hUsed, hOldest, hBucket)
  reply[at - 1], reply[at] = bUsed, resetMs('b', 1000, burstLimit, bUsed, bOldest, bBucket)
end
return reply
`;

const scriptOf = (source: string): RedisScript => ({
  source,
  sha1: createHash("sha1").update(source).digest("hex"),
});

export const takeScript: RedisScript = scriptOf(redisClock + takeCalls);

/** For tests: `clock` is Lua that sets `now` and may use the last of ARGV. */
export const takeScriptUnderClock = (clock: string): RedisScript => scriptOf(clock + takeCalls);

/** The braces are a hash tag: all keys of a subject are in one cluster slot. */
export const limitKeyOf = (subject: string): string => `limits:{${subject}}`;

/** One run of the script for all of them, in order. */
export async function takeFromRedis(
  redis: Pick<Redis, "eval" | "evalsha">,
  takes: readonly Take[],
  { script, clockArgument }: { script: RedisScript; clockArgument?: number } = { script: takeScript },
): Promise<Taken[]> {
  const values = valuesOf(takes);
  if (clockArgument !== undefined) values.push(clockArgument);
  let reply: unknown;
  try {
    reply = await redis.evalsha(script.sha1, takes.length, ...values);
  } catch (error) {
    // A server that restarted or failed over has lost its scripts; EVAL runs this one and caches it.
    if (!(error instanceof Error) || !error.message.startsWith("NOSCRIPT")) throw error;
    reply = await redis.eval(script.source, takes.length, ...values);
  }
  return readReply(reply, takes);
}

/** The same at a server that the slot is being moved to: it answers only what is said to be asked of it. */
export async function takeAsking(redis: Pick<Redis, "pipeline">, takes: readonly Take[]): Promise<Taken[]> {
  const replies = await redis.pipeline().call("ASKING").call("EVAL", takeScript.source, takes.length, ...valuesOf(takes)).exec();
  const [error, reply] = replies?.[1] ?? [new Error("no reply to the take script")];
  if (error) throw error;
  return readReply(reply, takes);
}

const valuesOf = (takes: readonly Take[]): (string | number)[] => [
  ...takes.map(({ key }) => key),
  ...takes.flatMap(({ asked, quota }) => [asked, quota.perHour, quota.perMinute]),
];

function readReply(reply: unknown, takes: readonly Take[]): Taken[] {
  assert(Array.isArray(reply) && reply.length === takes.length * 5 && reply.every(Number.isSafeInteger), "the take script's reply");
  return takes.map((_, index) => takenAt(reply as number[], index * 5));
}

const takenAt = (reply: readonly number[], first: number): Taken => ({
  granted: reply[first]!,
  hour: { used: reply[first + 1]!, resetMs: reply[first + 2]! },
  burst: { used: reply[first + 3]!, resetMs: reply[first + 4]! },
});
