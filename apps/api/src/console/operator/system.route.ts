import { SystemReply } from "@assay/contract/dashboard/operator.ts";
import Type from "typebox";
import { rotateTrackingKey } from "../../ads/serving/rotate-tracking-key.ts";
import { selectTrackingKeys } from "../../ads/serving/tracking-keys.table.ts";
import { isoTime, isoTimeOrNull } from "../../formats/time.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { countMailsByState } from "../../mail/mails.table.ts";
import { selectJobs } from "../../operations/jobs.table.ts";
import type { JobState } from "../../operations/run-jobs.ts";
import { describeDurability } from "../../store/durability.ts";
import { listAppliedMigrations } from "../../store/migrate.table.ts";
import type { OperatorContext } from "./operator-context.ts";

const RotateReply = Type.Object({ id: Type.String(), created_at: Type.String({ format: "date-time" }) });

/** A job runs as long as its lease: if its node dies, it stops counting as running when the lease ends. */
function describeJob(job: JobState, nowMs: number): SystemReply["jobs"][number] {
  const isRunning = job.leased_until > nowMs;
  return {
    name: job.name,
    state: isRunning ? "running" : job.failures > 0 ? "failing" : "waiting",
    holder: job.holder,
    started_at: isRunning ? isoTimeOrNull(job.started_at) : null,
    last_run_at: isoTimeOrNull(job.last_run_at),
    last_success_at: isoTimeOrNull(job.last_success_at),
    last_duration_ms: job.last_duration_ms,
    last_result: job.last_result,
    failures: job.failures,
    next_run_at: isoTime(job.next_run_at),
  };
}

async function readSystem({ store, nowMs, system }: OperatorContext): Promise<SystemReply> {
  const [jobs, mails, trackingKeys, migrations] = await Promise.all([
    selectJobs(store.db).execute(),
    countMailsByState(store.db).execute(),
    selectTrackingKeys(store.db).execute(),
    listAppliedMigrations(store.db).execute(),
  ]);
  const mailsIn = (state: string) => mails.find((row) => row.state === state)?.count ?? 0;
  return {
    version: system.version,
    model_version: system.modelVersion,
    store: store.dialect,
    limits: system.limiterMode(),
    uptime_seconds: Math.round((nowMs() - system.startedMs) / 1_000),
    memory_bytes: process.memoryUsage.rss(),
    commit_queue: system.commitQueueDepth(),
    durability: describeDurability(store, performance.now()),
    migrations: migrations.map((row) => row.name),
    jobs: jobs.map((job) => describeJob(job, nowMs())),
    mail: { transport: system.mailTransport, waiting: mailsIn("queued"), failed: mailsIn("failed") },
    tracking_keys: trackingKeys.map((key) => ({ id: key.id, created_at: isoTime(key.created_at), retired_at: isoTimeOrNull(key.retired_at) })),
  };
}

export function addSystemRoutes(app: TypedApp, context: OperatorContext): void {
  const { store, nowMs } = context;
  app.get("/system", { schema: { hide: true, response: { 200: SystemReply } }, handler: () => readSystem(context) });
  app.post("/tracking-keys/rotate", {
    schema: { hide: true, response: { 200: RotateReply } },
    async handler({ signedIn }) {
      const { id, createdMs } = await rotateTrackingKey(store, { actorAccountId: signedIn.accountId, nowMs: nowMs() });
      return { id, created_at: isoTime(createdMs) };
    },
  });
}
