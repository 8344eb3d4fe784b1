import { releasedModels } from "@assay/scoring/released-models.ts";
import type { FastifyBaseLogger } from "fastify";
import { createAuthenticator } from "./access/keys/authenticate-key.ts";
import { followKeyChanges } from "./access/keys/follow-key-changes.ts";
import { createKeyUseRecorder } from "./access/keys/record-key-use.ts";
import type { Limiter } from "./access/limits/limiter.ts";
import { createMemoryLimiter } from "./access/limits/memory-limiter.ts";
import { tellLimits } from "./access/limits/tell-limits.ts";
import type { RedisWaits } from "./access/redis/open-redis.ts";
import type { RedisShards } from "./access/redis/shards.ts";
import { createRequestRecorder } from "./access/requests/record-requests.ts";
import { followInventory } from "./ads/campaigns/follow-inventory.ts";
import { openAds } from "./ads/open-ads.ts";
import { openAttestation } from "./attestation/open-attestation.ts";
import { type Config, ConfigError } from "./config.ts";
import { explain } from "./failure/failure.ts";
import { createReportTurns } from "./http/queue-reports.ts";
import { readPrepaidStart } from "./money/corrections/prepaid-start.ts";
import { countOverdue } from "./money/findings/alert-overdue.ts";
import { growthLimitsOf } from "./money/growth/read-growth.ts";
import { createAnswerOnce } from "./money/ledger/answer-once.ts";
import { createCharger } from "./money/ledger/charge-call.ts";
import { createFileMemory, createRedisMemory } from "./money/ledger/log/log-memory.ts";
import { openTileFiles, tileFolderOf } from "./money/ledger/log/tile-files.ts";
import { measureLog } from "./money/ledger/log/witness/read-log-status.ts";
import { readWitnessStates, type Witness } from "./money/ledger/log/witness/ask-witnesses.ts";
import { readWitnesses } from "./money/ledger/log/witness/read-witnesses.ts";
import { createAnswerReader } from "./money/ledger/read-answer.ts";
import { createBalances } from "./money/payouts/read-balance.ts";
import { logWriteTrouble } from "./operations/log.ts";
import { countUnpartitionedRows } from "./operations/make-partitions.ts";
import { createMetrics, type Metrics } from "./operations/metrics.ts";
import { readVersion } from "./operations/read-version.ts";
import { alone } from "./operations/siblings.ts";
import { startBackground } from "./operations/start-background.ts";
import { openModels } from "./scoring/models/open-models.ts";
import { markPayees } from "./people/mark-payees.ts";
import { lineOf } from "./people/throttle-rule.ts";
import { createMarks, type SecretsContext } from "./secrets/read-sealed-key.ts";
import { createSealer } from "./secrets/sealer.ts";
import { describeDurability } from "./store/durability.ts";
import { openStore } from "./store/open-store.ts";
import { type Reports, reportsFrom } from "./store/reports/report-source.ts";
import { openStoreClock } from "./store/store-clock.ts";
import type { Store } from "./store/store.ts";
import { measureDeliveries } from "./webhooks/deliveries/measure-deliveries.ts";
import { readWebhookKey, type WebhookKey } from "./webhooks/deliveries/webhook-key.ts";
import { openEgress } from "./webhooks/egress/post-outwards.ts";

/** Networks whose windows a node remembers: under 100 MB. */
const networksMax = 50_000;

async function openLimiter(
  redisUrl: string | undefined,
  context: { log: FastifyBaseLogger; metrics: Metrics; redisWaits: RedisWaits | undefined },
): Promise<{ limiter: Limiter; networkLimiter: Limiter; shards: RedisShards | undefined; close: () => Promise<void> }> {
  const clock = { nowMs: () => performance.now() };
  const memory = createMemoryLimiter(clock);
  // Its subjects are networks, of which strangers may have many.
  const networkMemory = createMemoryLimiter({ ...clock, subjectsMax: networksMax });
  if (redisUrl === undefined) {
    context.metrics.setLimiterMode("memory");
    return { limiter: memory, networkLimiter: networkMemory, shards: undefined, close: () => memory.close() };
  }
  // Loaded on demand: an embedded installation needs no Redis client in memory.
  const { openShards } = await import("./access/redis/open-shards.ts");
  const { createRedisLimiter } = await import("./access/limits/redis-limiter.ts");
  const shards = await openShards(redisUrl, context.redisWaits);
  const { log, metrics } = context;
  const limiter = createRedisLimiter({ shards, memory, log, onModeChange: metrics.setLimiterMode });
  const networkLimiter = createRedisLimiter({ shards, memory: networkMemory, log, onModeChange: () => {} });
  metrics.setLimiterMode(limiter.mode());
  const close = async () => {
    await limiter.close();
    await networkLimiter.close();
    shards.close();
  };
  return { limiter, networkLimiter, shards, close };
}

