// node bench/workers.ts [--rounds N --seconds N --accounts N --connections N --workers N --save]: one process and WORKERS=2 on one PostgreSQL and
// one Redis, in turns: calls per second and processor time per call of the service (all of its processes), PostgreSQL and Redis.
// --save adds the ratios to bench/measured.json, the input of bench/capacity.ts.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startRedis } from "../apps/api/test/access/start-redis.ts";
import { joinPostgres } from "../apps/api/test/start-postgres.ts";
import { cpuSeconds, findPostgresPid } from "./cpu-time.ts";
import { median } from "./median.ts";
import { measureLoad } from "./measure-load.ts";
import { prepareAccount } from "./prepare-account.ts";
import { provideServers } from "./provide-servers.ts";
import { saveMeasured } from "./save-measured.ts";
import { type BenchChild, startChild } from "./start-child.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "7" },
    seconds: { type: "string", default: "5" },
    accounts: { type: "string", default: "20" },
    connections: { type: "string", default: "16" },
    workers: { type: "string", default: "2" },
    save: { type: "boolean", default: false },
  },
});
const [rounds, seconds, accounts] = [Number(values.rounds), Number(values.seconds), Number(values.accounts)];
/** Per account. */
const connectionsPerAccount = Number(values.connections);
/** CPU per call of several workers must not exceed this many times that of one process. */
const ratioMax = 1.1;
/** Each process compiles its code for itself, and gets a share of the calls. */
const warmUpCalls = 15_000;
const warmUpSecondsMax = 45;

type Sample = { perSecond: number; failed: number; perBatch: number; serviceUs: number; databaseUs: number; redisUs: number };

const folder = mkdtempSync(join(tmpdir(), "assay-workers-"));
provideServers();
const postgres = await joinPostgres();
const redis = await startRedis();
const databaseUrl = await postgres.newDatabase();
const apiKeys: string[] = [];
for (let index = 0; index < accounts; index += 1) apiKeys.push(await prepareAccount({ databaseUrl, dataDir: folder }));
const postmaster = await findPostgresPid(databaseUrl);

const start = (workers: string) =>
  startChild(["apps/api/src/main.ts"], { DATABASE_URL: databaseUrl, REDIS_URL: redis.url, SECRET_KEY: "x".repeat(32), PORT: "0", DATA_DIR: join(folder, `workers-${workers}`), WORKERS: workers });

async function drive(service: BenchChild, length: number): Promise<{ calls: number; perSecond: number; failed: number }> {
  const loads = await Promise.all(apiKeys.map((apiKey) => measureLoad(service.url, { apiKey, seconds: length, connections: connectionsPerAccount, uniqueKeys: true })));
  const sum = (part: "calls" | "perSecond" | "errors") => loads.reduce((total, load) => total + load[part], 0);
  return { calls: sum("calls"), perSecond: sum("perSecond"), failed: sum("errors") };
}

async function warmUp(service: BenchChild, processes: number): Promise<void> {
  // A single round only shows that everything runs.
  const calls = rounds === 1 ? 1 : warmUpCalls * processes;
  for (let [made, spent] = [0, 0]; made < calls && spent < warmUpSecondsMax; spent += seconds) made += (await drive(service, seconds)).calls;
}

/** Calls and commits so far, of all workers. */
async function readBatches(service: BenchChild): Promise<{ calls: number; batches: number }> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const read = (part: string) => Number(new RegExp(`^assay_commit_batch_size_${part} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
  return { calls: read("sum"), batches: read("count") };
}

async function measure(service: BenchChild): Promise<Sample> {
  const read = () => ({ service: cpuSeconds(service.pid), database: cpuSeconds(postmaster), redis: cpuSeconds(redis.pid) });
  const batchesBefore = await readBatches(service);
  const before = read();
  const { calls, perSecond, failed } = await drive(service, seconds);
  const after = read();
  const batchesAfter = await readBatches(service);
  const perBatch = (batchesAfter.calls - batchesBefore.calls) / (batchesAfter.batches - batchesBefore.batches);
  const perCall = (part: keyof typeof after) => ((after[part] - before[part]) * 1e6) / calls;
  return { perSecond, failed, perBatch, serviceUs: perCall("service"), databaseUs: perCall("database"), redisUs: perCall("redis") };
}

const show = (name: string, { perSecond, failed, perBatch, serviceUs, databaseUs, redisUs }: Sample) =>
  console.log(`${name.padEnd(24)}${[perSecond, failed, perBatch, serviceUs, databaseUs, redisUs].map((cell) => cell.toFixed(0).padStart(12)).join("")}`);

const contenders = [
  { name: "one process", service: await start("1"), samples: [] as Sample[] },
  { name: `WORKERS=${values.workers}`, service: await start(values.workers), samples: [] as Sample[] },
];
try {
  console.log(`${accounts} accounts, ${accounts * connectionsPerAccount} connections, unique Idempotency-Keys, ${rounds} rounds of ${seconds} s; of one call:`);
  console.log(`${" ".repeat(24)}     calls/s      failed   per batch  service µs       db µs    redis µs`);
  for (const [index, { service }] of contenders.entries()) await warmUp(service, index === 0 ? 1 : Number(values.workers));
  for (let round = 0; round < rounds; round += 1) {
    const inTurn = round % 2 === 0 ? contenders : contenders.toReversed();
    for (const { name, service, samples } of inTurn) {
      const sample = await measure(service);
      samples.push(sample);
      show(name, sample);
    }
  }
  const [one, many] = contenders.map(({ samples }) => samples) as [Sample[], Sample[]];
  const ratios = (part: keyof Sample) => one.map((sample, round) => many[round]![part] / sample[part]);
  const describe = (part: keyof Sample) => `${median(ratios(part)).toFixed(2)} (${Math.min(...ratios(part)).toFixed(2)}–${Math.max(...ratios(part)).toFixed(2)})`;
  console.log(`\nmedians of WORKERS=${values.workers} ÷ one process, round by round (lowest–highest):`);
  console.log(`calls per second             ${describe("perSecond")}`);
  console.log(`CPU of the service per call  ${describe("serviceUs")}, at most ${ratioMax}: ${median(ratios("serviceUs")) <= ratioMax ? "reached" : "missed"}`);
  console.log(`CPU of PostgreSQL per call   ${describe("databaseUs")}`);
  const total = ({ serviceUs, databaseUs, redisUs }: Sample) => serviceUs + databaseUs + redisUs;
  const totals = one.map((sample, round) => total(many[round]!) / total(sample));
  console.log(`CPU of all three per call    ${median(totals).toFixed(2)} (${Math.min(...totals).toFixed(2)}–${Math.max(...totals).toFixed(2)})`);
  if (values.save) {
    const rounded = (part: keyof Sample) => Number(median(ratios(part)).toFixed(2));
    saveMeasured({ workers: { count: Number(values.workers), throughputRatio: rounded("perSecond"), cpuRatio: rounded("serviceUs"), databaseCpuRatio: rounded("databaseUs") } });
  }
} finally {
  for (const { service } of contenders) await service.stop();
  await redis.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
