import type { FastifyInstance } from "fastify";
import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureHouseAds } from "../ads/campaigns/house-ads.ts";
import { type AppState, buildApp } from "../app.ts";
import { type Config, ConfigError, readConfig } from "../config.ts";
import { type Deps, type MachineClock, openDeps } from "../deps.ts";
import { listeningAddress } from "../http/listening-address.ts";
import { createLog } from "../operations/log.ts";
import { payerExplained } from "../operations/operations.routes.ts";
import { describeDurability } from "../store/durability.ts";
import { findExcessRights } from "../store/service-rights.ts";
import { findDamage } from "../transfer/backup/find-damage.ts";
import type { DataDirLock } from "../transfer/backup/lock-data-dir.ts";
import { explainOpenError, toDamageError } from "./explain-open-error.ts";
import { findKnownEmail, type FirstSignIns, makeFirstSignIns } from "./make-first-sign-ins.ts";
import { prepareDataDir, readOrMakeLocalToken, readOrMakeSecret } from "./prepare-data-dir.ts";
import { welcomeText } from "./welcome.ts";

/** For this long responses carry `Connection: close` before the port closes. */
const drainAnnouncedMs = 500;
const drainHeldMs = 150;
/** Requests accepted before the port closed have been read by then. */
const drainArrivedMs = 250;
/** A drain is cut short after this time. Supervisors wait longer: see deploy/. */
export const drainMsMax = 20_000;

export type RunningService = {
  address: string;
  /** Set only on the first start of an embedded store on loopback. */
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
 * Graceful shutdown without losing an accepted call: responses announce `Connection: close`, then the port closes, and
 * requests that arrived by then are answered before the store closes.
 */
async function drain(app: FastifyInstance, deps: Deps, state: AppState): Promise<void> {
  state.draining = true;
  await sleep(drainAnnouncedMs);
  // Closing the port resets connections in the accept backlog. Responses are held for a moment: callers that wait for
  // one open no new connection, so the backlog is empty when the port closes.
  const hold = Promise.withResolvers<void>();
  state.held = hold.promise;
  await sleep(drainHeldMs);
  // Close only the port: http's own close() also ends connections whose request has arrived but is not yet read.
  NetServer.prototype.close.call(app.server);
  hold.resolve();
  state.held = undefined;
  await sleep(drainArrivedMs);
  const overdue = setTimeout(() => app.server.closeAllConnections(), drainMsMax);
  await app.close();
  clearTimeout(overdue);
  await deps.close();
}

/** A damaged store is not served: its ledger could not be trusted. */
function refuseDamage(config: Config): void {
  try {
    const [problem] = findDamage(config.dataDir, "at_start");
    if (problem !== undefined) throw toDamageError(config.dataDir, problem);
  } catch (error) {
    throw explainOpenError(error as Error, config);
  }
}

/** The ledger is safest where the service itself could not rewrite it. */
async function warnOfRights({ config, log, store }: Pick<Deps, "config" | "log" | "store">): Promise<void> {
  if (store.dialect !== "postgres") return;
  const remedy = 'docs/operating.md, "Two roles of PostgreSQL", says how to change that';
  const excess = await findExcessRights(store.pool);
  if (excess.length > 0) log.warn(`the role of DATABASE_URL can do more than the service needs (${excess.join("; ")}): ${remedy}`);
  if (config.databaseOwnerUrl !== undefined) log.warn(`DATABASE_OWNER_URL is set for the service, which never uses it: ${remedy}`);
}

/** Said at every start: nobody should learn it from the loss of a machine. */
function reportDurability({ log, store }: Pick<Deps, "log" | "store">): void {
  if (store.dialect !== "postgres") return;
  const { survives_loss_of_primary: survives, explained } = describeDurability(store, performance.now());
  const text = `does an acknowledged call survive the loss of the primary: ${survives}. ${explained}`;
  if (survives === "no" && store.hosts > 1) log.warn(`${text} docs/availability.md says how to change that`);
  else log.info(text);
}

export async function serve(config: Config, machine: MachineClock = { nowMs: Date.now }): Promise<RunningService> {
  const lock = prepareDataDir(config.dataDir);
  try {
    return await serveFrom(config, machine, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function serveFrom(config: Config, machine: MachineClock, lock: DataDirLock): Promise<RunningService> {
  const isEmbedded = config.databaseUrl === undefined;
  if (isEmbedded) refuseDamage(config);
  const secretKey = config.secretKey ?? readOrMakeSecret(config.dataDir);
  const localToken = config.isLocal && config.smtpUrl === undefined ? readOrMakeLocalToken(config.dataDir) : undefined;
  const log = createLog(config.logLevel);
  const deps = await openDeps({ ...config, secretKey, localToken }, log, machine).catch((error: Error) => {
    throw explainOpenError(error, config);
  });
  if (!config.isLocal && !config.payoutFourEyes) {
    log.warn("PAYOUT_FOUR_EYES is off: one operator alone can propose, approve and pay payouts, also its own");
  }
  await warnOfRights(deps);
  reportDurability(deps);
  const state: AppState = { starting: true, draining: false, held: undefined };
  const app = await buildApp(deps, state);
  let first: FirstSignIns | undefined;
  let address: string;
  try {
    address = await listen(app, config);
    deps.listening.address = address;
    await ensureHouseAds(deps.store, { address, nowMs: deps.nowMs() });
    await deps.inventory.refresh();
    if (isEmbedded && config.isLocal) first = await makeFirstSignIns(deps.store, deps.nowMs());
    state.starting = false;
  } catch (error) {
    await app.close();
    await deps.close();
    throw error;
  }
  const known = first ? undefined : await findKnownEmail(deps.store);
  let stopping: Promise<void> | undefined;
  return {
    address,
    first,
    stop: () => (stopping ??= drain(app, deps, state).finally(lock.release)),
    welcome: welcomeText({
      address,
      version: deps.version,
      store: isEmbedded ? `embedded, in ${config.dataDir}` : "PostgreSQL",
      payer: payerExplained[config.callPayer],
      localToken,
      first,
      known,
      isLocal: config.isLocal,
    }),
  };
}

/** Starts the service, prints what `describe` returns, and drains on a signal or when the parent process ends. */
export async function runService(describe = (service: RunningService): string => service.welcome, machine?: MachineClock): Promise<void> {
  try {
    const service = await serve(readConfig(), machine);
    const stop = () => {
      service.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`Assay did not stop cleanly: ${String(error)}\n`);
          process.exit(1);
        },
      );
    };
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, stop);
    // scripts/bootstrap.mjs opens an IPC channel; it disconnects when that process ends.
    process.on("disconnect", stop);
    // Last: a reader of the address may stop the service from that moment on.
    process.stdout.write(describe(service));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`Assay cannot start: ${error.message}\n`);
    process.exit(1);
  }
}
