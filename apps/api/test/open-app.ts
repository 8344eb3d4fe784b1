import type { FastifyInstance } from "fastify";
import { buildApp } from "../src/app.ts";
import { ensureHouseAds } from "../src/ads/campaigns/house-ads.ts";
import { readConfig } from "../src/config.ts";
import { type Deps, openDeps } from "../src/deps.ts";
import { createLog } from "../src/operations/log.ts";
import { takeFindings } from "./http/watch-answers.ts";
import { makeTestFolder, testSecretKey } from "./start-service.ts";

export type OpenedApp = { app: FastifyInstance; deps: Deps; dataDir: string; publicUrl: string; close(): Promise<void> };

/**
 * The whole service in this process, on its own SQLite store. It does not listen: requests are injected. Its time is that
 * of the global clock at each moment, which a test may mock.
 */
export async function openApp(env: Record<string, string> = {}): Promise<OpenedApp> {
  const dataDir = makeTestFolder();
  const publicUrl = "https://fuzz.example.com";
  const config = readConfig({ DATA_DIR: dataDir, PUBLIC_URL: publicUrl, SECRET_KEY: testSecretKey, LOG_LEVEL: "silent", OPERATOR_SECOND_FACTOR: "off", ...env });
  const deps = await openDeps({ ...config, secretKey: testSecretKey, localToken: undefined }, createLog(config.logLevel), { nowMs: () => Date.now() });
  const app = await buildApp(deps, { starting: false, draining: false, held: undefined });
  await app.ready();
  await ensureHouseAds(deps.store, { address: publicUrl, nowMs: deps.nowMs() });
  await deps.inventory.refresh();
  return {
    app,
    deps,
    dataDir,
    publicUrl,
    async close() {
      await app.close();
      await deps.close();
      const findings = takeFindings();
      if (findings.length > 0) throw new Error(findings.join("\n"));
    },
  };
}
