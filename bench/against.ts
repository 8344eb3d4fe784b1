import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startRedis } from "../apps/api/test/access/start-redis.ts";
import { joinPostgres } from "../apps/api/test/start-postgres.ts";
import { adTarget, type prepareCampaigns } from "./ad-request.ts";
import { checkOut } from "./check-out.ts";
import { findPostgresPid } from "./cpu-time.ts";
import { findSlower, measures, ratioOf } from "./judge.ts";
import { median } from "./median.ts";
import { measureRounds, type RoundSettings, type Sample } from "./measure-rounds.ts";
import type { prepareAccount } from "./prepare-account.ts";
import { type BenchChild, fillCompileCache, root, startChild } from "./start-child.ts";

export type Part = "sqlite" | "postgres" | "ads";

type StoreSettings = { databaseUrl: string | undefined; dataDir: string };
type Node = { child: BenchChild; apiKey: string };
/** The old tree twice: how much the same code differs from itself is how much the machine disturbs. */
type Nodes = Record<"before" | "after" | "again", Node>;

const names = { before: "old", after: "new", again: "old again" };
const secretKey = "x".repeat(32);

/** Each tree fills its store with its own code, so that its tables are those of its own version. */
async function prepareStore(tree: string, storeSettings: StoreSettings, part: Part): Promise<string> {
  const load = async (file: string): Promise<unknown> => import(pathToFileURL(join(tree, "bench", file)).href);
  const account = (await load("prepare-account.ts")) as { prepareAccount: typeof prepareAccount };
  const apiKey = await account.prepareAccount(storeSettings);
  if (part === "ads") await ((await load("ad-request.ts")) as { prepareCampaigns: typeof prepareCampaigns }).prepareCampaigns(storeSettings);
  return apiKey;
}

async function startNode(tree: string, storeSettings: StoreSettings, part: Part, servers: Record<string, string>): Promise<Node> {
  mkdirSync(storeSettings.dataDir, { recursive: true });
  const apiKey = await prepareStore(tree, storeSettings, part);
  const child = await startChild([join(tree, "apps/api/src/main.ts")], { DATA_DIR: storeSettings.dataDir, PORT: "0", ...servers });
  return { child, apiKey };
}

/** Calls `use` with three nodes, each with a database of its own, and stops them. */
async function withNodes(part: Part, trees: Record<keyof Nodes, string>, folder: string, use: (nodes: Nodes, databasePid?: number) => Promise<void>): Promise<void> {
  const stops: (() => Promise<void>)[] = [];
  try {
    const postgres = part === "postgres" ? await joinPostgres() : undefined;
    if (postgres) stops.push(() => postgres.stop());
    const nodes = {} as Nodes;
    let databasePid: number | undefined;
    for (const key of ["before", "after", "again"] as const) {
      const storeSettings = { databaseUrl: await postgres?.newDatabase(), dataDir: join(folder, part, key) };
      const servers: Record<string, string> = {};
      if (storeSettings.databaseUrl !== undefined) {
        const redis = await startRedis();
        stops.push(() => redis.stop());
        Object.assign(servers, { DATABASE_URL: storeSettings.databaseUrl, REDIS_URL: redis.url, SECRET_KEY: secretKey });
        databasePid ??= await findPostgresPid(storeSettings.databaseUrl);
      }
      nodes[key] = await startNode(trees[key], storeSettings, part, servers);
      stops.push(() => nodes[key].child.stop());
    }
    await use(nodes, databasePid);
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

function print(title: string, samples: Record<keyof Nodes, Sample[]>): void {
  console.log(`\n${title}`);
  console.log(`${" ".repeat(12)}${measures.map(({ name }) => `${name.padStart(16)}   ÷ old (lowest–highest)`).join("")}   database µs   failed`);
  for (const key of ["before", "after", "again"] as const) {
    const cells = measures.map((measure) => {
      const { middle, lowest, highest } = ratioOf(measure.key, samples[key], samples.before);
      const ratio = `${middle.toFixed(3)} (${lowest.toFixed(3)}–${highest.toFixed(3)})`;
      return `${median(samples[key].map((sample) => sample[measure.key])).toFixed(0).padStart(16)} ${ratio.padStart(24)}`;
    });
    const databaseUs = median(samples[key].map((sample) => sample.databaseUs)).toFixed(0);
    const failed = samples[key].reduce((sum, { errors }) => sum + errors, 0);
    console.log(`${names[key].padEnd(12)}${cells.join("")}${databaseUs.padStart(14)}${String(failed).padStart(9)}`);
  }
}

const calls = {
  sqlite: [
    { title: "predict", uniqueKeys: false },
    { title: "predict, unique Idempotency-Key", uniqueKeys: true },
  ],
  postgres: [
    { title: "predict", uniqueKeys: false },
    { title: "predict, unique Idempotency-Key", uniqueKeys: true },
  ],
  ads: [{ title: "ads/request", uniqueKeys: false, target: adTarget }],
};
const partNames: Record<Part, string> = { sqlite: "Embedded SQLite", postgres: "PostgreSQL + Redis", ads: "Ads on embedded SQLite" };

/** Compares this tree, with its uncommitted changes, with another commit. Returns whether it is no slower. */
export async function compareAgainst(commit: string, parts: readonly Part[], folder: string, settings: RoundSettings): Promise<boolean> {
  const { tree, revision } = checkOut(commit, folder);
  const trees = { before: tree, after: root, again: tree };
  await fillCompileCache([tree, root], folder, settings.rounds);
  console.log(`This tree (new) against ${revision.slice(0, 12)} (old): ${settings.rounds} rounds of ${settings.seconds} s, ${settings.connections} connections, medians.`);
  console.log("Microseconds are processor time per call. On a noisy machine trust them more than calls/s: the load generator and");
  console.log("whatever else runs here compete for the same cores. The spread of \"old again\" shows how far the same code differs from itself.");
  const slower: string[] = [];
  for (const part of parts) {
    await withNodes(part, trees, folder, async (nodes, databasePid) => {
      for (const { title, ...call } of calls[part]) {
        const fullTitle = `${partNames[part]}, ${title}`;
        const contenders = (["before", "after", "again"] as const).map((key) => ({ name: names[key], ...nodes[key], ...call }));
        const [before, after, again] = (await measureRounds(fullTitle, contenders, settings, databasePid)) as [Sample[], Sample[], Sample[]];
        print(fullTitle, { before, after, again });
        const found = findSlower({ before, after, again });
        console.log(found.length === 0 ? "verdict: no slower" : `verdict: SLOWER by ${found.join(", ")}`);
        if (found.length > 0) slower.push(fullTitle);
        const failed = [...before, ...after, ...again].reduce((sum, { errors }) => sum + errors, 0);
        if (failed > 0) throw new Error(`${failed} calls failed, so there is nothing to compare`);
      }
    });
  }
  console.log(`\n${slower.length === 0 ? `No slower than ${revision.slice(0, 12)}.` : `Slower than ${revision.slice(0, 12)}: ${slower.join("; ")}.`}`);
  console.log("No slower: the median ratio lies within 3 % or within the spread of \"old again\", by calls/s and by both processor times.");
  return slower.length === 0;
}
