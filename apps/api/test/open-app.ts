import type { FastifyInstance } from "fastify";
import type { RedisWaits } from "../src/access/redis/open-redis.ts";
import { type AppState, buildApp } from "../src/app.ts";
import { ensureHouseAds } from "../src/ads/campaigns/house-ads.ts";
import { readConfig } from "../src/config.ts";
import { type Deps, openDeps } from "../src/deps.ts";
import { createLog } from "../src/operations/log.ts";
import { takeFindings } from "./http/watch-answers.ts";
import { makeTestFolder, testSecretKey } from "./start-service.ts";

export type OpenedApp = { app: FastifyInstance; deps: Deps; state: AppState; dataDir: string; publicUrl: string; close(): Promise<void> };

export type OpenAppOptions = {
  /** Default: a new folder. */
  dataDir?: string;
  /** Default: the global clock at each moment, which a test may mock. */
  nowMs?: () => number;
  /** Whether ordinary calls are answered without the framework. Default: yes, as in production. */
  lane?: boolean;
  /** Default: as in production. */
  redisWaits?: RedisWaits;
  /** Replaces parts before the routes get them. */
  adapt?: (deps: Deps) => Deps;
};

/** The whole service in this process, on its own SQLite store. It does not listen: requests are injected, or the test calls `listen`. */
export async function openApp(env: Record<string, string> = {}, options: OpenAppOptions = {}): Promise<OpenedApp> {
  const { dataDir = makeTestFolder(), nowMs = () => Date.now(), lane = true, adapt = (deps) => deps, redisWaits } = options;
  const publicUrl = "https://fuzz.example.com";
  const config = readConfig({ DATA_DIR: dataDir, PUBLIC_URL: publicUrl, SECRET_KEY: testSecretKey, LOG_LEVEL: "silent", OPERATOR_SECOND_FACTOR: "off", ...env });
  const opened = await openDeps({ ...config, secretKey: testSecretKey, localToken: undefined }, createLog(config.logLevel), { nowMs, ...(redisWaits && { redisWaits }) });
  const deps = adapt(opened);
  const state: AppState = { starting: false, draining: false, held: undefined };
  const app = await buildApp(deps, state, { lane });
  await app.ready();
  await ensureHouseAds(deps.store, { address: publicUrl, nowMs: deps.nowMs() });
  await deps.inventory.refresh();
  return {
    app,
    deps,
    state,
    dataDir,
    publicUrl,
    async close() {
      await app.close();
      await opened.close();
      const findings = takeFindings();
      if (findings.length > 0) throw new Error(findings.join("\n"));
    },
  };
}
