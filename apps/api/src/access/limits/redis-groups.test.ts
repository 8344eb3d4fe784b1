import assert from "node:assert/strict";
import { after, afterEach, before, describe, it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { askRedis, type RedisClusterGroup, type SentinelGroup, startRedisCluster, startSentinelGroup, tryRedis } from "../../../test/access/start-redis-group.ts";
import { hasRedisServer, patientWaits } from "../../../test/access/start-redis.ts";
import { waitUntil } from "../../../test/send.ts";
import { keySlot } from "../redis/key-slot.ts";
import { type RedisWaits, usualWaits } from "../redis/open-redis.ts";
import { openShards } from "../redis/open-shards.ts";
import type { RedisShards } from "../redis/shards.ts";
import { openKeyChangeChannel } from "../keys/open-key-change-channel.ts";
import type { Limiter, LimiterMode, LimitOutcome, Quota } from "./limiter.ts";
import { createMemoryLimiter, type MemoryLimiter } from "./memory-limiter.ts";
import { createRedisLimiter } from "./redis-limiter.ts";
import { limitKeyOf } from "./take-script.ts";

type Node = { limiter: Limiter; memory: MemoryLimiter; shards: RedisShards; modes: LimiterMode[]; logged: object[] };

/** For a Redis that is stopped, and answers nothing without closing: longer than one that runs takes on a busy machine. */
const stoppedWaits: RedisWaits = { ...patientWaits, silenceMs: 5_000 };
/** A server that is silent for this long is replaced: no other one, however busy the machine is. */
const replacedMs = 4_000;
const skip = hasRedisServer() ? false : "redis-server is not on this machine";
const quota: Quota = { perHour: 1_000, perMinute: 30 };
const callMany = async (limiter: Limiter, subject: string, calls: number): Promise<LimitOutcome[]> =>
  Promise.all(Array.from({ length: calls }, async () => limiter.consume(subject, quota)));
const allowedIn = (outcomes: LimitOutcome[]): number => outcomes.filter(({ allowed }) => allowed).length;
const used = async (limiter: Limiter, subject: string): Promise<number> => (await limiter.peek(subject, quota)).burst.used;

function suiteNodes(urlOf: () => string) {
  const nodes: Node[] = [];
  afterEach(async () => {
    const ended = nodes.splice(0);
    await Promise.all(ended.map(({ limiter }) => limiter.close()));
    for (const { shards } of ended) shards.close();
  });
  return async (waits = patientWaits): Promise<Node> => {
    const shards = await openShards(urlOf(), waits);
    const memory = createMemoryLimiter({ nowMs: () => performance.now() });
    const [modes, logged]: [LimiterMode[], object[]] = [[], []];
    const log = { info: (obj: object) => void logged.push(obj), warn: (obj: object) => void logged.push(obj) };
    const limiter = createRedisLimiter({ shards, memory, log, onModeChange: (mode) => void modes.push(mode) });
    const node = { limiter, memory, shards, modes, logged };
    nodes.push(node);
    return node;
  };
}

async function openChannels(t: TestContext, url: string) {
  const [speaker, listener] = [await openKeyChangeChannel(url), await openKeyChangeChannel(url)];
  t.after(() => Promise.all([speaker.close(), listener.close()]));
  const heard: string[] = [];
  listener.subscribe((subject) => heard.push(subject));
  return { speaker, heard };
}

/** Subjects whose key is in the slots. */
function subjectsIn({ first, last }: { first: number; last: number }, count: number, name = "subject"): string[] {
  const found: string[] = [];
  for (let tried = 0; found.length < count; tried += 1) {
    const slot = keySlot(limitKeyOf(`${name}-${tried}`));
    if (slot >= first && slot <= last) found.push(`${name}-${tried}`);
  }
  return found;
}

/** How much of the stream of writes this server has: what a primary has written, or a replica received. */
const readOffset = async (port: number): Promise<number> => Number(/^(?:slave_repl|master_repl)_offset:(\d+)/m.exec(String(await askRedis(port, "INFO", "replication")))![1]);

describe("limits under Sentinels", { skip }, () => {
  let group: SentinelGroup;
  before(async () => {
    group = await startSentinelGroup({ downAfterMs: replacedMs });
  });
  after(() => group.stop());
  const startNode = suiteNodes(() => group.url);

  it("are counted by the primary that the Sentinels name, and announcements reach all nodes", async (t) => {
    const [a, b] = [await startNode(), await startNode()];
    const outcomes = (await Promise.all([callMany(a.limiter, "shared", 40), callMany(b.limiter, "shared", 40)])).flat();
    assert.equal(allowedIn(outcomes), quota.perMinute);
    assert.match(String(await askRedis(group.servers[0]!.port, "EXISTS", limitKeyOf("shared"))), /^1$/);
    const { speaker, heard } = await openChannels(t, group.url);
    await waitUntil(() => {
      speaker.publish("key_1");
      return heard.includes("key_1");
    }, "the announcement arrives");
  });

  it("grant each node at most the limit when the primary is replaced by one that has missed calls, and are exact for calls from then on", async (t) => {
    const [a, b] = [await startNode(stoppedWaits), await startNode(stoppedWaits)];
    const { speaker, heard } = await openChannels(t, group.url);
    assert.equal(allowedIn(await callMany(a.limiter, "moved", 10)), 10);
    const old = (await group.primary())!;
    const next = group.servers.find((server) => server !== old)!;
    // Replication stands still, so that the replica misses what is counted now.
    await askRedis(next.port, "REPLICAOF", "127.0.0.1", "1");
    assert.equal(allowedIn(await callMany(a.limiter, "moved", 15)), 15);
    assert.equal(allowedIn(await callMany(b.limiter, "moved", 3)), 3);
    await askRedis(next.port, "REPLICAOF", "127.0.0.1", old.port);
    process.kill(old.pid, "SIGSTOP");
    await waitUntil(async () => (await group.primary()) === next, "the Sentinels promote the replica");
    let granted = 28;
    const isBack = async () => {
      // Nobody is refused or kept waiting because of Redis in between.
      granted += allowedIn([...(await callMany(a.limiter, "moved", 1)), ...(await callMany(b.limiter, "moved", 1))]);
      return a.limiter.mode() === "redis" && b.limiter.mode() === "redis" && a.modes.length + b.modes.length > 0;
    };
    await waitUntil(isBack, "both nodes count at the new primary");
    for (const { limiter } of [a, b]) granted += allowedIn(await callMany(limiter, "moved", 100));
    assert(a.memory.peek("moved", quota).burst.used <= quota.perMinute && b.memory.peek("moved", quota).burst.used <= quota.perMinute, "no node grants more than the limit");
    assert(granted <= 2 * quota.perMinute, `${granted} were granted`);
    assert.equal(allowedIn([...(await callMany(a.limiter, "fresh", 40)), ...(await callMany(b.limiter, "fresh", 40))]), quota.perMinute, "exact from then on");
    await waitUntil(() => {
      speaker.publish("key_2");
      return heard.includes("key_2");
    }, "announcements arrive by the new primary");
    process.kill(old.pid, "SIGCONT");
    await waitUntil(async () => String(await tryRedis(old.port, "ROLE")).startsWith("slave"), "the old primary follows the new one");
    assert.equal(allowedIn([...(await callMany(a.limiter, "late", 40)), ...(await callMany(b.limiter, "late", 40))]), quota.perMinute);
  });

  it("are shared again when no Sentinel could be asked for longer than a client takes to ask them all", async () => {
    const node = await startNode(usualWaits);
    const primary = (await group.primary())!;
    const silence = (signal: NodeJS.Signals) => group.sentinels.forEach(({ pid }) => process.kill(pid, signal));
    silence("SIGSTOP");
    try {
      await askRedis(primary.port, "CLIENT", "KILL", "TYPE", "normal");
      await waitUntil(async () => {
        await callMany(node.limiter, "silent", 1);
        return node.limiter.mode() === "fallback";
      }, "the node counts by itself");
      await sleep(3 * usualWaits.commandMs * group.sentinels.length);
    } finally {
      silence("SIGCONT");
    }
    await waitUntil(() => node.limiter.mode() === "redis", "the node has found the primary again");
  });
});

describe("limits in a Cluster", { skip }, () => {
  let group: RedisClusterGroup;
  before(async () => {
    group = await startRedisCluster({ nodeTimeoutMs: replacedMs });
  });
  after(() => group.stop());
  const startNode = suiteNodes(() => group.url);

  it("are exact for subjects of all shards, whatever their slots, and each shard has its own", async () => {
    const [a, b] = [await startNode(), await startNode()];
    const subjects = Array.from({ length: 60 }, (_, index) => `any-${index}`);
    const outcomes = await Promise.all(subjects.map(async (subject) => [...(await callMany(a.limiter, subject, 20)), ...(await callMany(b.limiter, subject, 20))]));
    assert.deepEqual(outcomes.map(allowedIn), subjects.map(() => quota.perMinute));
    assert.deepEqual([a.modes, b.modes], [[], []]);
    for (const { primary } of group.shards) assert(Number(await askRedis(primary.port, "DBSIZE")) > 5);
    assert.equal(await used(a.limiter, "any-0"), quota.perMinute);
  });

  it("stay exact while a slot is moved to another shard, and afterwards", async () => {
    const [a, b] = [await startNode(), await startNode()];
    const [from, to] = [group.shards[0]!, group.shards[1]!];
    const slot = keySlot("limits:{carried}") <= from.last ? keySlot("limits:{carried}") : 100;
    // Several subjects of one slot, so that runs have keys on both sides.
    const subjects: string[] = [];
    for (let tried = 0; subjects.length < 3; tried += 1) if (keySlot(limitKeyOf(`carried-${tried}`)) === slot) subjects.push(`carried-${tried}`);
    const callAll = async (calls: number): Promise<number[]> =>
      Promise.all(subjects.map(async (subject) => allowedIn([...(await callMany(a.limiter, subject, calls)), ...(await callMany(b.limiter, subject, calls))])));
    const granted = [await callAll(3)];
    const [fromId, toId] = [await askRedis(from.primary.port, "CLUSTER", "MYID"), await askRedis(to.primary.port, "CLUSTER", "MYID")];
    await askRedis(to.primary.port, "CLUSTER", "SETSLOT", slot, "IMPORTING", String(fromId));
    await askRedis(from.primary.port, "CLUSTER", "SETSLOT", slot, "MIGRATING", String(toId));
    granted.push(await callAll(3));
    await askRedis(from.primary.port, "MIGRATE", "127.0.0.1", to.primary.port, limitKeyOf(subjects[0]!), 0, 1_000);
    granted.push(await callAll(3));
    for (const subject of subjects.slice(1)) await askRedis(from.primary.port, "MIGRATE", "127.0.0.1", to.primary.port, limitKeyOf(subject), 0, 1_000);
    granted.push(await callAll(3));
    for (const { primary } of [to, from]) await askRedis(primary.port, "CLUSTER", "SETSLOT", slot, "NODE", String(toId));
    granted.push(await callAll(20));
    const totals = subjects.map((_, index) => granted.reduce((sum, each) => sum + each[index]!, 0));
    assert.deepEqual(totals, subjects.map(() => quota.perMinute));
    assert.deepEqual([a.modes, b.modes], [[], []], "no node had to count by itself");
  });

  it("a lost shard leaves the limits of the others exact, its own at most once per node, and heals by itself", async () => {
    const [a, b] = [await startNode(), await startNode()];
    const lost = group.shards[2]!;
    const [mine] = subjectsIn(lost, 1, "lost");
    const others = subjectsIn(group.shards[1]!, 5, "safe");
    assert.equal(allowedIn(await callMany(a.limiter, mine!, 10)), 10);
    for (const server of [lost.primary, lost.replica]) server.kill();
    assert.equal(allowedIn(await callMany(a.limiter, mine!, 100)), 20, "this node knows what it granted");
    assert.equal(allowedIn(await callMany(b.limiter, mine!, 100)), 30, "the other one grants its own limit, once");
    assert.deepEqual([a.limiter.mode(), b.limiter.mode()], ["fallback", "fallback"]);
    for (const subject of others) {
      const outcomes = [...(await callMany(a.limiter, subject, 20)), ...(await callMany(b.limiter, subject, 20))];
      assert.equal(allowedIn(outcomes), quota.perMinute, "exact");
      assert.deepEqual(outcomes.slice(0, 30).map(({ burst }) => burst.remaining), Array.from({ length: 30 }, (_, index) => 29 - index));
    }
    assert(a.logged.some((line) => (line as { shard?: string }).shard === `127.0.0.1:${lost.primary.port}`), "the log names the shard");
    await group.restart(lost.primary);
    await waitUntil(() => a.limiter.mode() === "redis" && b.limiter.mode() === "redis", "both count in all shards again");
    assert.equal(allowedIn([...(await callMany(a.limiter, mine!, 50)), ...(await callMany(b.limiter, mine!, 50))]), 0, "an empty shard grants nothing twice");
    const [fresh] = subjectsIn(lost, 1, "fresh");
    assert.equal(allowedIn([...(await callMany(a.limiter, fresh!, 40)), ...(await callMany(b.limiter, fresh!, 40))]), quota.perMinute);
  });

  it("a replica that takes over is found, with distrust, and announcements go on", async (t) => {
    const [a, b] = [await startNode(), await startNode()];
    const shard = group.shards[0]!;
    const [subject] = subjectsIn(shard, 1, "taken-over");
    const { speaker, heard } = await openChannels(t, group.url);
    assert.equal(allowedIn(await callMany(a.limiter, subject!, 25)), 25);
    const written = await readOffset(shard.primary.port);
    await waitUntil(async () => (await readOffset(shard.replica.port)) >= written, "the replica has received the calls");
    shard.primary.kill();
    await waitUntil(async () => {
      await callMany(a.limiter, `${subject}-probe{${subject}}`, 1);
      return String(await tryRedis(shard.replica.port, "ROLE")).startsWith("master");
    }, "the replica takes over");
    await waitUntil(async () => {
      const isThere = ({ limiter, shards }: Node) => limiter.mode() === "redis" && shards.shardOf(keySlot(limitKeyOf(subject!))).place() === `127.0.0.1:${shard.replica.port}`;
      return [a, b].every(isThere);
    }, "both nodes count at the new primary");
    assert.equal(allowedIn([...(await callMany(a.limiter, subject!, 30)), ...(await callMany(b.limiter, subject!, 30))]), 5, "it had received all calls");
    await waitUntil(() => {
      speaker.publish("key_3");
      return heard.includes("key_3");
    }, "announcements arrive");
  });
});
