// node bench/beats.ts [--sessions N --seconds N --networks N --connections N --rounds N]: processor time and memory of one node on the embedded
// store while that many visitors' sessions beat as the service asks them to, and the processor time of a beat beside a bare Fastify echo's.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { nextMsRanges } from "@assay/contract/attestation.ts";
import { startLoad } from "./beats/child-process.ts";
import type { LiveCounts, LiveSettings } from "./beats/live-sessions.ts";
import { beginSession } from "./beats/begin-session.ts";
import { addressIn, beatBody, pageHeaders } from "./beats/page-requests.ts";
import { readThreadTimes } from "./cpu-time.ts";
import { ratioOf } from "./judge.ts";
import { measureAtRate } from "./measure-load.ts";
import { median } from "./median.ts";
import { prepareSites } from "./prepare-sites.ts";
import { type BenchChild, fillCompileCache, readNodeOptions, root, startChild } from "./start-child.ts";

const { values } = parseArgs({
  options: {
    sessions: { type: "string", default: "20000" },
    seconds: { type: "string", default: "60" },
    "start-seconds": { type: "string", default: "25" },
    networks: { type: "string", default: "5000" },
    connections: { type: "string", default: "500" },
    rounds: { type: "string", default: "5" },
    help: { type: "boolean", default: false },
  },
});
const usage = `node bench/beats.ts [OPTIONS]
Holds sessions against one node on the embedded store. Each begins, beats when the service has asked for it, and carries its token
along. The loader is another process. Networks are simulated: the service trusts the loader as a proxy and reads X-Forwarded-For.

  --sessions N         default 20000
  --seconds N          how long the steady state is measured, default 60
  --start-seconds N    in which all sessions begin, default 25
  --networks N         IPv4 /24s that the sessions come from, default 5000
  --connections N      of the proxy to the service, default 500
  --rounds N           of the comparison with a bare Fastify echo at the same rate, default 5
`;
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}
const [sessions, seconds, startSeconds, networks, connections, rounds] = [values.sessions, values.seconds, values["start-seconds"], values.networks, values.connections, values.rounds].map(Number) as [number, number, number, number, number, number];
const coreShareMax = 0.25;
/** What the memory may differ by, as a share: a megabyte or two come and go. */
const growthMax = 0.1;
const laterBeatMsMax = nextMsRanges.at(-1)![1];
/** A run too short for two beats only shows that everything runs. */
const isShort = seconds * 1_000 < laterBeatMsMax;
const idleSeconds = Math.min(5, seconds / 4);
const compareSeconds = Math.min(5, seconds / 4);
/** Sites enough that no session is crowded: beats of those would cost the same, but it would be another site. */
const sites = 20;

const dataDir = mkdtempSync(join(tmpdir(), "assay-beats-"));
process.on("exit", () => rmSync(dataDir, { recursive: true, force: true }));
await fillCompileCache([root], dataDir, rounds);
const [account] = await prepareSites({ databaseUrl: undefined, dataDir }, { accounts: 1, sitesPerAccount: sites });
const { siteIds, origin, apiKey } = account!;
const collector = join(root, "bench", "beats", "collect-garbage.ts");
const service = await startChild(["apps/api/src/main.ts"], { DATA_DIR: dataDir, PORT: "0", TRUST_PROXY: "127.0.0.1/32" }, [...readNodeOptions(), "--expose-gc", "--import", collector]);
const bare = await startChild(["bench/bare-fastify.ts"]);

type Memory = { residentMiB: number; heapMiB: number; externalMiB: number };

/** After a collection of garbage. */
async function readMemory(): Promise<Memory> {
  process.kill(service.pid, "SIGUSR2");
  await sleep(500);
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  const mib = (name: string) => Number(new RegExp(`^${name} (\\d+)`, "m").exec(metrics)?.[1] ?? Number.NaN) / 2 ** 20;
  return { residentMiB: service.residentMiB(), heapMiB: mib("nodejs_heap_size_used_bytes"), externalMiB: mib("nodejs_external_memory_bytes") };
}

