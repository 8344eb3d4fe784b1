import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { startRedis } from "../../access/start-redis.ts";
import { isolate, reconnect } from "./ha-faults.ts";
import type { HaInstallation, HaNode } from "./ha-installation.ts";
import type { Member } from "./ha-member.ts";
import type { SeededRandom } from "./seeded-random.ts";

export type HaFaultContext = { installation: HaInstallation; random: SeededRandom };

/** Inflicts a fault and does what a supervisor would do, and nothing else. Resolves when the fault is over. */
export type HaFault = (context: HaFaultContext) => Promise<void>;

const choose = <Item>(random: SeededRandom, items: readonly Item[]): Item => items[random.between(0, items.length - 1)]!;
const chooseNode = ({ installation, random }: HaFaultContext): HaNode => choose(random, installation.nodes);

/** Longer and shorter than Patroni's lease: with and without a failover. */
const pauseOf = (random: SeededRandom): number => (random.isTrue(0.5) ? random.between(9_500, 13_000) : random.between(500, 4_000));

async function restartMember(member: Member, { random }: HaFaultContext): Promise<void> {
  await member.machine.kill9();
  await sleep(pauseOf(random));
  member.start();
}

async function freezeMember(member: Member, { random }: HaFaultContext): Promise<void> {
  await member.machine.freeze();
  try {
    await sleep(pauseOf(random));
  } finally {
    member.machine.resume();
  }
}

async function cutMemberOff(member: Member, { installation, random }: HaFaultContext): Promise<void> {
  isolate(installation.cluster, member);
  if (random.isTrue(0.5)) member.nodeWay.hold();
  await sleep(pauseOf(random));
  reconnect(installation.cluster);
}

const primaryOf = async ({ installation }: HaFaultContext) => (await installation.cluster.untilPair()).primary;
const standbyOf = async ({ installation }: HaFaultContext) => (await installation.cluster.untilPair()).standby;

/** Shorter than the lease, or long enough that the primary steps down until etcd is back. */
async function stopEtcd({ installation, random }: HaFaultContext): Promise<void> {
  const { etcd } = installation.cluster;
  await etcd.machine.kill9();
  await sleep(pauseOf(random));
  await etcd.start();
}

async function killNode(context: HaFaultContext): Promise<void> {
  const node = chooseNode(context);
  await node.service.kill9();
  await sleep(context.random.between(100, 800));
  await node.start();
}

async function drainNode(context: HaFaultContext): Promise<void> {
  const node = chooseNode(context);
  assert.equal(await node.service.stop(), 0, `${node.name} drains: ${node.service.logs().slice(-2_000)}`);
  await node.start();
}

async function loseRedis({ installation, random }: HaFaultContext): Promise<void> {
  const { port } = installation.redis;
  await installation.redis.stop();
  await sleep(random.between(300, 3_000));
  installation.redis = await startRedis(port);
}

/** All connections of all nodes to PostgreSQL, a few times. */
async function cutConnections({ installation, random }: HaFaultContext): Promise<void> {
  for (let times = random.between(1, 4); times > 0; times -= 1) {
    for (const { nodeWay } of installation.cluster.members) nodeWay.cut();
    await sleep(random.between(50, 800));
  }
}

export const haFaults = {
  kill_primary: async (context) => restartMember(await primaryOf(context), context),
  freeze_primary: async (context) => freezeMember(await primaryOf(context), context),
  cut_primary_off: async (context) => cutMemberOff(await primaryOf(context), context),
  kill_standby: async (context) => restartMember(await standbyOf(context), context),
  freeze_standby: async (context) => freezeMember(await standbyOf(context), context),
  stop_etcd: stopEtcd,
  kill_node: killNode,
  drain_node: drainNode,
  lose_redis: loseRedis,
  cut_connections: cutConnections,
} satisfies Record<string, HaFault>;

export type HaFaultName = keyof typeof haFaults;
export const haFaultNames = Object.keys(haFaults) as HaFaultName[];
/** Each happens to something else than the others, so that it can happen at the same time as any of those. */
export const besides: readonly HaFaultName[] = ["kill_node", "lose_redis", "cut_connections"];
