import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startRedis } from "../apps/api/test/access/start-redis.ts";
import { joinPostgres } from "../apps/api/test/start-postgres.ts";
import { adTarget, prepareCampaigns } from "./ad-request.ts";
import { compareAgainst, type Part } from "./against.ts";
import { findPostgresPid } from "./cpu-time.ts";
import { benchDecisions, decisionsDefault } from "./decide-ad.ts";
import type { Load } from "./measure-load.ts";
import { type Contender, measureRounds, measureSameRate, type RoundSettings } from "./measure-rounds.ts";
import { median } from "./median.ts";
import { prepareAccount } from "./prepare-account.ts";
import { printFigures, printLatencies, printRatios } from "./print-tables.ts";
import { provideServers } from "./provide-servers.ts";
import { exitOnSignals, fillCompileCache, root, startChild } from "./start-child.ts";
import { offeredShare, type Targets, targets } from "./targets.ts";

const usage = `npm run bench [-- OPTIONS], or npm run bench -- forge [OPTIONS]: what invented sessions earn (forge --help)
Measures a bare Fastify echo, one insert per request and this service in turns, and prints medians of calls per second,
latency and processor time per call, each divided by the echo's of the same round, with its target; then the latency of
both at the same offered load, beside that of an echo whose answers wait for a flush to disk.

  --against COMMIT     compare this tree, with its uncommitted changes, with a commit instead. The commit runs twice: what
                       it differs from itself is noise. Exits with 1 if this tree is slower
  --only PART          sqlite, postgres or ads
  --rounds N           default 5, with --against 9
  --seconds N          per measurement, default 4
  --connections N      default 64
  --decisions N        of the auction alone, default ${decisionsDefault}
  --help
`;

if (process.argv[2] === "forge") {
  const { status } = spawnSync(process.execPath, [join(root, "bench", "forge.ts"), ...process.argv.slice(3)], { stdio: "inherit" });
  process.exit(status ?? 1);
}
const { values } = parseArgs({
  options: {
    against: { type: "string" },
    only: { type: "string" },
    rounds: { type: "string" },
    seconds: { type: "string", default: "4" },
    connections: { type: "string", default: "64" },
    decisions: { type: "string", default: String(decisionsDefault) },
    help: { type: "boolean", default: false },
  },
});
const allParts: readonly Part[] = ["sqlite", "postgres", "ads"];
const parts = allParts.filter((part) => values.only === undefined || values.only === part);
const settings: RoundSettings = {
  rounds: Number(values.rounds ?? (values.against === undefined ? 5 : 9)),
  seconds: Number(values.seconds),
  connections: Number(values.connections),
};
if (values.help || parts.length === 0) {
  process.stdout.write(usage);
  process.exit(values.help ? 0 : 2);
}

type Row = Contender & { targets?: Targets };

const startFlushing = (folder: string) => startChild(["bench/flushing-fastify.ts", join(folder, "flushed")]);

/** Divides by the figures of the first contender. Those with targets are measured at a fixed rate too, each beside the first and a flushing echo. */
async function compare(title: string, contenders: Row[], folder: string, databasePid?: number): Promise<void> {
  const samples = await measureRounds(title, contenders, settings, databasePid);
  const measured = contenders.map((contender, index) => ({ ...contender, samples: samples[index]! }));
  const [bare, ...others] = measured as [(typeof measured)[0], ...typeof measured];
  const flushing = { ...bare, child: await startFlushing(folder) };
  const paced = [];
  for (const other of others.filter(({ targets: wanted }) => wanted)) {
    const perSecond = offeredShare * median(other.samples.map((sample) => sample.perSecond));
    const loads = await measureSameRate(`${title}, ${other.name}`, [other, bare, flushing], { ...settings, perSecond });
    const [own, base, flushed] = loads as [Load[], Load[], Load[]];
    paced.push({ name: other.name, perSecond, samples: own, base, flushed, target: other.targets?.p99Ms });
  }
  console.log(`\n${title} (${settings.rounds} rounds of ${settings.seconds} s, ${settings.connections} connections, medians; µs: processor time per call)`);
  printFigures(measured);
  printRatios(others, bare.samples);
  printLatencies(paced);
  const loads = [...measured.map((each) => each.samples), ...paced.flatMap((each) => [each.samples, each.base, each.flushed])].flat();
  if (loads.some(({ errors }) => errors > 0)) process.exitCode = 1;
  for (const child of new Set([flushing, ...contenders].map((each) => each.child))) await child.stop();
}

