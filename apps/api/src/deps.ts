import { currentModel } from "@assay/scoring/current-model.ts";
import type { Model } from "@assay/scoring/model.ts";
import type { FastifyBaseLogger } from "fastify";
import { readFileSync } from "node:fs";
import { type AnswerOnce, createAnswerOnce } from "./billing/answer-once.ts";
import { type Charger, createCharger } from "./billing/charge-call.ts";
import type { Config } from "./config.ts";
import { type Authenticator, createAuthenticator } from "./keys/authenticate-key.ts";
import { followKeyChanges } from "./keys/follow-key-changes.ts";
import { createKeyUseNotes, type KeyUseNotes } from "./keys/note-key-use.ts";
import { createMemoryLimiter } from "./limits/memory-limiter.ts";
import type { Limiter } from "./limits/limiter.ts";
import { createMetrics, type Metrics } from "./operations/metrics.ts";
import { startUpkeep } from "./operations/start-upkeep.ts";
import { openStore } from "./store/open-store.ts";
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
  charger: Charger;
  answerOnce: AnswerOnce;
  /** Finishes what is under way, then closes everything in the order opposite to opening. */
  close(): Promise<void>;
};

const packageFile = new URL("../../../package.json", import.meta.url);

export const readVersion = (): string => (JSON.parse(readFileSync(packageFile, "utf8")) as { version: string }).version;

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
  const { openRedis } = await import("./limits/open-redis.ts");
  const { createRedisLimiter } = await import("./limits/redis-limiter.ts");
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
  const { openKeyChangeChannel } = await import("./keys/open-key-change-channel.ts");
  return openKeyChangeChannel(redisUrl);
}

export async function openDeps(config: Config, log: FastifyBaseLogger): Promise<Deps> {
  const nowMs = Date.now;
  const monotonicMs = () => performance.now();
  const warn = (message: string) => (error: unknown) => log.warn({ error: String(error) }, message);
  const context = { nowMs: nowMs(), onConnectionError: warn("a connection to the database broke") };
  const { store, migrated } = await openStore(config, context);

  const metrics = createMetrics({ commitQueueDepth: () => charger.depth() });
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
  const keyUse = createKeyUseNotes(store, warn("the times of last use could not be written"));
  const upkeep = await startUpkeep(store, {
    nowMs,
    retentionDays: config.sessionRetentionDays,
    onError: warn("upkeep of the store failed; it is tried again"),
  });

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
    charger,
    answerOnce: createAnswerOnce(charger),
    async close() {
      await charger.drain();
      await upkeep.stop();
      follower.stop();
      await keyUse.stop();
      await channel?.close();
      await closeLimiter();
      await store.close();
    },
  };
}
