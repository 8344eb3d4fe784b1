/** Forgers of attested sessions against a real service: its own process, real HTTP, real time. Only the networks are simulated. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasRedisServer, startRedis } from "../../../apps/api/test/access/start-redis.ts";
import { joinPostgres, whyPostgresIsSkipped } from "../../../apps/api/test/start-postgres.ts";
import { prepareSites, type SiteAccount } from "../../prepare-sites.ts";
import { startChild } from "../../start-child.ts";
import { type AttackContext, createNetworks, type Outcome } from "./attack.ts";
import { farmName, runFarm, startShop, whyFarmIsSkipped } from "./browser-farm.ts";
import { fork, replay } from "./copying-attackers.ts";
import { runImpatient } from "./impatient-attackers.ts";
import { eventLoopOver, relays, runPatient } from "./patient-attackers.ts";
import { closeSockets } from "./visitor.ts";

export type AttestedOptions = { seconds: number; copies: number; tabs: number; tell: (text: string) => void };

export type AttestedRun = { outcomes: Outcome[]; skipped: { name: string; why: string }[] };

/** More than there are attackers. */
const accountsOfForgers = 20;
const sitesPerAccount = 2;
const networksOfLoops = [1, 10, 100];
/** The service then reads addresses from X-Forwarded-For. */
const behindProxy = { TRUST_PROXY: "127.0.0.1/32", PORT: "0" };

type Options = Pick<AttestedOptions, "seconds" | "copies" | "tell">;

function createContext(url: string, accounts: SiteAccount[], options: Options): AttackContext {
  return {
    ...options,
    url,
    takeNetworks: createNetworks(),
    takeAccount() {
      const account = accounts.shift();
      if (!account) throw new Error("there are more forgers than accounts");
      return account;
    },
  };
}

async function runOnSqlite(folder: string, { tabs, ...options }: AttestedOptions): Promise<AttestedRun> {
  const dataDir = join(folder, "data");
  mkdirSync(dataDir);
  const shop = await startShop();
  const [farmer, ...accounts] = await prepareSites({ databaseUrl: undefined, dataDir }, { accounts: accountsOfForgers, sitesPerAccount, originOf: (index) => (index === 0 ? shop.origin : `https://shop-${index}.example`) });
  const service = await startChild(["apps/api/src/main.ts"], { ...behindProxy, DATA_DIR: dataDir });
  try {
    const context = createContext(service.url, accounts, options);
    const impatient = await runImpatient(context);
    const forked = await fork(`fork: ${options.copies} copies at once, embedded store`, [service.url], context);
    const replayed = await replay(context);
    options.tell(`at a rate, for ${options.seconds} s`);
    // Together: each has networks and an account of its own.
    const patient = [...networksOfLoops.map(eventLoopOver), ...relays];
    const whyNoFarm = tabs === 0 ? "--tabs 0" : whyFarmIsSkipped();
    const farm = whyNoFarm === false ? [runFarm(context, { shop, account: farmer!, tabs })] : [];
    const together = await Promise.all([...patient.map((each) => runPatient(each, context)), ...farm]);
    return { outcomes: [...impatient, forked, replayed, ...together], skipped: whyNoFarm === false ? [] : [{ name: farmName, why: whyNoFarm }] };
  } finally {
    await service.stop();
    shop.close();
  }
}

const whyNodesAreSkipped = (): string | false => whyPostgresIsSkipped() || (!hasRedisServer() && "no redis-server");

async function forkOverNodes(folder: string, name: string, options: Options): Promise<Outcome> {
  const postgres = await joinPostgres();
  const redis = await startRedis();
  const databaseUrl = await postgres.newDatabase();
  const accounts = await prepareSites({ databaseUrl, dataDir: folder }, { accounts: 1, sitesPerAccount });
  const environment = { ...behindProxy, DATABASE_URL: databaseUrl, REDIS_URL: redis.url, SECRET_KEY: "x".repeat(32) };
  const nodes = [];
  try {
    for (const node of ["first", "second"]) nodes.push(await startChild(["apps/api/src/main.ts"], { ...environment, DATA_DIR: join(folder, node) }));
    const urls = nodes.map(({ url }) => url);
    return await fork(name, urls, createContext(urls[0]!, accounts, options));
  } finally {
    for (const node of nodes) await node.stop();
    await redis.stop();
    await postgres.stop();
  }
}

export async function runAttested(options: AttestedOptions): Promise<AttestedRun> {
  const folder = mkdtempSync(join(tmpdir(), "assay-attested-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const { outcomes, skipped } = await runOnSqlite(folder, options);
  const name = `fork: ${options.copies} copies at once, two nodes on PostgreSQL`;
  const why = whyNodesAreSkipped();
  if (why === false) outcomes.push(await forkOverNodes(folder, name, options));
  else skipped.push({ name, why });
  closeSockets();
  return { outcomes, skipped };
}
