// npm run bench [-- --rounds N --seconds N --connections N --only sqlite|postgres|ads]
// Measures a bare Fastify echo, one insert per request and this service in turns, and prints their ratios (medians).
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { servers } from "../scripts/find-servers.ts";
import { startRedis } from "../apps/api/test/access/start-redis.ts";
import { startPostgres } from "../apps/api/test/start-postgres.ts";
import { adTarget, prepareCampaigns } from "./ad-request.ts";
import { benchDecisions } from "./decide-ad.ts";
import { type Load, type LoadTarget, measureLoad } from "./measure-load.ts";
import { median } from "./median.ts";
import { prepareAccount } from "./prepare-account.ts";
import { type BenchChild, startChild } from "./start-child.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "4" },
    connections: { type: "string", default: "64" },
    only: { type: "string" },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const connections = Number(values.connections);

type Contender = { name: string; child: BenchChild; apiKey: string; uniqueKeys: boolean; target?: LoadTarget };

async function compare(title: string, contenders: Contender[]): Promise<void> {
  const loads = new Map<string, Load[]>(contenders.map((each) => [each.name, []]));
  for (const { child, name: _name, ...call } of contenders) await measureLoad(child.url, { ...call, connections, seconds: 2 });
  for (let round = 1; round <= rounds; round += 1) {
    process.stderr.write(`${title}: round ${round} of ${rounds}\n`);
    for (const { name, child, ...call } of contenders) {
      loads.get(name)!.push(await measureLoad(child.url, { ...call, connections, seconds }));
    }
  }
  const base = loads.get(contenders[0]!.name)!;
  console.log(`\n${title} (${rounds} rounds of ${seconds} s, ${connections} connections, medians)`);
  console.log("                                    calls/s   ÷ bare   (lowest–highest)    p50 ms   p99 ms   failed   RSS MiB");
  for (const { name, child } of contenders) {
    const some = loads.get(name)!;
    const ratios = some.map((load, index) => load.perSecond / base[index]!.perSecond);
    const cells = [
      name.padEnd(32),
      median(some.map((load) => load.perSecond)).toFixed(0).padStart(10),
      median(ratios).toFixed(2).padStart(8),
      `(${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`.padStart(18),
      median(some.map((load) => load.p50Ms)).toFixed(1).padStart(9),
      median(some.map((load) => load.p99Ms)).toFixed(1).padStart(8),
      String(some.reduce((sum, load) => sum + load.errors, 0)).padStart(8),
      child.residentMiB().toFixed(0).padStart(9),
    ];
    console.log(cells.join(" "));
  }
  for (const child of new Set(contenders.map((each) => each.child))) await child.stop();
}

async function compareOnSqlite(folder: string): Promise<void> {
  const dataDir = join(folder, "data");
  mkdirSync(dataDir);
  const apiKey = await prepareAccount({ databaseUrl: undefined, dataDir });
  // The first start only fills the compile cache, as on every machine that has started the service before.
  await (await startChild(["apps/api/src/main.ts"], { DATA_DIR: dataDir, PORT: "0" })).stop();
  const service = await startChild(["apps/api/src/main.ts"], { DATA_DIR: dataDir, PORT: "0" });
  const bare = await startChild(["bench/bare-fastify.ts"]);
  const insert = await startChild(["bench/insert-per-request.ts", "sqlite", join(folder, "insert.sqlite")]);
  await compare("Embedded SQLite", [
    { name: "bare Fastify echo", child: bare, apiKey, uniqueKeys: false },
    { name: "one insert per request", child: insert, apiKey, uniqueKeys: false },
    { name: "Assay", child: service, apiKey, uniqueKeys: false },
    { name: "Assay, unique Idempotency-Key", child: service, apiKey, uniqueKeys: true },
  ]);
}

async function compareOnPostgres(folder: string): Promise<void> {
  const postgres = await startPostgres();
  const redis = await startRedis();
  try {
    const databaseUrl = await postgres.newDatabase();
    const apiKey = await prepareAccount({ databaseUrl, dataDir: folder });
    const environment = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url, SECRET_KEY: "x".repeat(32), PORT: "0" };
    const service = await startChild(["apps/api/src/main.ts"], { ...environment, DATA_DIR: join(folder, "pg") });
    const bare = await startChild(["bench/bare-fastify.ts"]);
    const insert = await startChild(["bench/insert-per-request.ts", "postgres", await postgres.newDatabase()]);
    await compare("PostgreSQL + Redis", [
      { name: "bare Fastify echo", child: bare, apiKey, uniqueKeys: false },
      { name: "one insert per request", child: insert, apiKey, uniqueKeys: false },
      { name: "Assay", child: service, apiKey, uniqueKeys: false },
      { name: "Assay, unique Idempotency-Key", child: service, apiKey, uniqueKeys: true },
    ]);
  } finally {
    await redis.stop();
    await postgres.stop();
  }
}

async function compareAdsOnSqlite(folder: string): Promise<void> {
  const dataDir = join(folder, "ads");
  mkdirSync(dataDir);
  const storeSettings = { databaseUrl: undefined, dataDir };
  const apiKey = await prepareAccount(storeSettings);
  const campaigns = await prepareCampaigns(storeSettings);
  await (await startChild(["apps/api/src/main.ts"], { DATA_DIR: dataDir, PORT: "0" })).stop();
  const service = await startChild(["apps/api/src/main.ts"], { DATA_DIR: dataDir, PORT: "0" });
  const bare = await startChild(["bench/bare-fastify.ts"]);
  const call = { apiKey, uniqueKeys: false, target: adTarget };
  await compare(`Ads on embedded SQLite, ${campaigns} campaigns`, [
    { name: "bare Fastify echo", child: bare, ...call },
    { name: "Assay, ads/request", child: service, ...call },
  ]);
}

for (const { name, variable, find } of servers) {
  const path = process.env[variable] ?? find();
  if (path !== undefined) process.env[variable] = path;
  else if (values.only !== "sqlite" && values.only !== "ads") throw new Error(`${name} is not installed; run with --only sqlite`);
}
const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
try {
  const isWanted = (part: "sqlite" | "postgres" | "ads") => values.only === undefined || values.only === part;
  if (isWanted("sqlite")) await compareOnSqlite(folder);
  if (isWanted("postgres")) await compareOnPostgres(folder);
  if (isWanted("ads")) benchDecisions();
  if (isWanted("ads")) await compareAdsOnSqlite(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
