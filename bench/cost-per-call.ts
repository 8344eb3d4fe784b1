// node bench/cost-per-call.ts [--seconds N --accounts N --save]: what one call costs each part of an installation on PostgreSQL and
// Redis: processor time, bytes of write-ahead log, bytes on disk. Processor time stays comparable on a shared machine.
// --save writes bench/measured.json, the input of bench/capacity.ts.
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { startRedis } from "../apps/api/test/access/start-redis.ts";
import { joinPostgres } from "../apps/api/test/start-postgres.ts";
import { adTarget, prepareCampaigns } from "./ad-request.ts";
import { cpuSeconds, findPostgresPid } from "./cpu-time.ts";
import { measureLoad, type LoadTarget } from "./measure-load.ts";
import type { Cost, Measured } from "./measured.ts";
import { prepareAccount } from "./prepare-account.ts";
import { provideServers } from "./provide-servers.ts";
import { saveMeasured } from "./save-measured.ts";
import { startChild } from "./start-child.ts";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "15" }, accounts: { type: "string", default: "20" }, save: { type: "boolean", default: false } },
});
const seconds = Number(values.seconds);
const accounts = Number(values.accounts);
const connectionsPerAccount = 4;
const warmUpSecondsMax = 3;

const folder = mkdtempSync(join(tmpdir(), "assay-cost-"));
provideServers();
const postgres = await joinPostgres();
const redis = await startRedis();
const databaseUrl = await postgres.newDatabase();
const storeSettings = { databaseUrl, dataDir: folder };
const apiKeys: string[] = [];
for (let index = 0; index < accounts; index += 1) apiKeys.push(await prepareAccount(storeSettings));
await prepareCampaigns(storeSettings);
const database = new pg.Client({ connectionString: databaseUrl });
await database.connect();
const service = await startChild(["apps/api/src/main.ts"], {
  DATABASE_URL: databaseUrl,
  REDIS_URL: redis.url,
  SECRET_KEY: "x".repeat(32),
  PORT: "0",
  DATA_DIR: join(folder, "node"),
});

const readOne = async <Row extends pg.QueryResultRow>(sql: string) => (await database.query<Row>(sql)).rows[0]!;
const postmaster = await findPostgresPid(databaseUrl);

async function readCounters() {
  const sizes = await readOne<{ log: string; disk: string }>(
    "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS log, pg_database_size(current_database()) AS disk",
  );
  return {
    node: cpuSeconds(service.pid),
    database: cpuSeconds(postmaster),
    redis: cpuSeconds(redis.pid),
    log: Number(sizes.log),
    disk: Number(sizes.disk),
  };
}

async function measure(name: string, call: { target?: LoadTarget; uniqueKeys: boolean }): Promise<Cost> {
  const drive = (length: number) =>
    Promise.all(apiKeys.map((apiKey) => measureLoad(service.url, { ...call, apiKey, seconds: length, connections: connectionsPerAccount })));
  await drive(Math.min(warmUpSecondsMax, seconds));
  const before = await readCounters();
  const loads = await drive(seconds);
  const after = await readCounters();
  const calls = loads.reduce((sum, load) => sum + load.calls, 0);
  const failed = loads.reduce((sum, load) => sum + load.errors, 0);
  const perCall = (part: keyof typeof after, unit: number) => ((after[part] - before[part]) * unit) / calls;
  const cost = {
    nodeMicroseconds: Math.round(perCall("node", 1e6)),
    databaseMicroseconds: Math.round(perCall("database", 1e6)),
    redisMicroseconds: Math.round(perCall("redis", 1e6)),
    logBytes: Math.round(perCall("log", 1)),
    diskBytes: Math.round(perCall("disk", 1)),
  };
  const cells = [calls, failed, cost.nodeMicroseconds, cost.databaseMicroseconds, cost.redisMicroseconds, cost.logBytes, cost.diskBytes];
  console.log(`${name.padEnd(24)}${cells.map((cell) => String(cell).padStart(10)).join("")}`);
  return cost;
}

try {
  console.log(`${accounts} accounts, ${seconds} s each; of one call:`);
  console.log(`${" ".repeat(24)}     calls    failed   node µs     db µs  redis µs log bytes  on disk`);
  const call = await measure("call", { uniqueKeys: false });
  const callWithKey = await measure("call, Idempotency-Key", { uniqueKeys: true });
  const adRequest = await measure("ad request", { uniqueKeys: false, target: adTarget });
  const hot = await measureLoad(service.url, { apiKey: apiKeys[0]!, seconds, connections: 64, uniqueKeys: false });
  console.log(`one account alone: ${hot.perSecond.toFixed(0)} calls/s`);
  const machine = `${cpus().length} × ${process.arch}`;
  const nodeResidentMiB = Math.round(service.residentMiB());
  console.log(`memory of the node: ${nodeResidentMiB} MiB; machine: ${machine}, shared with the load generator, PostgreSQL and Redis`);
  const measured: Measured = { machine, call, callWithKey, adRequest, hotAccountPerSecond: Math.round(hot.perSecond), nodeResidentMiB };
  if (values.save) saveMeasured(measured);
} finally {
  await service.stop();
  await database.end();
  await redis.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
