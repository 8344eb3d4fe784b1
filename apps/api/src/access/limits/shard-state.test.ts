import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createListeners, type RedisShards, type Shard } from "../redis/shards.ts";
import { createShardStates } from "./shard-state.ts";

/** Longer than either window: whatever the shard may lack has left it by then. */
const distrustMs = 61 * 60_000;

function makeShard(place: string): Shard {
  return { redis: () => assert.fail("nobody asks this shard anything"), slot: () => 0, place: () => place };
}

/** A Cluster whose slots belong to the shards by turns. */
function openStates(here: Shard[]) {
  const listeners = createListeners();
  const told: string[] = [];
  let nowMs = 1_000;
  const shards: RedisShards = {
    slotOf: () => 0,
    shardOf: (slot) => here[slot % here.length]!,
    all: () => here,
    onRenewed: listeners.add,
    relearn: async () => {},
    clientAt: () => assert.fail("nobody moves keys"),
    close() {},
  };
  const states = createShardStates({
    shards,
    nowMs: () => nowMs,
    log: { info() {}, warn() {} },
    onFailed: ({ shard }) => void told.push(`${shard.place()} failed`),
    onChanged: () => void told.push("changed"),
  });
  return { states, told, renew: listeners.tell, pass: (ms: number) => (nowMs += ms) };
}

describe("what a node thinks of its shards", () => {
  it("trusts those that were there when it began, and for an hour only in part one that came later", () => {
    const here = [makeShard("first")];
    const { states, pass } = openStates(here);
    assert.equal(states.of(0).distrustUntilMs, Number.NEGATIVE_INFINITY);
    here.push(makeShard("second"));
    const added = states.of(1);
    assert.equal(added.distrustUntilMs, 1_000 + distrustMs);
    pass(60_000);
    assert.equal(states.of(1), added, "one state per shard");
    assert.equal(added.distrustUntilMs, 1_000 + distrustMs, "counted from when it was first seen");
    here.push(makeShard("third"));
    assert.deepEqual(states.all().map(({ distrustUntilMs }) => distrustUntilMs), [Number.NEGATIVE_INFINITY, 1_000 + distrustMs, 61_000 + distrustMs]);
    states.close();
  });

  it("distrusts a shard that was renewed, and no other", () => {
    const here = [makeShard("first"), makeShard("second")];
    const { states, told, renew, pass } = openStates(here);
    pass(500);
    renew(here[1]!);
    assert.deepEqual(states.all().map(({ distrustUntilMs }) => distrustUntilMs), [Number.NEGATIVE_INFINITY, 1_500 + distrustMs]);
    assert.deepEqual(told, ["changed"]);
    states.close();
    renew(here[0]!);
    assert.deepEqual(told, ["changed"], "a closed one hears nothing");
  });

  it("forgets a shard that is gone, and begins anew with it when it comes back", () => {
    const [first, second] = [makeShard("first"), makeShard("second")];
    const here = [first, second];
    const { states, renew } = openStates(here);
    const before = states.of(1);
    here.splice(1, 1);
    renew(first);
    here.push(second);
    assert.notEqual(states.of(1), before);
    assert.equal(states.of(1).distrustUntilMs, 1_000 + distrustMs);
    states.close();
  });

  it("tells of a failed shard once, and keeps it although it is gone until it is reported as healed", () => {
    const [first, second] = [makeShard("first"), makeShard("second")];
    const here = [first, second];
    const { states, told, renew } = openStates(here);
    const failed = states.of(1);
    failed.health.fail(new Error("down"));
    failed.health.fail(new Error("down"));
    assert.deepEqual(told, ["second failed", "changed"]);
    here.splice(1, 1);
    renew(first);
    here.push(second);
    assert.equal(states.of(1), failed);
    assert.equal(failed.health.mode(), "fallback");
    states.close();
  });
});
