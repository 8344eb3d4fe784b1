import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { waitUntil } from "../../send.ts";
import { auditInstallation } from "./audit-installation.ts";
import { createFaultWindows, type FaultWindows } from "./fault-windows.ts";
import { besides, type HaFaultName, haFaultNames, haFaults } from "./ha-inflict.ts";
import { type HaInstallation, openHaInstallation } from "./ha-installation.ts";
import { untilSame } from "./ha-round.ts";
import { type MixedLoad, startMixedLoad } from "./mixed-load.ts";
import { createSeededRandom, type SeededRandom } from "./seeded-random.ts";

/** Time without failures after which the installation counts as recovered. */
const calmMs = 2_000;
const healMsMax = 120_000;
const secondFaultShare = 0.3;
const logCharactersShownMax = 3_000;

export type HaEpisode = {
  seed: number;
  /** How many faults, or which; default: as many as there are. */
  faults?: readonly HaFaultName[] | number | undefined;
  log: (line: string) => void;
};

/** By itself: the pair is whole, the nodes are ready, and calls succeed. */
async function untilHealed(installation: HaInstallation, windows: FaultWindows): Promise<void> {
  await installation.cluster.untilPair({ msMax: healMsMax });
  await installation.untilReady();
  await sleep(calmMs / 2);
  await waitUntil(() => performance.now() - windows.lastFailureMs() > calmMs, "calls succeed again", healMsMax);
}

type Loaded = { installation: HaInstallation; load: MixedLoad; windows: FaultWindows };

async function playFaults(names: readonly HaFaultName[], { installation, load, windows }: Loaded, { random, log }: { random: SeededRandom; log: HaEpisode["log"] }): Promise<void> {
  const title = names.join(" + ");
  await sleep(random.between(300, 1_500));
  windows.open(title);
  const beganMs = performance.now();
  await Promise.all(names.map((name) => haFaults[name]({ installation, random })));
  const overMs = performance.now();
  await untilHealed(installation, windows);
  const healedMs = performance.now();
  windows.calm();
  for (const { name, service } of installation.nodes) assert.ok(service.child.exitCode === null && service.child.signalCode === null, `${name} has exited: ${service.logs()}`);
  await load.pause();
  const audit = await auditInstallation(installation, load);
  const { primary, standby } = await installation.cluster.untilPair();
  await untilSame(primary, standby);
  const { texts } = windows.problems(installation.logs());
  assert.deepEqual(texts, [], title);
  load.resume();
  const seconds = (ms: number) => Math.round(ms / 100) / 10;
  log(`${title}: ${JSON.stringify({ lastedS: seconds(overMs - beganMs), healedAfterS: seconds(healedMs - overMs), ...audit, seen: windows.takeCounts() })}`);
}

function draw(random: SeededRandom, count: number): HaFaultName[][] {
  return Array.from({ length: count }, () => {
    const first = haFaultNames[random.between(0, haFaultNames.length - 1)]!;
    const second = besides[random.between(0, besides.length - 1)]!;
    const isAlone = besides.includes(first) || first === "drain_node" || !random.isTrue(secondFaultShare);
    return isAlone ? [first] : [first, second];
  });
}

/** Faults at random, one after the other or two at a time, on an installation of its own, with an audit after each. */
export async function runHaEpisode({ seed, faults = haFaultNames.length, log }: HaEpisode): Promise<void> {
  const random = createSeededRandom(seed);
  const plan = typeof faults === "number" ? draw(random, faults) : faults.map((name) => [name]);
  log(`seed ${seed}: ${plan.map((names) => names.join(" + ")).join(", ")}`);
  const installation = await openHaInstallation();
  const windows = createFaultWindows(() => performance.now());
  // Separate from the faults' generator: clients draw in an order that depends on timing and must not affect the faults.
  const { url, accounts, cookie } = installation;
  const load = startMixedLoad({ url, random: createSeededRandom(seed + 1), accounts, cookie, windows });
  try {
    for (const names of plan) await playFaults(names, { installation, load, windows }, { random, log });
  } catch (error) {
    const logs = installation.nodes.map((node) => `${node.name}: ${node.logs().slice(-logCharactersShownMax)}`);
    log(`${windows.problems("").texts.slice(0, 20).join("\n")}\nnginx: ${installation.nginx.errors()}\n${logs.join("\n")}\n${installation.cluster.logs()}`);
    throw error;
  } finally {
    // Failures from now on do not matter.
    windows.open("the end");
    const stopped = load.stop();
    await installation.close();
    await stopped;
  }
}