/** Reports come from the replica that DATABASE_REPORT_URL names, or from the store itself. */
async function openReports(url: string | undefined, store: Store, context: { nowMs: () => number; monotonicMs: () => number; log: FastifyBaseLogger }): Promise<Reports> {
  if (url === undefined || store.dialect !== "postgres") return reportsFrom(store);
  const { openReplica } = await import("./store/reports/open-replica.ts");
  const { log, ...clocks } = context;
  return openReplica(url, store, {
    ...clocks,
    onChange(from, why) {
      if (from === "replica") log.info("reports are read from the replica");
      else log.warn({ why }, "the replica cannot be used: reports are read from the primary");
    },
  });
}

/** The witnesses that LOG_WITNESSES lists. */
async function openWitnesses(file: string | undefined): Promise<Witness[]> {
  const witnesses = file === undefined ? [] : await readWitnesses(file);
  if (typeof witnesses === "string") throw new ConfigError(`LOG_WITNESSES ${witnesses}`);
  return witnesses;
}

/** Made on the first start, so that no request has to. */
async function openWebhookKey(context: SecretsContext, log: FastifyBaseLogger): Promise<WebhookKey | undefined> {
  const key = await readWebhookKey(context);
  if (key !== "unreadable") return key;
  log.warn("the key that signs webhooks cannot be read: set SECRET_KEY_PREVIOUS to the old secret; until then events have no v1a signature");
  return undefined;
}

/** `nowMs`: the machine's clock, which may be wrong, and may jump. `redisWaits`: longer in tests. */
export type Machine = { nowMs: () => number; redisWaits?: RedisWaits };

