import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { waitUntil } from "../../send.ts";
import { auditInstallation } from "./audit-installation.ts";
import { createFaultWindows, type FaultWindows } from "./fault-windows.ts";
import { type Fault, type FaultName, faultNames, faults } from "./inflict-fault.ts";
import { type MixedLoad, startMixedLoad } from "./mixed-load.ts";
import { type Installation, openInstallation } from "./open-installation.ts";
import { createSeededRandom, type SeededRandom } from "./seeded-random.ts";

/** Nothing may go wrong for so long before the installation counts as healed. */
const calmMs = 1_000;
/** A process that is still not well by then needs a hand. */
const healMsMax = 60_000;
const logCharactersShownMax = 3_000;

export type Episode = {
  seed: number;
  /** Absent: all of them, once each. The seed decides their order. */
  faults?: readonly FaultName[] | undefined;
  stoppedMs: number;
  say: (line: string) => void;
};

function shuffle<Item>(items: readonly Item[], random: SeededRandom): Item[] {
  const left = [...items];
  return Array.from(items, () => left.splice(random.between(0, left.length - 1), 1)[0]!);
}

/** Until every node says that it is ready and callers have had no reason to complain for a while. */
async function untilCalm(house: Installation, windows: FaultWindows): Promise<void> {
  await house.untilReady();
  const isCalm = () => performance.now() - windows.lastFailureMs() > calmMs;
  await sleep(calmMs / 2);
  await waitUntil(isCalm, "calls go well again", healMsMax);
  windows.calm();
}

/** An installation under load. */
export type Stage = { house: Installation; load: MixedLoad; windows: FaultWindows; close(): Promise<void> };

/** Starts an installation and puts load on it. */
export async function openStage(seed: number): Promise<Stage> {
  const house = await openInstallation();
  const windows = createFaultWindows(() => performance.now());
  // Not the faults' own chance: clients draw in an order that no seed decides, and must not change who is harmed.
  const random = createSeededRandom(seed + 1);
  const load = startMixedLoad({ url: house.url, random, accounts: house.accounts, cookie: house.cookie, windows });
  const close = async () => {
    // What is cut off now is nobody's loss.
    windows.open("the end");
    const stopped = load.stop();
    await house.close();
    await stopped;
  };
  return { house, load, windows, close };
}

async function playFault(name: FaultName, { house, load, windows }: Stage, { episode, random }: { episode: Episode; random: SeededRandom }): Promise<void> {
  const fault: Fault = faults[name];
  const pids = new Map(house.nodes.map((node) => [node.name, node.service.pid]));
  await sleep(random.between(200, 600));
  if (fault.disturbs) windows.open(name);
  await fault.inflict({ house, random, stoppedMs: episode.stoppedMs });
  if (fault.disturbs) windows.close();
  await untilCalm(house, windows);
  for (const { name: node, service } of house.nodes) {
    const isRestarted = pids.get(node) !== service.pid;
    assert.ok(service.child.exitCode === null && service.child.signalCode === null, `${node} is gone: ${service.logs()}`);
    assert.ok(!isRestarted || name === "kill_node" || name === "upgrade", `${node} was restarted`);
  }
  await load.pause();
  const audit = await auditInstallation(house, load);
  assert.deepEqual(windows.problems(house.logs()), [], `seed ${random.seed}, ${name}`);
  load.resume();
  episode.say(`${name}: ${JSON.stringify({ ...audit, seen: windows.takeCounts() })}`);
}

/** Does to the installation what the seed says, and looks after each fault whether all is as it should be. */
export async function playEpisode(stage: Stage, episode: Episode): Promise<void> {
  const random = createSeededRandom(episode.seed);
  const order = shuffle(episode.faults ?? faultNames, random);
  episode.say(`seed ${random.seed}: ${order.join(", ")}`);
  try {
    for (const name of order) await playFault(name, stage, { episode, random });
  } catch (error) {
    const { house, windows } = stage;
    const logs = house.nodes.map((node) => `${node.name}: ${node.logs().slice(-logCharactersShownMax)}`);
    episode.say(`${windows.problems("").join("\n")}\nnginx: ${house.nginx.errors()}\n${logs.join("\n")}`);
    throw error;
  }
}

/** An episode on an installation of its own. */
export async function runEpisode(episode: Episode): Promise<void> {
  const stage = await openStage(episode.seed);
  try {
    await playEpisode(stage, episode);
  } finally {
    await stage.close();
  }
}
