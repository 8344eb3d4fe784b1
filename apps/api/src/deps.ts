import { explain } from "./failure/failure.ts";
import { currentModel } from "@assay/scoring/current-model.ts";
import type { Model } from "@assay/scoring/model.ts";
import type { FastifyBaseLogger } from "fastify";
import { type Ads, openAds } from "./ads/open-ads.ts";
import { type AnswerOnce, createAnswerOnce } from "./money/ledger/answer-once.ts";
import { type Charger, createCharger } from "./money/ledger/charge-call.ts";
import { followInventory, type Inventory } from "./ads/campaigns/follow-inventory.ts";
import type { Config } from "./config.ts";
import { createRequestNotes, type RequestNotes } from "./access/requests/note-requests.ts";
import { createReportTurns } from "./http/queue-reports.ts";
import type { TakeTurn } from "./queues/take-turns.ts";
import { type Authenticator, createAuthenticator } from "./access/keys/authenticate-key.ts";
import { followKeyChanges, type KeyChangeChannel } from "./access/keys/follow-key-changes.ts";
import { createKeyUseNotes, type KeyUseNotes } from "./access/keys/note-key-use.ts";
import { createMemoryLimiter } from "./access/limits/memory-limiter.ts";
import type { Limiter } from "./access/limits/limiter.ts";
import { tellWriteTrouble } from "./operations/log.ts";
import { countOutside } from "./operations/make-partitions.ts";
import { createMetrics, type Metrics } from "./operations/metrics.ts";
import { startBackground } from "./operations/start-background.ts";
import { readVersion } from "./operations/read-version.ts";
import { openStore } from "./store/open-store.ts";
import { openStoreClock } from "./store/store-clock.ts";
import type { Store } from "./store/store.ts";

/** All that a running service is made of. */
export type Deps = {
  config: Config;
  log: FastifyBaseLogger;
  version: string;
  nowMs: () => number;
  store: Store;
  migrated: string[];
  metrics: Metrics;
  model: Model;
  authenticator: Authenticator;
  limiter: Limiter;
  keyUse: KeyUseNotes;
  /** Undefined without Redis: other nodes then read changes from the store. */
  channel: KeyChangeChannel | undefined;
  /** Says that a mail was put into the outbox. */
  wakeMailer: () => void;
  /** Removes the local copies of mails. */
  deleteMailFiles: (mailIds: readonly string[]) => Promise<void>;
  requestNotes: RequestNotes;
  inventory: Inventory;
  ads: Ads;
  /** Where the service is reached; known, at the latest, from the moment it listens. */
  listening: { address: string | undefined };
  charger: Charger;
  answerOnce: AnswerOnce;
  /** Where whatever reads many rows waits for its account's turn. */
  reportInTurn: TakeTurn;
  /** Finishes what is under way, then closes everything in the order opposite to opening. */
  close(): Promise<void>;
};

async function openLimiter(
  redisUrl: string | undefined,
  context: { log: FastifyBaseLogger; metrics: Metrics },
): Promise<{ limiter: Limiter; close: () => Promise<void> }> {
  const memory = createMemoryLimiter({ nowMs: () => performance.now() });
  if (redisUrl === undefined) {
    context.metrics.setLimiterMode("memory");
    return { limiter: memory, close: () => memory.close() };
  }
  // Loaded only where it is used: an embedded installation need not hold a Redis client in memory.
  const { openRedis } = await import("./access/limits/open-redis.ts");
  const { createRedisLimiter } = await import("./access/limits/redis-limiter.ts");
  const redis = await openRedis(redisUrl);
  const { log, metrics } = context;
  const limiter = createRedisLimiter({ redis, memory, log, onModeChange: metrics.setLimiterMode });
  metrics.setLimiterMode(limiter.mode());
  const close = async () => {
    await limiter.close();
    redis.disconnect();
  };
  return { limiter, close };
}

async function openChannel(redisUrl: string | undefined) {
  if (redisUrl === undefined) return undefined;
  const { openKeyChangeChannel } = await import("./access/keys/open-key-change-channel.ts");
  return openKeyChangeChannel(redisUrl);
}

type Warn = (message: string) => (error: unknown) => void;

/** The clock of the machine that the service runs on: it may be wrong, and it may jump. */
export type MachineClock = { nowMs: () => number };

export async function openDeps(config: Config & { secretKey: string }, log: FastifyBaseLogger, machine: MachineClock): Promise<Deps> {
  const monotonicMs = () => performance.now();
  const warn: Warn = (message) => (error) => log.warn({ error: explain(error) }, message);
  const context = { nowMs: machine.nowMs(), onConnectionError: warn("a connection to the database broke"), onWriteTrouble: tellWriteTrouble(log) };
  const { store, migrated } = await openStore(config, context);
  const onClockError = warn("the time could not be read from the database; it goes on from what was read last");
  const clock = await openStoreClock(store, { machineNowMs: machine.nowMs, monotonicMs, onError: onClockError });
  const { nowMs } = clock;

  const metrics = createMetrics({
    commitQueueDepth: () => charger.depth(),
    nowMs,
    jobs: () => background.jobs.seen(),
    countOutside: store.dialect === "postgres" ? () => countOutside(store) : undefined,
  });
  const charger = createCharger(store, {
    payer: config.callPayer,
    modelVersion: currentModel.version,
    nowMs,
    onBatch: metrics.countBatch,
  });
  const { limiter, close: closeLimiter } = await openLimiter(config.redisUrl, { log, metrics });
  const authenticator = createAuthenticator(store, { nowMs, monotonicMs });
  const channel = await openChannel(config.redisUrl);
  const onError = warn("key changes could not be read; keys are read from the store until they can");
  const follower = await followKeyChanges(store, authenticator, { channel, monotonicMs, onError });
  const requestNotes = createRequestNotes(store, { nowMs, onError: warn("requests could not be counted and logged") });
  const keyUse = createKeyUseNotes(store, warn("the times of last use could not be written"));
  const inventory = await followInventory(store, { nowMs, onError: warn("the inventory could not be read; what is known goes on serving") });
  const listening = { address: config.publicUrl };
  const ads = await openAds(store, {
    inventory,
    secretKey: config.secretKey,
    addresses: () => ({
      cdnUrl: config.cdnUrl ?? `${listening.address}/cdn`,
      trackUrl: config.trackUrl ?? `${listening.address}/t`,
    }),
    nowMs,
    monotonicMs,
    random: Math.random,
    onError: warn,
  });
  const background = await startBackground(store, { settings: config, nowMs, monotonicMs, metrics, warn, publicUrl: () => listening.address });

  return {
    config,
    log,
    version: readVersion(),
    nowMs,
    store,
    migrated,
    metrics,
    model: currentModel,
    authenticator,
    limiter,
    keyUse,
    channel,
    wakeMailer: background.wakeMailer,
    deleteMailFiles: background.deleteMailFiles,
    requestNotes,
    inventory,
    ads,
    listening,
    charger,
    answerOnce: createAnswerOnce(charger),
    reportInTurn: createReportTurns(),
    async close() {
      await charger.drain();
      await ads.close();
      await background.stop();
      follower.stop();
      inventory.stop();
      await keyUse.stop();
      await requestNotes.stop();
      await channel?.close();
      await closeLimiter();
      clock.stop();
      await store.close();
    },
  };
}
