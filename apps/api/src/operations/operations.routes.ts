import { attestationRules, HealthReply, StatusReply, UnavailableReply } from "@assay/contract/operations.ts";
import { trustThresholds } from "@assay/scoring/trust-level.ts";
import Type from "typebox";
import { Failure } from "../failure/failure.ts";
import { usdOf } from "../formats/money.ts";
import { isoTime, msPerSecond } from "../formats/time.ts";
import { describeFailures } from "../http/describe-failures.ts";
import { isLoopback } from "../http/is-loopback.ts";
import { isToken } from "../http/is-token.ts";
import type { TypedApp } from "../http/typed-app.ts";
import { countOverdue } from "../money/findings/alert-overdue.ts";
import type { GrowthLimits } from "../money/growth/read-growth.ts";
import { readLogStatus } from "../money/ledger/log/witness/read-log-status.ts";
import type { Witness } from "../money/ledger/log/witness/ask-witnesses.ts";
import type { Balances } from "../money/payouts/read-balance.ts";
import { callPriceMicroUsd, describeTier } from "../money/price.ts";
import { joinReads } from "../queues/join-reads.ts";
import { selectTiers } from "../register/tiers.table.ts";
import { describeModels } from "../scoring/models/describe-models.ts";
import type { Models } from "../scoring/models/choose-model.ts";
import { describeDurability } from "../store/durability.ts";
import type { CallPayer } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { Reports } from "../store/reports/report-source.ts";
import { StoreInTrouble } from "../store/watch-writes.ts";
import type { Metrics } from "./metrics.ts";
import type { WorkersStatus } from "./siblings.ts";

export type OperationsContext = {
  store: Store;
  reports: Reports;
  nowMs: () => number;
  metrics: Metrics;
  metricsToken: string | undefined;
  isLocal: boolean;
  version: string;
  models: Models;
  payer: CallPayer;
  prepaidFromMs: number | undefined;
  balances: Balances;
  payoutRules: GrowthLimits & { callHoldDays: number; clickHoldDays: number; payoutMinimumMicroUsd: number; payeeChangeHoldDays: number; payoutFourEyes: boolean };
  /** Whether anybody may read the log. */
  isLogPublished: boolean;
  logWitnesses: readonly Witness[];
  workersStatus: () => WorkersStatus;
  isStarting: () => boolean;
  isDraining: () => boolean;
};

const storeAnswersMs = 1_000;

export const payerExplained: Record<CallPayer, string> = {
  platform: "Calls are paid from the operator's funds; the developer earns a share of each.",
  developer: "The developer's account is charged for each call and credited its share.",
};

/** The reason why the node is not ready; undefined when it is. */
async function findUnreadiness(context: OperationsContext): Promise<string | undefined> {
  if (context.isStarting()) return "starting";
  if (context.isDraining()) return "draining";
  const late = new Promise<string>((resolve) => {
    setTimeout(() => resolve("the store does not answer"), storeAnswersMs).unref();
  });
  const answered = context.store.ping().then(
    () => undefined,
    (error: unknown) => (error instanceof StoreInTrouble ? `the store cannot be written to: ${error.message}` : "the store does not answer"),
  );
  return Promise.race([answered, late]);
}

const metricsExample = `# HELP assay_commit_failures_total Batches that were not billed.
# TYPE assay_commit_failures_total counter
assay_commit_failures_total 0
`;

export function addOperationsRoutes(app: TypedApp, context: OperationsContext): void {
  const tags = ["Operations"];
  /** Anybody may ask, as often as they like. */
  const readStatus = joinReads(() => {
    const { store, balances, nowMs, logWitnesses: witnesses } = context;
    return Promise.all([
      selectTiers(store.db).execute(),
      balances.funding(),
      countOverdue(store, nowMs()),
      context.isLogPublished ? readLogStatus(store, { witnesses, nowMs: nowMs() }) : null,
    ]);
  });
  app.get("/health/live", {
    schema: {
      operationId: "live",
      summary: "Whether the process runs",
      description: "For supervisors that restart processes: 200 as long as the process answers, also while it drains.",
      tags,
      response: { 200: HealthReply },
    },
    handler: () => ({ status: "ok" as const }),
  });
  app.get("/health/ready", {
    schema: {
      operationId: "ready",
      summary: "Whether calls can be served",
      description: "503 while the store does not answer or accept writes, or while the server drains.",
      tags,
      response: { 200: HealthReply, 503: UnavailableReply },
    },
    async handler(_request, reply) {
      const reason = await findUnreadiness(context);
      if (reason === undefined) return { status: "ok" as const };
      return reply.code(503).header("retry-after", "1").send({ status: "unavailable" as const, reason });
    },
  });
  app.get("/api/status", {
    schema: {
      operationId: "status",
      summary: "Version, price, tiers and thresholds",
      description: "What a caller may want to know before the first call, and to check after a release.",
      tags,
      response: { 200: StatusReply, ...describeFailures(["internal_error", "overloaded"]) },
    },
    async handler() {
      const { payoutRules: rules, store } = context;
      const [tiers, { isFunded }, findings, log] = await readStatus();
      const reports = context.reports.status();
      return {
        version: context.version,
        model_version: context.models.newest.version,
        models: describeModels(context.models),
        uptime_seconds: Math.floor(process.uptime()),
        workers: context.workersStatus(),
        price_usd: usdOf(callPriceMicroUsd),
        payer: context.payer,
        payer_explained: payerExplained[context.payer],
        prepaid_from: context.prepaidFromMs === undefined ? null : isoTime(context.prepaidFromMs),
        thresholds: trustThresholds,
        tiers: tiers.map(describeTier),
        payout_rules: {
          call_hold_days: rules.callHoldDays,
          click_hold_days: rules.clickHoldDays,
          unreviewed_monthly_usd: usdOf(rules.unreviewedMonthlyMicroUsd),
          unreviewed_total_monthly_usd: rules.unreviewedTotalMonthlyMicroUsd === undefined ? null : usdOf(rules.unreviewedTotalMonthlyMicroUsd),
          payout_minimum_usd: usdOf(rules.payoutMinimumMicroUsd),
          payee_change_hold_days: rules.payeeChangeHoldDays,
          four_eyes: rules.payoutFourEyes ? ("on" as const) : ("off" as const),
          funded: isFunded,
        },
        attestation: attestationRules,
        reports: { from: reports.from, stale_seconds_max: reports.staleMsMax / msPerSecond },
        durability: describeDurability(store, performance.now()),
        findings: { overdue: findings.overdue, oldest_days: findings.oldestDays },
        log,
      };
    },
  });
  app.get("/metrics", {
    schema: {
      operationId: "metrics",
      summary: "Prometheus metrics",
      description: "Without METRICS_TOKEN, from this machine only. With it, with `Authorization: Bearer METRICS_TOKEN` only.",
      tags,
      response: {
        200: { description: "Prometheus' text format.", content: { "text/plain": { schema: Type.String({ examples: [metricsExample] }) } } },
        ...describeFailures(["forbidden"]),
      },
    },
    async handler(request, reply) {
      const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
      const { metricsToken } = context;
      const allowed = metricsToken === undefined ? isLoopback(request, context) : given !== undefined && isToken(given, metricsToken);
      if (!allowed) throw new Failure("forbidden", "Metrics are for this machine, or with METRICS_TOKEN.");
      return reply.type(context.metrics.contentType).send(await context.metrics.text());
    },
  });
}
