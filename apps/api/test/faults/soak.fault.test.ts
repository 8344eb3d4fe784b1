/**
 * Soak test: rounds of steady load on three nodes behind nginx. After each round, while no call is in flight, their
 * memory is measured. Neither memory nor latency may grow. CI runs a few seconds of it; this is the long form:
 *
 *   npm run test:faults -- soak --minutes 30
 */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { verifyLedger } from "../../src/money/ledger/verify-ledger.ts";
import { connectionsPerNode } from "../../src/store/open-postgres.ts";
import { hasRedisServer } from "../access/start-redis.ts";
import { waitUntil } from "../send.ts";
import { whyPostgresIsSkipped } from "../start-postgres.ts";
import { assertFewShed, findShedCalls } from "./rig/count-shed.ts";
import { type Flatness, judgeGrowth } from "./rig/is-flat.ts";
import { type Installation, nodeCount, openInstallation } from "./rig/open-installation.ts";
import { longPlan, shortPlan } from "./rig/soak-plan.ts";
import { whyNginxIsSkipped } from "./rig/start-nginx.ts";
import { holdRate, measureCapacity, type SteadyAnswer } from "./rig/steady-load.ts";

const skip = whyPostgresIsSkipped() || whyNginxIsSkipped() || (hasRedisServer() ? false : "no redis-server");
const minutes = Number(process.env.ASSAY_TEST_MINUTES ?? 0);
const plan = minutes > 0 ? longPlan(minutes) : shortPlan;

const connectionCount = 48;
/**
 * Connections that are kept for later calls come and go: a busy machine opens the rest of the pools to PostgreSQL in the
 * middle of a run, and nginx opens others when it spreads calls differently. Calls that leave descriptors behind soon go
 * beyond that.
 */
const descriptorsGrowthMax = nodeCount * connectionsPerNode + connectionCount;
/**
 * How far the p99 may exceed the median latency at full capacity. Both are measured in the same run, so a slow machine
 * raises both; calls that get stuck raise only the p99.
 */
const p99FactorMax = 20;
/** This p99 is that of all calls but those of the slowest rounds, in which the machine may have been busy with something else. */
const roundsLeftOut = 1 / 6;

const countDescriptors = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

function percentileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

const p99Of = (latenciesMs: readonly number[]): number => percentileOf(latenciesMs, 0.99);

/** One value per round; memory and descriptors are sums over all nodes. */
type Samples = { latenciesMs: number[][]; liveMiB: number[]; residentMiB: number[]; descriptors: number[] };

async function measure({ nodes }: Installation, samples: Samples): Promise<void> {
  const memories = await Promise.all(nodes.map((node) => node.measureMemory()));
  const sumMiB = (name: "liveBytes" | "residentBytes") => memories.reduce((sum, each) => sum + each[name], 0) / 2 ** 20;
  samples.liveMiB.push(sumMiB("liveBytes"));
  samples.residentMiB.push(sumMiB("residentBytes"));
  samples.descriptors.push(nodes.reduce((sum, { service }) => sum + countDescriptors(service.pid), 0));
}

const show = ({ first, last, deviations }: Flatness, unit: string) => `${first.toFixed(1)} → ${last.toFixed(1)} ${unit} (${deviations.toFixed(1)} σ)`;

describe("three nodes under steady load", { skip }, () => {
  it("do not grow, do not slow down, do not fail, and bill every call once", async (t) => {
    const installation = await openInstallation();
    try {
      const { url, accounts, nodes, store } = installation;
      const shedBefore = findShedCalls(installation.logs()).size;
      const outcomes = new Map<string, number>();
      let latenciesMs: number[] = [];
      const onAnswer = ({ outcome, latencyMs }: SteadyAnswer) => {
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        latenciesMs.push(latencyMs);
      };
      const shared = { url, accounts, connections: connectionCount, onAnswer };
      const capacity = await measureCapacity({ ...shared, durationMs: plan.warmUpMs });
      const busyLatenciesMs = latenciesMs;
      const busyMedianMs = percentileOf(busyLatenciesMs, 0.5);
      const perSecond = capacity * plan.shareOfCapacity;
      const samples: Samples = { latenciesMs: [], liveMiB: [], residentMiB: [], descriptors: [] };
      for (let round = 1; round <= plan.rounds; round += 1) {
        latenciesMs = [];
        await holdRate({ ...shared, durationMs: plan.roundMs, perSecond });
        samples.latenciesMs.push(latenciesMs);
        await measure(installation, samples);
      }

      const live = judgeGrowth(samples.liveMiB, plan.growthMax.live);
      const resident = judgeGrowth(samples.residentMiB, plan.growthMax.resident);
      const p99 = judgeGrowth(samples.latenciesMs.map(p99Of), plan.growthMax.p99);
      const usualRounds = samples.latenciesMs.toSorted((one, other) => p99Of(one) - p99Of(other)).slice(0, plan.rounds * (1 - roundsLeftOut));
      const usualP99Ms = p99Of([...busyLatenciesMs, ...usualRounds.flat()]);
      const third = Math.ceil(plan.rounds / 3);
      const [firstDescriptors, lastDescriptors] = [Math.min(...samples.descriptors.slice(0, third)), Math.min(...samples.descriptors.slice(-third))];
      const answered = outcomes.get("200") ?? 0;
      const calls = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
      t.diagnostic(
        `capacity ${capacity.toFixed(0)}/s, median ${busyMedianMs.toFixed(0)} ms; held ${perSecond.toFixed(0)}/s for ${plan.rounds} rounds of ` +
          `${plan.roundMs / 1_000} s, ${calls} calls; live memory ${show(live, "MiB")}, resident ${show(resident, "MiB")}, ` +
          `descriptors ${firstDescriptors} → ${lastDescriptors}, p99 ${show(p99, "ms")}, without the slowest rounds ${usualP99Ms.toFixed(0)} ms`,
      );
      const shed = outcomes.get("503") ?? 0;
      assert.deepEqual([...outcomes.keys()].filter((outcome) => outcome !== "200" && outcome !== "503"), []);
      await waitUntil(() => findShedCalls(installation.logs()).size >= shedBefore + shed, "every 503 is logged as shed");
      assertFewShed({ shed, calls }, (line) => t.diagnostic(line));
      assert.ok(live.isFlat, `live memory: ${show(live, "MiB")}`);
      assert.ok(resident.isFlat, `resident memory: ${show(resident, "MiB")}`);
      assert.ok(lastDescriptors <= firstDescriptors + descriptorsGrowthMax, `descriptors: ${firstDescriptors} → ${lastDescriptors}`);
      assert.ok(p99.isFlat, `p99: ${show(p99, "ms")}`);
      assert.ok(usualP99Ms <= busyMedianMs * p99FactorMax, `p99 ${usualP99Ms} ms; median at full capacity ${busyMedianMs} ms`);
      const report = await verifyLedger(store);
      assert.deepEqual([report.breaks, report.entries], [[], answered], "every call is in the ledger exactly once");
      for (const { name, service } of nodes) assert.equal(await service.stop(), 0, `${name} drains`);
    } finally {
      await installation.close();
    }
  });
});
