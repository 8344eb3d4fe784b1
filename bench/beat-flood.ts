// node bench/beat-flood.ts [--rounds N --seconds N --calls N --beats N --networks N --connections N --only FLOOD]: whether a flood of beats delays
// scoring calls on the same node: the latency of calls at a steady rate without a flood, with one, and with the same flood sent to a bare server.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { beginSession } from "./beats/begin-session.ts";
import { startLoad } from "./beats/child-process.ts";
import type { FloodCounts, FloodSettings } from "./beats/flood.ts";
import { readThreadTimes } from "./cpu-time.ts";
import { isReached, ratioOf } from "./judge.ts";
import { type Load, measureAtRate } from "./measure-load.ts";
import { median } from "./median.ts";
import { prepareSites } from "./prepare-sites.ts";
import { type BenchChild, fillCompileCache, root, startChild } from "./start-child.ts";

const usage = `node bench/beat-flood.ts [OPTIONS]
Sends scoring calls at a steady rate to one node on the embedded store, and measures their latency from when each was due: while nothing
else happens, while a flood of beats arrives at the same node, and while the same flood goes to a bare Fastify echo. The last says what
the flooder alone does to the machine. Loader, flooder and servers are processes of their own. Networks are simulated: the service
trusts the flooder as a proxy and reads X-Forwarded-For.

  --rounds N           default 9
  --seconds N          per measurement, default 6
  --calls N            scoring calls a second, default 200
  --connections N      of a flooder in one network that sends as fast as it can, default 50
  --networks N         of the other flood, default 2000
  --beats N            a second of the other flood, default 5000
  --only FLOOD         one or many
`;
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "9" },
    seconds: { type: "string", default: "6" },
    calls: { type: "string", default: "200" },
    connections: { type: "string", default: "50" },
    networks: { type: "string", default: "2000" },
    beats: { type: "string", default: "5000" },
    only: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help || !["one", "many", undefined].includes(values.only)) {
  process.stdout.write(usage);
  process.exit(values.help ? 0 : 2);
}
const [rounds, seconds, calls, connections, networks, beats] = [values.rounds, values.seconds, values.calls, values.connections, values.networks, values.beats].map(Number) as [number, number, number, number, number, number];
const p99RatioMax = 1.2;
const callConnections = 16;
const settleMs = 500;

const dataDir = mkdtempSync(join(tmpdir(), "assay-flood-"));
process.on("exit", () => rmSync(dataDir, { recursive: true, force: true }));
await fillCompileCache([root], dataDir, rounds);
const [account] = await prepareSites({ databaseUrl: undefined, dataDir }, { accounts: 1, sitesPerAccount: 1 });
const { siteIds, origin, apiKey } = account!;
const service = await startChild(["apps/api/src/main.ts"], { DATA_DIR: dataDir, PORT: "0", TRUST_PROXY: "127.0.0.1/32" });
const bare = await startChild(["bench/bare-fastify.ts"]);
const { token } = await beginSession(service.url, { origin, siteId: siteIds[0]!, address: "192.0.2.1" });

type Flood = Pick<FloodSettings, "networks" | "connections" | "perSecond">;
const floods: { name: string; key: string; flood: Flood }[] = [
  { key: "one", name: `one network, ${connections} connections, as fast as they can`, flood: { networks: 1, connections } },
  { key: "many", name: `${networks} networks, ${beats} beats a second together`, flood: { networks, connections, perSecond: beats } },
].filter(({ key }) => values.only === undefined || values.only === key);

/** `serviceShare`: processor time of the service's main thread, as a share of a core. */
type Sample = Load & FloodCounts & { serviceShare: number };

async function measure(flood: Flood | undefined, target: BenchChild): Promise<Sample> {
  const flooder = flood && (await startLoad<FloodSettings, FloodCounts>(new URL("./beats/flood.ts", import.meta.url), { ...flood, url: target.url, origin, token }));
  await sleep(settleMs);
  await flooder?.read();
  const [before, startedMs] = [readThreadTimes(service.pid).mainUs, performance.now()];
  const load = await measureAtRate(service.url, { apiKey, uniqueKeys: false, connections: callConnections, seconds, perSecond: calls });
  const elapsedMs = performance.now() - startedMs;
  const serviceShare = (readThreadTimes(service.pid).mainUs - before) / 1_000 / elapsedMs;
  const counts = (await flooder?.read()) ?? { accepted: 0, refused: 0, failed: 0 };
  await flooder?.stop();
  if (load.errors + counts.failed > 0) throw new Error(`${load.errors} calls and ${counts.failed} beats failed`);
  const perSecond = (count: number) => (count * 1_000) / elapsedMs;
  return { ...load, serviceShare, failed: 0, accepted: perSecond(counts.accepted), refused: perSecond(counts.refused) };
}

type Case = { name: string; flood: Flood | undefined; target: BenchChild; samples: Sample[] };
const quiet: Case = { name: "no flood", flood: undefined, target: service, samples: [] };
const pairs = floods.map(({ name, flood }) => ({
  name,
  control: { name: "the flood goes to a bare server", flood, target: bare, samples: [] } satisfies Case as Case,
  own: { name: "the flood goes to this node", flood, target: service, samples: [] } satisfies Case as Case,
}));
const cases = [quiet, ...pairs.flatMap(({ control, own }) => [control, own])];

await measure(undefined, service);
for (let round = 0; round < rounds; round += 1) {
  process.stderr.write(`round ${round + 1} of ${rounds}\n`);
  // Every round begins with another case, so that drift of the machine affects all of them alike.
  for (let turn = 0; turn < cases.length; turn += 1) {
    const each = cases[(round + turn) % cases.length]!;
    each.samples.push(await measure(each.flood, each.target));
  }
}

const middle = (samples: readonly Sample[], key: keyof Sample, digits: number): string => median(samples.map((sample) => sample[key])).toFixed(digits);
const describe = ({ name, samples }: Case): string =>
  `${name.padEnd(36)}${middle(samples, "p50Ms", 2).padStart(9)}${middle(samples, "p99Ms", 2).padStart(9)}${middle(samples, "accepted", 0).padStart(14)}${middle(samples, "refused", 0).padStart(14)}${(100 * median(samples.map((sample) => sample.serviceShare))).toFixed(0).padStart(16)}`;

const ratios = (figure: "p50Ms" | "p99Ms", samples: readonly Sample[], base: readonly Sample[]): string => {
  const { middle: half, lowest, highest } = ratioOf(figure, samples, base);
  return `${half.toFixed(2)} (${lowest.toFixed(2)}–${highest.toFixed(2)})`;
};

console.log(`${calls} scoring calls a second, ${rounds} rounds of ${seconds} s, medians; latency counts from when a call was due`);
for (const { name, control, own } of pairs) {
  console.log(`\n${name}`);
  console.log(`${" ".repeat(36)}   p50 ms   p99 ms   beats/s, 200   beats/s, 429   main thread %`);
  for (const each of [quiet, control, own]) console.log(describe(each));
  const target = { atMost: p99RatioMax };
  const ratio = ratioOf("p99Ms", own.samples, control.samples);
  console.log(`\np99, flood here ÷ flood at the bare server   ${ratios("p99Ms", own.samples, control.samples)}; target ≤ ${p99RatioMax.toFixed(2)}: ${isReached(ratio, target) ? "reached" : "missed"}`);
  console.log(`p99, flood here ÷ no flood                   ${ratios("p99Ms", own.samples, quiet.samples)}`);
  console.log(`p50, flood here ÷ flood at the bare server   ${ratios("p50Ms", own.samples, control.samples)}`);
}
await bare.stop();
await service.stop();
