import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { waitUntil } from "../../send.ts";
import { auditInstallation } from "./audit-installation.ts";
import { assertFewShed } from "./count-shed.ts";
import { createFaultWindows, type FaultWindows } from "./fault-windows.ts";
import { type Fault, type FaultName, faultNames, faults } from "./inflict-fault.ts";
import { type MixedLoad, startMixedLoad } from "./mixed-load.ts";
import { type Installation, openInstallation } from "./open-installation.ts";
import { createSeededRandom, type SeededRandom } from "./seeded-random.ts";

/** Time without failures after which the installation counts as recovered. */
const calmMs = 1_000;
/** Deadline for the recovery. */
const healMsMax = 60_000;
const logCharactersShownMax = 3_000;

export type Episode = {
  seed: number;
  /** Default: all of them, once each. The seed decides their order. */
  faults?: readonly FaultName[] | undefined;
  stoppedMs: number;
  log: (line: string) => void;
};

function shuffle<Item>(items: readonly Item[], random: SeededRandom): Item[] {
  const left = [...items];
  return Array.from(items, () => left.splice(random.between(0, left.length - 1), 1)[0]!);
}

/** Waits until every node is ready and no call has failed for a while. */
async function untilCalm(installation: Installation, windows: FaultWindows): Promise<void> {
  await installation.untilReady();
  const isCalm = () => performance.now() - windows.lastFailureMs() > calmMs;
  await sleep(calmMs / 2);
  await waitUntil(isCalm, "calls succeed again", healMsMax);
  windows.calm();
}

/** An installation under load. */
export type LoadedInstallation = { installation: Installation; load: MixedLoad; windows: FaultWindows; close(): Promise<void> };

export async function openLoadedInstallation(seed: number): Promise<LoadedInstallation> {
  const installation = await openInstallation();
  const windows = createFaultWindows(() => performance.now());
  // Separate from the faults' generator: clients draw in an order that depends on timing and must not affect the faults.
  const random = createSeededRandom(seed + 1);
  const load = startMixedLoad({ url: installation.url, random, accounts: installation.accounts, cookie: installation.cookie, windows });
  const close = async () => {
    // Failures from now on do not matter.
    windows.open("the end");
    const stopped = load.stop();
    await installation.close();
    await stopped;
  };
  return { installation, load, windows, close };
}

async function playFault(name: FaultName, { installation, load, windows }: LoadedInstallation, { episode, random }: { episode: Episode; random: SeededRandom }): Promise<void> {
  const fault: Fault = faults[name];
  const pids = new Map(installation.nodes.map((node) => [node.name, node.service.pid]));
  await sleep(random.between(200, 600));
  if (fault.disturbs) windows.open(name);
  await fault.inflict({ installation, random, stoppedMs: episode.stoppedMs });
  if (fault.disturbs) windows.close();
  await untilCalm(installation, windows);
  for (const { name: node, service } of installation.nodes) {
    const isRestarted = pids.get(node) !== service.pid;
    assert.ok(service.child.exitCode === null && service.child.signalCode === null, `${node} has exited: ${service.logs()}`);
    assert.ok(!isRestarted || name === "kill_node" || name === "upgrade", `${node} was restarted`);
  }
  await load.pause();
  const audit = await auditInstallation(installation, load);
  assert.deepEqual(windows.problems(installation.logs()).texts, [], `seed ${random.seed}, ${name}`);
  load.resume();
  episode.log(`${name}: ${JSON.stringify({ ...audit, seen: windows.takeCounts() })}`);
}

/** Inflicts the faults in the seed's order, and audits the installation after each one. */
export async function playEpisode(loaded: LoadedInstallation, episode: Episode): Promise<void> {
  const random = createSeededRandom(episode.seed);
  const order = shuffle(episode.faults ?? faultNames, random);
  episode.log(`seed ${random.seed}: ${order.join(", ")}`);
  try {
    for (const name of order) await playFault(name, loaded, { episode, random });
    const { shed } = loaded.windows.problems(loaded.installation.logs());
    assertFewShed({ shed, calls: loaded.windows.countCalls() }, episode.log);
  } catch (error) {
    const { installation, windows } = loaded;
    const logs = installation.nodes.map((node) => `${node.name}: ${node.logs().slice(-logCharactersShownMax)}`);
    episode.log(`${windows.problems("").texts.join("\n")}\nnginx: ${installation.nginx.errors()}\n${logs.join("\n")}`);
    throw error;
  }
}

/** Runs an episode on its own installation. */
export async function runEpisode(episode: Episode): Promise<void> {
  const loaded = await openLoadedInstallation(episode.seed);
  try {
    await playEpisode(loaded, episode);
  } finally {
    await loaded.close();
  }
}