export async function openDeps(config: Config & { secretKey: string; localToken: string | undefined }, log: FastifyBaseLogger, machine: Machine, siblings = alone) {
  const monotonicMs = () => performance.now();
  const warn = (message: string) => (error: unknown): void => log.warn({ error: explain(error) }, message);
  const logWitnesses = await openWitnesses(config.logWitnessesFile);
  const context = { nowMs: machine.nowMs(), onConnectionError: warn("a connection to the database broke"), onWriteTrouble: logWriteTrouble(log) };
  const { store, migrated } = await openStore(config, context);
  const onClockError = warn("the database's time could not be read; the clock continues from the last reading");
  const clock = await openStoreClock(store, { machineNowMs: machine.nowMs, monotonicMs, onError: onClockError });
  const { nowMs } = clock;
  const reports = await openReports(config.databaseReportUrl, store, { nowMs, monotonicMs, log });
  const sealer = createSealer({ secretKey: config.secretKey, previous: config.previousSecretKeys });
  const marks = createMarks({ store, nowMs, sealer });
  // Until it has worked no payout leaves: see require-marks.ts.
  await markPayees({ store, marks }, () => false).catch(warn("the marks of payees could not be made; the job mark_payees tries again"));

  const metrics = createMetrics({
    commitQueueDepth: () => charger.depth(),
    nowMs,
    jobs: () => background.jobs.states(),
    countOverdueFindings: async () => (await countOverdue(store, nowMs())).overdue,
    measureLog: () => measureLog(store),
    survivesLossOfPrimary: store.dialect === "postgres" ? () => describeDurability(store, monotonicMs()).survives_loss_of_primary === "yes" : undefined,
    reportLagMs: config.databaseReportUrl === undefined ? undefined : reports.lagMs,
    measureDeliveries: () => measureDeliveries(store, nowMs()),
    readWitnessStates: logWitnesses.length === 0 ? undefined : () => readWitnessStates(store, { witnesses: logWitnesses, nowMs: nowMs() }),
    countUnpartitionedRows: store.dialect === "postgres" ? () => countUnpartitionedRows(store) : undefined,
    siblings,
  });
  const models = await openModels(store, { released: releasedModels, nowMs: nowMs() });
  const prepaidFromMs = await readPrepaidStart(store, { payer: config.callPayer, nowMs: nowMs() });
  const onWaiterError = warn("an answer could not be sent");
  const charger = createCharger(store, {
    payer: config.callPayer,
    ...(prepaidFromMs !== undefined && { prepaid: { fromMs: prepaidFromMs, creditLimitMicroUsd: config.creditLimitMicroUsd } }),
    nowMs,
    batchesAtOnceMax: siblings.number === undefined ? 2 : 1,
    onBatch: metrics.countBatch,
    onWaiterError,
  });
  const { limiter: silentLimiter, networkLimiter, shards, close: closeLimiter } = await openLimiter(config.redisUrl, { log, metrics, redisWaits: machine.redisWaits });
  const limits = tellLimits(silentLimiter, { store, nowMs, onError: warn("that a limit is near or reached could not be told") });
  const authenticator = createAuthenticator(store, { nowMs, monotonicMs, lineOf });
  const { redisUrl } = config;
  const channel = redisUrl === undefined ? undefined : await (await import("./access/keys/open-key-change-channel.ts")).openKeyChangeChannel(redisUrl);
  const onError = warn("key changes could not be read; every key is checked against the store until they can");
  const follower = await followKeyChanges(store, authenticator, { channel, monotonicMs, onError });
  const requestRecorder = createRequestRecorder(store, { nowMs, onError: warn("requests could not be counted and logged") });
  const keyUse = createKeyUseRecorder(store, warn("key last-used times could not be written"));
  const inventory = await followInventory(store, { nowMs, onError: warn("the ad inventory could not be read; the last known one stays in use") });
  const listening = { address: config.publicUrl };
  const attestation = await openAttestation({ store, nowMs, sealer }, { limiter: networkLimiter, monotonicMs, onError: warn });
  const ads = await openAds(store, {
    inventory,
    tagger: attestation.tagger,
    sharedCountsOf: shards && ((key) => shards.shardOf(shards.slotOf(key)).redis()),
    sealer,
    model: models.newest,
    addresses: () => ({
      cdnUrl: config.cdnUrl ?? `${listening.address}/cdn`,
      trackUrl: config.trackUrl ?? `${listening.address}/t`,
    }),
    nowMs,
    monotonicMs,
    random: Math.random,
    onError: warn,
  });
  const publicUrl = () => listening.address;
  const logMemories = [createFileMemory(config.dataDir, siblings.number), ...(shards ? [createRedisMemory((key) => shards.shardOf(shards.slotOf(key)).redis())] : [])];
  const tileFiles = await openTileFiles(tileFolderOf(config.dataDir, siblings.number), { onError: warn("tiles of the log could not be kept as files; they are read from the database") });
  const egress = openEgress({ loopbackFor: config.webhookLoopbackFor, proxyUrl: config.egressProxyUrl, privateCidrs: config.webhookPrivateCidrs });
  const webhookKey = await openWebhookKey({ store, nowMs, sealer }, log);
  const backgroundContext = { sealer, nowMs, monotonicMs, metrics, warn, publicUrl, marks, models, logMemories, logWitnesses, egress, webhookKey };
  const background = await startBackground(store, { settings: { ...config, prepaidFromMs }, ...backgroundContext });

  return {
    config,
    log,
    version: readVersion(),
    nowMs,
    store,
    /** For what may be a few seconds old, and decides nothing. */
    reports,
    migrated,
    sealer,
    marks,
    metrics,
    /** How many processes serve this node's port. */
    workersStatus: siblings.status,
    /** Which model scores whose sessions. */
    models,
    authenticator,
    limiter: limits.limiter,
    keyUse,
    /** Undefined without Redis: other nodes then read key changes from the store. */
    channel,
    /** Sends queued mails now instead of at the next poll. */
    wakeMailer: background.wakeMailer,
    /** Sends due webhooks now instead of at the next poll. */
    wakeSender: background.wakeSender,
    /** Judges the URLs of endpoints, and sends to them. */
    egress,
    /** Signs events beside the endpoints' own secrets. Undefined if it cannot be read. */
    webhookKey,
    /** Deletes the local copies of mails. */
    deleteMailFiles: background.deleteMailFiles,
    requestRecorder,
    inventory,
    ads,
    /** What pages tell the service itself. */
    attestation,
    /** The service's address: set at the latest when it listens. */
    listening,
    charger,
    logWitnesses,
    /** Complete tiles of the log. */
    tileFiles,
    /** From when on calls that prepaid money does not cover are refused; undefined where the platform pays. */
    prepaidFromMs,
    answerOnce: createAnswerOnce(charger, { readAnswer: createAnswerReader(store, { nowMs }), onWaiterError }),
    /** The states of accounts' money, and whether it is funded. */
    balances: createBalances(store, { ...growthLimitsOf(config), nowMs, monotonicMs, minimumMicroUsd: config.payoutMinimumMicroUsd }),
    /** The queue for reads over many rows: each account takes turns. */
    reportInTurn: createReportTurns(),
    /** Finishes what is under way, then closes everything in reverse order of opening. */
    async close() {
      await charger.drain();
      await ads.close();
      await attestation.close();
      await background.stop();
      follower.stop();
      inventory.stop();
      await keyUse.stop();
      await requestRecorder.stop();
      await channel?.close();
      await limits.stop();
      await closeLimiter();
      await reports.close();
      clock.stop();
      await store.close();
    },
  };
}

/** The parts of a running service. */
export type Deps = Awaited<ReturnType<typeof openDeps>>;
