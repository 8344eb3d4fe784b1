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
import { type Contender, measureRounds, type RoundSettings } from "./measure-rounds.ts";
import { median } from "./median.ts";
import { prepareAccount } from "./prepare-account.ts";
import { provideServers } from "./provide-servers.ts";
import { exitOnSignals, fillCompileCache, root, startChild } from "./start-child.ts";

const usage = `npm run bench [-- OPTIONS], or npm run bench -- forge [OPTIONS]: what invented sessions earn (forge --help)
Measures a bare Fastify echo, one insert per request and this service in turns, and prints medians: calls per second,
their ratio to the echo, latency, and processor time per call.

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

async function compare(title: string, contenders: Contender[], databasePid?: number): Promise<void> {
  const samples = await measureRounds(title, contenders, settings, databasePid);
  const base = samples[0]!;
  console.log(`\n${title} (${settings.rounds} rounds of ${settings.seconds} s, ${settings.connections} connections, medians; µs: processor time per call)`);
  console.log(
    "                                    calls/s   ÷ bare   (lowest–highest)    p50 ms   p99 ms   main thread µs   all threads µs   database µs   failed   RSS MiB",
  );
  for (const [index, { name, child }] of contenders.entries()) {
    const some = samples[index]!;
    const ratios = some.map((sample, round) => sample.perSecond / base[round]!.perSecond);
    const middle = (key: keyof (typeof some)[number]) => median(some.map((sample) => sample[key]));
    const failed = some.reduce((sum, { errors }) => sum + errors, 0);
    const cells = [
      name.padEnd(32),
      middle("perSecond").toFixed(0).padStart(10),
      median(ratios).toFixed(2).padStart(8),
      `(${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`.padStart(18),
      middle("p50Ms").toFixed(1).padStart(9),
      middle("p99Ms").toFixed(1).padStart(8),
      middle("mainUs").toFixed(0).padStart(16),
      middle("allUs").toFixed(0).padStart(16),
      middle("databaseUs").toFixed(0).padStart(13),
      String(failed).padStart(8),
      child.residentMiB().toFixed(0).padStart(9),
    ];
    console.log(cells.join(" "));
    if (failed > 0) process.exitCode = 1;
  }
  for (const child of new Set(contenders.map((each) => each.child))) await child.stop();
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
    { name: "Assay", child: service, apiKey, uniqueKeys: false },
    { name: "Assay, unique Idempotency-Key", child: service, apiKey, uniqueKeys: true },
  ]);
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
    const contenders = [
      { name: "bare Fastify echo", child: bare, apiKey, uniqueKeys: false },
      { name: "one insert per request", child: insert, apiKey, uniqueKeys: false },
      { name: "Assay", child: service, apiKey, uniqueKeys: false },
      { name: "Assay, unique Idempotency-Key", child: service, apiKey, uniqueKeys: true },
    ];
    await compare("PostgreSQL + Redis", contenders, await findPostgresPid(databaseUrl));
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
    { name: "Assay, ads/request", child: service, ...call },
  ]);
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