async function compareOnSqlite(folder: string): Promise<void> {
  const dataDir = join(folder, "data");
  mkdirSync(dataDir);
  const apiKey = await prepareAccount({ databaseUrl: undefined, dataDir });
  const service = await startChild(["apps/api/src/main.ts"], { DATA_DIR: dataDir, PORT: "0" });
  const bare = await startChild(["bench/bare-fastify.ts"]);
  const insert = await startChild(["bench/insert-per-request.ts", "sqlite", join(folder, "insert.sqlite")]);
  await compare("Embedded SQLite", [
    { name: "bare Fastify echo", child: bare, apiKey, uniqueKeys: false },
    { name: "one insert per request", child: insert, apiKey, uniqueKeys: false },
    { name: "Assay", child: service, apiKey, uniqueKeys: false, targets: targets.sqlite },
    { name: "Assay, unique Idempotency-Key", child: service, apiKey, uniqueKeys: true, targets: targets.sqliteWithKeys },
  ], folder);
}

async function compareOnPostgres(folder: string): Promise<void> {
  const postgres = await joinPostgres();
  const redis = await startRedis();
  try {
    const databaseUrl = await postgres.newDatabase();
    const apiKey = await prepareAccount({ databaseUrl, dataDir: folder });
    const environment = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url, SECRET_KEY: "x".repeat(32), PORT: "0" };
    const service = await startChild(["apps/api/src/main.ts"], { ...environment, DATA_DIR: join(folder, "pg") });
    const bare = await startChild(["bench/bare-fastify.ts"]);
    const insert = await startChild(["bench/insert-per-request.ts", "postgres", await postgres.newDatabase()]);
    const contenders: Row[] = [
      { name: "bare Fastify echo", child: bare, apiKey, uniqueKeys: false },
      { name: "one insert per request", child: insert, apiKey, uniqueKeys: false },
      { name: "Assay", child: service, apiKey, uniqueKeys: false, targets: targets.postgres },
      { name: "Assay, unique Idempotency-Key", child: service, apiKey, uniqueKeys: true, targets: targets.postgresWithKeys },
    ];
    await compare("PostgreSQL + Redis", contenders, folder, await findPostgresPid(databaseUrl));
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
  const service = await startChild(["apps/api/src/main.ts"], { DATA_DIR: dataDir, PORT: "0" });
  const bare = await startChild(["bench/bare-fastify.ts"]);
  const call = { apiKey, uniqueKeys: false, target: adTarget };
  await compare(`Ads on embedded SQLite, ${campaigns} campaigns`, [
    { name: "bare Fastify echo", child: bare, ...call },
    { name: "Assay, ads/request", child: service, ...call, targets: targets.ads },
  ], folder);
}

if (parts.includes("postgres")) provideServers();
const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
// Whatever ends this process, its programs and files go with it.
process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
exitOnSignals();

if (values.against !== undefined) {
  const isNoSlower = await compareAgainst(values.against, parts, folder, settings);
  if (!isNoSlower) process.exitCode = 1;
} else {
  await fillCompileCache([root], folder, settings.rounds);
  if (parts.includes("sqlite")) await compareOnSqlite(folder);
  if (parts.includes("postgres")) await compareOnPostgres(folder);
  if (parts.includes("ads")) benchDecisions(Number(values.decisions));
  if (parts.includes("ads")) await compareAdsOnSqlite(folder);
}
