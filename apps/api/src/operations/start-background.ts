import { hostname } from "node:os";
import { removeMailFiles } from "../mail/delete-old-mails.ts";
import { startMailer } from "../mail/send-mails.ts";
import type { Store } from "../store/store.ts";
import { listJobs } from "./list-jobs.ts";
import type { Metrics } from "./metrics.ts";
import { type RunningJobs, startJobs } from "./run-jobs.ts";
import { startUpkeep } from "./start-upkeep.ts";

export type Background = {
  /** Says that a mail was put into the outbox. */
  wakeMailer: () => void;
  /** Removes the local copies of mails. */
  deleteMailFiles: (mailIds: readonly string[]) => Promise<void>;
  jobs: Pick<RunningJobs, "seen">;
  stop: () => Promise<void>;
};

export type BackgroundContext = {
  settings: {
    dataDir: string;
    smtpUrl: string | undefined;
    mailFrom: string | undefined;
    clickHoldDays: number;
    sessionRetentionDays: number;
  };
  nowMs: () => number;
  monotonicMs: () => number;
  metrics: Metrics;
  publicUrl: () => string | undefined;
  warn: (message: string) => (error: unknown) => void;
};

/** What goes on beside the calls: mail, this node's own upkeep, and the jobs that are done once for all nodes. */
export async function startBackground(store: Store, context: BackgroundContext): Promise<Background> {
  const { settings, nowMs, monotonicMs, metrics, publicUrl, warn } = context;
  const { dataDir, clickHoldDays, sessionRetentionDays: retentionDays } = settings;
  const mailer = startMailer(settings, { store, nowMs, random: Math.random, onError: warn("the outbox could not be read or written") });
  const deleteMailFiles = (mailIds: readonly string[]) => removeMailFiles(dataDir, mailIds);
  const upkeep = await startUpkeep(store, { nowMs, retentionDays, dataDir, onError: warn("upkeep of this node failed; it is tried again") });
  const jobSettings = { clickHoldDays, retentionDays, random: Math.random, deleteMailFiles, wakeMailer: mailer.wake, publicUrl };
  const jobs = await startJobs(store, listJobs(store, jobSettings), {
    nowMs,
    monotonicMs,
    holder: `${hostname()}:${process.pid}`,
    onError: warn("a job failed; it is tried again"),
    onRun: metrics.countJob,
  });
  return {
    wakeMailer: mailer.wake,
    deleteMailFiles,
    jobs,
    async stop() {
      await jobs.stop();
      await upkeep.stop();
      await mailer.stop();
    },
  };
}
