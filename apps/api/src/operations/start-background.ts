import { hostname } from "node:os";
import { msPerHour, msPerSecond } from "../formats/time.ts";
import { deleteOldMailFiles, removeMailFiles } from "../mail/delete-old-mails.ts";
import { startMailer } from "../mail/send-mails.ts";
import { closeContradictedLog, type LogContext, rememberCheckpoint } from "../money/ledger/log/extend-log.ts";
import type { Witness } from "../money/ledger/log/witness/ask-witnesses.ts";
import type { Sealer } from "../secrets/sealer.ts";
import type { Store } from "../store/store.ts";
import { startSender } from "../webhooks/deliveries/send-deliveries.ts";
import type { WebhookKey } from "../webhooks/deliveries/webhook-key.ts";
import type { Egress } from "../webhooks/egress/post-outwards.ts";
import { type JobSettings, listJobs, listLogJobs, listWitnessJobs } from "./list-jobs.ts";
import { makePartitions } from "./make-partitions.ts";
import type { Metrics } from "./metrics.ts";
import { startJobs } from "./run-jobs.ts";

/** Upkeep begins when the start is over. */
const upkeepDelayMs = 5_000;

export type BackgroundContext = {
  settings: {
    dataDir: string;
    smtpUrl: string | undefined;
    mailFrom: string | undefined;
    clickHoldDays: number;
    callHoldDays: number;
    sessionRetentionDays: number;
    prepaidFromMs: number | undefined;
    creditLimitMicroUsd: number;
    payoutMinimumMicroUsd: number;
    unreviewedMonthlyMicroUsd: number;
    unreviewedTotalMonthlyMicroUsd: number | undefined;
  };
  sealer: Sealer;
  nowMs: () => number;
  monotonicMs: () => number;
  metrics: Metrics;
  publicUrl: () => string | undefined;
  marks: JobSettings["marks"];
  models: JobSettings["models"];
  /** Where this node remembers the log outside of the database. */
  logMemories: LogContext["memories"];
  logWitnesses: readonly Witness[];
  egress: Egress;
  /** Undefined if it cannot be read: then events are signed with their endpoints' secrets only. */
  webhookKey: WebhookKey | undefined;
  warn: (message: string) => (error: unknown) => void;
};

/**
 * Work that each node does for itself: today's partitions must exist before its first call, and the mail files are in
 * its own folder. Everything else is a job that one node does for all (list-jobs.ts).
 */
async function startUpkeep(store: Store, { settings, nowMs, warn }: BackgroundContext): Promise<{ stop: () => Promise<void> }> {
  const { dataDir, sessionRetentionDays: retentionDays } = settings;
  const onError = warn("upkeep of this node failed; it is tried again");
  let running = Promise.resolve();
  let isStopping = false;
  const deleteFiles = () => {
    running = running.then(() => (isStopping ? undefined : deleteOldMailFiles(store, { dataDir, nowMs: nowMs() }))).catch(onError);
  };
  // Without today's partition the default one takes the rows: no reason not to start.
  if (store.dialect === "postgres") await makePartitions(store, { nowMs: nowMs(), retentionDays }).catch(onError);
  const afterStart = setTimeout(deleteFiles, upkeepDelayMs);
  const timer = setInterval(deleteFiles, msPerHour);
  return {
    stop() {
      clearTimeout(afterStart);
      clearInterval(timer);
      isStopping = true;
      return running;
    },
  };
}

const rememberLogMs = 10 * msPerSecond;

/**
 * Every node remembers the newest checkpoint in its own folder, so that whichever node is left notices a database that was
 * put back. On the embedded store the job alone does it.
 */
function startRememberingLog(context: Parameters<typeof closeContradictedLog>[0], onError: (error: unknown) => void): { stop: () => Promise<void> } {
  let running = Promise.resolve();
  let isStopping = false;
  async function keep(): Promise<void> {
    if (isStopping) return;
    await closeContradictedLog(context);
    await rememberCheckpoint(context);
  }
  const timer = setInterval(() => {
    running = running.then(keep).catch(onError);
  }, rememberLogMs);
  return {
    stop() {
      clearInterval(timer);
      isStopping = true;
      return running;
    },
  };
}

/** The host in the name of a first log. */
const hostOf = (url: string | undefined): string => (url === undefined ? "localhost" : new URL(url).hostname);

/** Starts the delivery of mails and events, this node's upkeep, and the jobs. */
export async function startBackground(store: Store, context: BackgroundContext) {
  const { settings, sealer, nowMs, monotonicMs, metrics, publicUrl, marks, models, warn, logMemories: memories, logWitnesses: witnesses, egress, webhookKey: key } = context;
  const { dataDir, sessionRetentionDays: retentionDays } = settings;
  const mailer = startMailer(settings, { store, nowMs, random: Math.random, onError: warn("the outbox could not be read or written") });
  const onSenderError = warn("deliveries of webhooks could not be read, sent or written");
  const sender = startSender({ store, sealer, key, post: egress.post, nowMs, random: Math.random, onAttempt: metrics.countWebhookAttempt, onError: onSenderError });
  const deleteMailFiles = (mailIds: readonly string[]) => removeMailFiles(dataDir, mailIds);
  const upkeep = await startUpkeep(store, context);
  const jobSettings = { ...settings, retentionDays, random: Math.random, deleteMailFiles, wakeMailer: mailer.wake, sealer, publicUrl, marks, models, logWitnesses: witnesses };
  const jobsContext = {
    nowMs,
    monotonicMs,
    holder: `${hostname()}:${process.pid}`,
    onError: warn("a job failed; it is tried again"),
    onRun: metrics.countJob,
  };
  const jobs = await startJobs(store, listJobs(store, jobSettings), jobsContext);
  const logContext = { store, sealer, nowMs, memories, host: () => hostOf(publicUrl()) };
  const logJobs = await startJobs(store, listLogJobs(logContext), jobsContext);
  const witnessJobs = witnesses.length === 0 ? undefined : await startJobs(store, listWitnessJobs({ ...logContext, witnesses }), jobsContext);
  const remembering = store.dialect === "postgres" ? startRememberingLog(logContext, warn("the log's newest checkpoint could not be remembered")) : undefined;
  return {
    wakeMailer: mailer.wake,
    wakeSender: sender.wake,
    deleteMailFiles,
    jobs,
    async stop() {
      // What is being sent may take seconds: the rest stops meanwhile.
      const sent = sender.stop();
      await jobs.stop();
      await logJobs.stop();
      await witnessJobs?.stop();
      await remembering?.stop();
      await upkeep.stop();
      await mailer.stop();
      await sent;
    },
  };
}