/** Processor time that the service takes, as a share of a core. */
async function measureShare(forSeconds: number): Promise<{ share: number; elapsedSeconds: number }> {
  const [before, startedMs] = [readThreadTimes(service.pid).allUs, performance.now()];
  await sleep(forSeconds * 1_000);
  const elapsedSeconds = (performance.now() - startedMs) / 1_000;
  return { share: (readThreadTimes(service.pid).allUs - before) / 1e6 / elapsedSeconds, elapsedSeconds };
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const verdict = (isReached: boolean): string => (isReached ? "reached" : "missed");

async function holdSessions(): Promise<number> {
  const idle = await measureShare(idleSeconds);
  const memories: Memory[] = [];
  const loader = await startLoad<LiveSettings, LiveCounts>(new URL("./beats/live-sessions.ts", import.meta.url), { url: service.url, origin, siteIds, sessions, networks, connections, startSeconds });
  const startedMs = performance.now();
  let counts = await loader.read();
  const isBegun = () => (isShort ? counts.beats > 0 : counts.steady === sessions);
  while (!isBegun()) {
    await sleep(1_000);
    counts = await loader.read();
    process.stderr.write(`${((performance.now() - startedMs) / 1_000).toFixed(0).padStart(4)} s  ${counts.live} sessions, ${counts.steady} in steady state, ${counts.beats} beats/s, ${counts.failed} failed\n`);
  }
  // The last one has beaten twice: after the longest time between two beats all have the later rhythm.
  if (!isShort) await sleep(laterBeatMsMax);
  const halves: { share: number; elapsedSeconds: number; counts: LiveCounts }[] = [];
  for (let half = 0; half < 2; half += 1) {
    memories.push(await readMemory());
    await loader.read();
    const measured = await measureShare(seconds / 2);
    halves.push({ ...measured, counts: await loader.read() });
  }
  memories.push(await readMemory());
  await loader.stop();

  const elapsedSeconds = halves.reduce((sum, half) => sum + half.elapsedSeconds, 0);
  const beats = halves.reduce((sum, half) => sum + half.counts.beats, 0);
  const share = halves.reduce((sum, half) => sum + half.share * half.elapsedSeconds, 0) / elapsedSeconds;
  const perSecond = beats / elapsedSeconds;
  console.log(`${sessions} live sessions in ${networks} networks, ${connections} keep-alive connections, ${elapsedSeconds.toFixed(0)} s in steady state`);
  console.log(`beats                       ${beats}, ${perSecond.toFixed(0)} a second, ${halves.reduce((sum, half) => sum + half.counts.failed, 0)} failed`);
  console.log(`answered after              p50 ${median(halves.map((half) => half.counts.p50Ms)).toFixed(2)} ms, p99 ${Math.max(...halves.map((half) => half.counts.p99Ms)).toFixed(2)} ms; sent at most ${Math.max(...halves.map((half) => half.counts.sentLateMs)).toFixed(0)} ms late`);
  console.log(`processor time, idle        ${percent(idle.share)} of a core`);
  console.log(`processor time, beating     ${percent(share)} of a core (${halves.map((half) => percent(half.share)).join(", ")}); target ≤ ${percent(coreShareMax)}: ${verdict(share <= coreShareMax)}`);
  console.log(`per beat, without idle      ${(((share - idle.share) * 1e6) / perSecond).toFixed(0)} µs`);
  console.log("\nMiB after a collection      resident   heap used    external");
  for (const [index, name] of ["beginning", "middle", "end"].entries()) {
    const { residentMiB, heapMiB, externalMiB } = memories[index]!;
    console.log(`${name.padEnd(28)}${[residentMiB, heapMiB, externalMiB].map((mib) => mib.toFixed(1).padStart(8)).join("    ")}`);
  }
  const growth = (key: keyof Memory) => memories[2]![key] / memories[0]![key] - 1;
  const isFlat = growth("heapMiB") <= growthMax && growth("residentMiB") <= growthMax;
  console.log(`\nfrom beginning to end       resident ${percent(growth("residentMiB"))}, heap ${percent(growth("heapMiB"))}; target ≤ ${percent(growthMax)}: ${verdict(isFlat)}`);
  return perSecond;
}

/** The same beats at the same rate to both, in turns. A token can be sent again and again: nothing is stored. */
async function compareWithBare(perSecond: number): Promise<void> {
  const { token } = await beginSession(service.url, { origin, siteId: siteIds[0]!, address: "192.0.2.1" });
  const heads = Array.from({ length: networks }, (_, network) => pageHeaders(origin, addressIn(network)));
  let sent = 0;
  const target = { path: "/c/v1/beat", body: beatBody(token, 1_000), headers: () => heads[(sent += 1) % networks]! };
  const measure = async (child: BenchChild) => {
    const before = readThreadTimes(child.pid);
    const load = await measureAtRate(child.url, { apiKey, uniqueKeys: false, connections: 64, target, seconds: compareSeconds, perSecond });
    const after = readThreadTimes(child.pid);
    if (load.errors > 0) throw new Error(`${load.errors} beats failed`);
    return { mainUs: (after.mainUs - before.mainUs) / load.calls, allUs: (after.allUs - before.allUs) / load.calls, p99Ms: load.p99Ms };
  };
  const samples: Record<"own" | "base", Awaited<ReturnType<typeof measure>>[]> = { own: [], base: [] };
  await measure(service);
  await measure(bare);
  for (let round = 0; round < rounds; round += 1) {
    const order = [["own", service], ["base", bare]] as const;
    for (const [key, child] of round % 2 === 0 ? order : order.toReversed()) samples[key].push(await measure(child));
  }
  console.log(`\nA beat, ${perSecond.toFixed(0)} a second, ${rounds} rounds of ${compareSeconds} s, medians`);
  console.log("                            main thread µs   all threads µs    p99 ms");
  for (const [name, key] of [["bare Fastify echo", "base"], ["Assay", "own"]] as const) {
    console.log(`${name.padEnd(28)}${(["mainUs", "allUs", "p99Ms"] as const).map((figure) => median(samples[key].map((sample) => sample[figure])).toFixed(figure === "p99Ms" ? 2 : 0).padStart(10)).join("       ")}`);
  }
  const ratios = (["mainUs", "allUs", "p99Ms"] as const).map((figure) => {
    const { middle, lowest, highest } = ratioOf(figure, samples.own, samples.base);
    return `${middle.toFixed(2)} (${lowest.toFixed(2)}–${highest.toFixed(2)})`;
  });
  console.log(`Assay ÷ bare, same round    ${ratios.join("   ")}`);
}

const perSecond = await holdSessions();
await compareWithBare(Math.max(1, perSecond));
await bare.stop();
await service.stop();
