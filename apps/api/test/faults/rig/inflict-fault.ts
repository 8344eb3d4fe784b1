import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { assayOn } from "../../cli/run-assay.ts";
import { openKeyChangeChannel } from "../../../src/access/keys/open-key-change-channel.ts";
import { revokeKey } from "../../../src/access/keys/revoke-key.ts";
import { startRedis } from "../../access/start-redis.ts";
import { assertRevokedInTime } from "../../access/watch-revocation.ts";
import { makeAccount, vastTier } from "../../make-account.ts";
import { waitUntil } from "../../send.ts";
import { makeNextVersion } from "./make-next-version.ts";
import type { ClusterNode, Installation } from "./open-installation.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { msPerHour } from "../../../src/formats/time.ts";

const strikeMsMax = 30_000;

export type FaultContext = {
  installation: Installation;
  random: SeededRandom;
  /** How long a suspended process stays suspended, and a silent network silent. */
  stoppedMs: number;
};

export type Fault = {
  /** Whether callers may notice it. If not, no call may fail. */
  disturbs: boolean;
  /** Inflicts the fault and does what a supervisor would do. Resolves when it is over. */
  inflict(context: FaultContext): Promise<void>;
};

const choose = <Item>(random: SeededRandom, items: readonly Item[]): Item => items[random.between(0, items.length - 1)]!;
const chooseNode = ({ installation, random }: FaultContext): ClusterNode => choose(random, installation.nodes);

async function killNode(context: FaultContext): Promise<void> {
  const node = chooseNode(context);
  await node.service.kill9();
  await sleep(context.random.between(100, 800));
  await node.start();
}

async function killPostgres({ installation, random }: FaultContext): Promise<void> {
  installation.postgres.kill9();
  await sleep(random.between(100, 800));
  await installation.postgres.restart();
}

async function loseRedis({ installation, random }: FaultContext): Promise<void> {
  const { port } = installation.redis;
  await installation.redis.stop();
  await sleep(random.between(300, 1_500));
  installation.redis = await startRedis(port);
}

async function stopNode(context: FaultContext): Promise<void> {
  const { child } = chooseNode(context).service;
  child.kill("SIGSTOP");
  try {
    await sleep(context.stoppedMs);
  } finally {
    child.kill("SIGCONT");
  }
}

async function stopPostgres({ installation, stoppedMs }: FaultContext): Promise<void> {
  installation.postgres.pause();
  try {
    await sleep(stoppedMs);
  } finally {
    installation.postgres.resume();
  }
}

/** Arms the proxy and waits until the load triggers it. */
async function strike(node: ClusterNode, how: Parameters<ClusterNode["proxy"]["strike"]>[0]): Promise<void> {
  let isMet = false;
  void node.proxy.strike(how).then(() => (isMet = true));
  await waitUntil(() => isMet, `${node.name} sends the statement to hit`, strikeMsMax);
}

async function cutBeforeCommit(context: FaultContext): Promise<void> {
  await strike(chooseNode(context), "cut_before");
}

async function cutAfterCommit(context: FaultContext): Promise<void> {
  const node = chooseNode(context);
  await strike(node, choose(context.random, ["drop_answer", "cut_after"]));
  if (context.random.isTrue(0.5)) return;
  // The database also stays unreachable for a while, so that the node has to wait to find out.
  await node.proxy.refuse();
  await sleep(context.random.between(200, 1_500));
  await node.proxy.accept();
}

/** A network that silently drops all packets. */
async function silenceNode(context: FaultContext): Promise<void> {
  const { proxy } = chooseNode(context);
  proxy.blackHole();
  await sleep(context.stoppedMs);
  proxy.endBlackHole(choose(context.random, ["go_on", "stay_silent"]));
}

/** One hour ahead, one hour behind, and back to correct. */
async function jumpClock(context: FaultContext): Promise<void> {
  const node = chooseNode(context);
  for (const aheadMs of [msPerHour, -msPerHour, 0]) {
    await node.setClock(aheadMs);
    await sleep(context.random.between(400, 900));
  }
}

async function revokeKeys({ installation, random }: FaultContext): Promise<void> {
  const { testKey, testKeyId } = await makeAccount(installation.store, { tier: vastTier });
  // Announced through Redis, or found by each node in the store.
  const channel = random.isTrue(0.5) ? await openKeyChangeChannel(installation.redis.url) : undefined;
  const revoke = () => revokeKey(installation.store, { keyId: testKeyId, nowMs: Date.now(), channel });
  await assertRevokedInTime(installation.nodes, testKey, revoke);
  await channel?.close();
}

async function rotateTrackingKey({ installation }: FaultContext): Promise<void> {
  const { databaseUrl, dataDir, version } = installation;
  const { id } = await assayOn({ databaseUrl, dataDir, program: join(version.source, "cli", "main.ts") }).json<{ id: string }>("tracking-key", "rotate");
  assert.ok(id);
}

/** Rolling upgrade: each node drains and restarts in the next version; the first one migrates while the others serve. */
async function upgrade({ installation }: FaultContext): Promise<void> {
  installation.version.source = makeNextVersion();
  for (const node of installation.nodes) {
    assert.equal(await node.service.stop(), 0, `${node.name} drains: ${node.service.logs()}`);
    await node.start();
    await waitUntil(() => node.isReady(), `${node.name} is ready`, strikeMsMax);
  }
}

export const faults = {
  kill_node: { disturbs: true, inflict: killNode },
  kill_postgres: { disturbs: true, inflict: killPostgres },
  lose_redis: { disturbs: false, inflict: loseRedis },
  stop_node: { disturbs: true, inflict: stopNode },
  stop_postgres: { disturbs: true, inflict: stopPostgres },
  cut_before_commit: { disturbs: true, inflict: cutBeforeCommit },
  cut_after_commit: { disturbs: true, inflict: cutAfterCommit },
  silence_node: { disturbs: true, inflict: silenceNode },
  jump_clock: { disturbs: false, inflict: jumpClock },
  revoke_keys: { disturbs: false, inflict: revokeKeys },
  rotate_tracking_key: { disturbs: false, inflict: rotateTrackingKey },
  upgrade: { disturbs: true, inflict: upgrade },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;
export const faultNames = Object.keys(faults) as FaultName[];
