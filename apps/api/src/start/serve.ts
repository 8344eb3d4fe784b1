import type { FastifyInstance } from "fastify";
import { promisify } from "node:util";
import { ensureHouseAds } from "../ads/campaigns/house-ads.ts";
import { type AppState, buildApp } from "../app.ts";
import { type Config, ConfigError } from "../config.ts";
import { type Deps, type Machine, openDeps } from "../deps.ts";
import { listeningAddress } from "../http/listening-address.ts";
import { createLog } from "../operations/log.ts";
import { payerExplained } from "../operations/operations.routes.ts";
import { alone, type Siblings } from "../operations/siblings.ts";
import { reportDurability } from "../store/durability.ts";
import { findExcessRights } from "../store/service-rights.ts";
import { isStoreOutOfReach } from "../store/store-failure.ts";
import { findDamage } from "../transfer/backup/find-damage.ts";
import type { DataDirLock } from "../transfer/backup/lock-data-dir.ts";
import { createDrain } from "./drain.ts";
import { explainOpenError, toDamageError } from "./explain-open-error.ts";
import { findKnownEmail, type FirstSignIns, makeFirstSignIns } from "./make-first-sign-ins.ts";
import { type DrainSteps, paceDrain } from "./pace-drain.ts";
import { prepareDataDir, readOrMakeLocalToken, readOrMakeSecret } from "./prepare-data-dir.ts";
import { welcomeText } from "./welcome.ts";

export type RunningService = {
  address: string;
  /** Set only on the first start of an embedded store on loopback. */
  first: FirstSignIns | undefined;
  welcome: string;
  /** Drains by itself. */
  stop(): Promise<void>;
  /** The steps of a drain, for a supervisor that drains several workers at the same moment. */
  drain: DrainSteps;
  /** Asks so many callers to connect anew, with the answers to their next calls. */
  handOver(connections: number): void;
  countConnections(): Promise<number>;
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

export async function serve(config: Config, machine: Machine = { nowMs: Date.now }, siblings = alone): Promise<RunningService> {
  const lock = prepareDataDir(config.dataDir);
  try {
    return await serveFrom(config, { machine, siblings, lock });
  } catch (error) {
    lock.release();
    // The database may also be lost in the middle of a start.
    throw isStoreOutOfReach(error) ? explainOpenError(error, config) : error;
  }
}

type ServeContext = { machine: Machine; siblings: Siblings; lock: DataDirLock };

async function serveFrom(config: Config, { machine, siblings, lock }: ServeContext): Promise<RunningService> {
  const isEmbedded = config.databaseUrl === undefined;
  if (isEmbedded) refuseDamage(config);
  const secretKey = config.secretKey ?? readOrMakeSecret(config.dataDir);
  const localToken = config.isLocal && config.smtpUrl === undefined ? readOrMakeLocalToken(config.dataDir) : undefined;
  const log = createLog(config.logLevel, siblings.number);
  const deps = await openDeps({ ...config, secretKey, localToken }, log, machine, siblings).catch((error: Error) => {
    throw explainOpenError(error, config);
  });
  if (!config.isLocal && !config.payoutFourEyes) {
    log.warn("PAYOUT_FOUR_EYES is off: one operator alone can propose, approve and pay payouts, also its own");
  }
  // Once per node, not per worker.
  if (siblings.number === undefined || siblings.number === 1) {
    await warnOfRights(deps);
    reportDurability(deps);
  }
  const state: AppState = { starting: true, draining: false, held: undefined, handOver: 0 };
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
  const steps = createDrain(app, deps, state);
  let finishing: Promise<void> | undefined;
  const drain = { ...steps, finish: () => (finishing ??= Promise.resolve(steps.finish()).finally(lock.release)) };
  let stopping: Promise<void> | undefined;
  return {
    address,
    first,
    stop: () => (stopping ??= paceDrain(drain)),
    drain,
    handOver(connections) {
      state.handOver = connections;
    },
    countConnections: promisify(app.server.getConnections.bind(app.server)),
    welcome: welcomeText({
      address,
      version: deps.version,
      store: isEmbedded ? `embedded, in ${config.dataDir}` : "PostgreSQL",
      payer: payerExplained[config.callPayer],
      localToken,
      first,
      known,
      isLocal: config.isLocal,
      workers: config.workers,
    }),
  };
}
