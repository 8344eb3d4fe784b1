import type { Shard, RedisShards } from "../redis/shards.ts";
import { keySlot } from "../redis/key-slot.ts";
import { createFallbackSwitch, type FallbackSwitch } from "./fallback-switch.ts";
import { hourSeconds, type LimiterLog, type Quota } from "./limiter.ts";
import { takeFromShard } from "./take-from-shard.ts";

/** What this node thinks of a shard. */
export type ShardState = { shard: Shard; health: FallbackSwitch; distrustUntilMs: number };

/** How long memory may count calls that Redis does not. */
const memoryMs = (hourSeconds * 1000 * 61) / 60;
const probeQuota: Quota = { perHour: 1_000_000_000, perMinute: 1_000_000_000 };

const probeTags = new Map<number, string>();

/** A key in the slot. It cannot collide with a subject's key, which has a brace after the colon. */
function probeKeyIn(slot: number): string {
  let tag = probeTags.get(slot);
  for (let tried = 0; tag === undefined; tried += 1) if (keySlot(String(tried)) === slot) tag = String(tried);
  probeTags.set(slot, tag);
  return `limits:probe:{${tag}}`;
}

export type ShardStates = {
  of(slot: number): ShardState;
  /** Every shard that counts now. */
  all(): ShardState[];
  close(): void;
};

/** Health and distrust per shard: what happens to one shard changes nothing for the subjects of the others. */
export function createShardStates(options: {
  shards: RedisShards;
  nowMs: () => number;
  log: LimiterLog;
  /** A shard has failed: nothing that waits for it will be answered by it. */
  onFailed: (state: ShardState) => void;
  /** The modes, or the shards, may be others now. */
  onChanged: () => void;
}): ShardStates {
  const { shards, nowMs } = options;
  const states = new Map<Shard, ShardState>();

  const distrust = (state: ShardState): void => {
    state.distrustUntilMs = nowMs() + memoryMs;
  };

  const add = (shard: Shard): ShardState => {
    const state: ShardState = {
      shard,
      distrustUntilMs: Number.NEGATIVE_INFINITY,
      health: createFallbackSwitch({
        probe: async () => {
          // A shard that is gone needs no probe, and its calls have gone elsewhere.
          if (!shards.all().includes(shard)) return;
          await takeFromShard(shards, shard, [{ key: probeKeyIn(shard.slot()), asked: 1, quota: probeQuota }]);
        },
        nowMs,
        log: options.log,
        place: shard.place,
        onModeChange: (mode) => {
          if (mode === "fallback") options.onFailed(state);
          else distrust(state);
          options.onChanged();
        },
      }),
    };
    states.set(shard, state);
    return state;
  };

  const forgetGone = (): void => {
    const here = new Set(shards.all());
    for (const [shard, { health }] of states) {
      // One that had failed is reported as healed by its next probe.
      if (here.has(shard) || health.mode() === "fallback") continue;
      health.close();
      states.delete(shard);
    }
  };

  const stateOf = (shard: Shard): ShardState => {
    const known = states.get(shard);
    if (known) return known;
    // It was not there when this node began to count.
    const state = add(shard);
    distrust(state);
    return state;
  };

  for (const shard of shards.all()) add(shard);
  const stopListening = shards.onRenewed((shard) => {
    distrust(stateOf(shard));
    forgetGone();
    options.onChanged();
  });

  return {
    of: (slot) => stateOf(shards.shardOf(slot)),
    all: () => shards.all().map(stateOf),
    close() {
      stopListening();
      for (const { health } of states.values()) health.close();
    },
  };
}
