import type { FastifyInstance } from "fastify";
import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type AppState, buildApp } from "../app.ts";
import { findDamage } from "../transfer/backup/find-damage.ts";
import type { DataDirHold } from "../transfer/backup/hold-data-dir.ts";
import { ensureHouseAds } from "../ads/campaigns/house-ads.ts";
import { type Config, ConfigError, loopbackHosts } from "../config.ts";
import { type Deps, type MachineClock, openDeps } from "../deps.ts";
import { damageExplained, explainOpenError } from "./explain-open-error.ts";
import { type FirstSignIns, makeFirstSignIns } from "./make-first-sign-ins.ts";
import { listeningAddress } from "../http/listening-address.ts";
import { createLog } from "../operations/log.ts";
import { payerExplained } from "../operations/operations.routes.ts";
import { prepareDataDir, readOrMakeSecret } from "./prepare-data-dir.ts";
import { welcomeText } from "./welcome.ts";

/** While it drains, connections in use get an answer that says close; then the port is given up. */
const drainAnnouncedMs = 500;
const drainHeldMs = 150;
/** What came through the port before it was closed is read by then, and is being answered. */
const drainArrivedMs = 250;
/** After this long a drain is cut short. Whoever stops the service waits longer: see deploy/. */
export const drainMsMax = 20_000;

export type RunningService = {
  address: string;
  /** Undefined but on the first start of an embedded store on loopback. */
  first: FirstSignIns | undefined;
  welcome: string;
  stop(): Promise<void>;
};

async function listen(app: FastifyInstance, config: Config): Promise<string> {
  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") throw new ConfigError(`PORT ${config.port} on ${config.host} is in use: set PORT to another one`);
    if (code === "EACCES") throw new ConfigError(`PORT ${config.port} may not be used by this user: set PORT to another one`);
    if (code === "ENOTFOUND" || code === "EAI_AGAIN" || code === "EADDRNOTAVAIL") throw new ConfigError(`HOST ${config.host} is not an address of this machine`);
    throw error;
  }
  return config.publicUrl ?? listeningAddress(app, config.host);
}

/**
 * No accepted call is lost: every connection in use is told to close with its next answer, then the port
 * is closed, and what has arrived by then is answered before the store is.
 */
async function drain(app: FastifyInstance, deps: Deps, state: AppState): Promise<void> {
  state.draining = true;
  await sleep(drainAnnouncedMs);
  // Whoever has knocked and was not let in yet is reset by the system when the port closes. So answers are
  // held for a moment: callers wait for them, nobody knocks again, and the port closes on an empty step.
  const hold = Promise.withResolvers<void>();
  state.held = hold.promise;
  await sleep(drainHeldMs);
  // The port alone: http's own close also ends connections whose request has arrived but is not read yet.
  NetServer.prototype.close.call(app.server);
  hold.resolve();
  state.held = undefined;
  await sleep(drainArrivedMs);
  const overdue = setTimeout(() => app.server.closeAllConnections(), drainMsMax);
  await app.close();
  clearTimeout(overdue);
  await deps.close();
}

/** A store that is not whole is not served from: its ledger could not be believed. */
function refuseDamage(config: Config): void {
  try {
    const [problem] = findDamage(config.dataDir, "at_start");
    if (problem !== undefined) throw damageExplained(config.dataDir, problem);
  } catch (error) {
    throw explainOpenError(error as Error, config);
  }
}

export async function serve(config: Config, machine: MachineClock = { nowMs: Date.now }): Promise<RunningService> {
  const hold = prepareDataDir(config.dataDir);
  try {
    return await serveFrom(config, machine, hold);
  } catch (error) {
    hold.release();
    throw error;
  }
}

async function serveFrom(config: Config, machine: MachineClock, hold: DataDirHold): Promise<RunningService> {
  if (config.databaseUrl === undefined) refuseDamage(config);
  const secretKey = config.secretKey ?? readOrMakeSecret(config.dataDir);
  const log = createLog(config.logLevel);
  const deps = await openDeps({ ...config, secretKey }, log, machine).catch((error: Error) => {
    throw explainOpenError(error, config);
  });
  const state: AppState = { starting: true, draining: false, held: undefined };
  const app = await buildApp(deps, state);
  let first: FirstSignIns | undefined;
  let address: string;
  try {
    address = await listen(app, config);
    deps.listening.address = address;
    await ensureHouseAds(deps.store, { address, nowMs: deps.nowMs() });
    await deps.inventory.refresh();
    if (config.databaseUrl === undefined && loopbackHosts.has(config.host)) {
      first = await makeFirstSignIns(deps.store, deps.nowMs());
    }
    state.starting = false;
  } catch (error) {
    await app.close();
    await deps.close();
    throw error;
  }
  let stopping: Promise<void> | undefined;
  return {
    address,
    first,
    stop: () => (stopping ??= drain(app, deps, state).finally(hold.release)),
    welcome: welcomeText({
      address,
      version: deps.version,
      store: config.databaseUrl === undefined ? `embedded, in ${config.dataDir}` : "PostgreSQL",
      payer: payerExplained[config.callPayer],
      hasLocalMailbox: config.databaseUrl === undefined && loopbackHosts.has(config.host) && config.smtpUrl === undefined,
      first,
    }),
  };
}
