import { releasedModels } from "@assay/scoring/released-models.ts";
import fastify from "fastify";
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { before, describe, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { makeAccount } from "../../test/make-account.ts";
import { growthLimits } from "../../test/money/growth-limits.ts";
import { readLedger } from "../../test/read-ledger.ts";
import { goodBody, predict, send, waitUntil } from "../../test/send.ts";
import type { TestService } from "../../test/start-service.ts";
import type { TypedApp } from "../http/typed-app.ts";
import { createBalances } from "../money/payouts/read-balance.ts";
import { createModels } from "../scoring/models/choose-model.ts";
import { reportsFrom } from "../store/reports/report-source.ts";
import type { Store } from "../store/store.ts";
import { createMetrics } from "./metrics.ts";
import { alone } from "./siblings.ts";
import { addOperationsRoutes } from "./operations.routes.ts";

const { version } = JSON.parse(readFileSync(new URL("../../../../package.json", import.meta.url), "utf8")) as { version: string };
const metricsToken = "a-token-for-the-metrics";

describeBothStores("the free endpoints", (open) => {
  let database: TestDatabase;
  let service: TestService;
  let guarded: TestService;

  before(async () => {
    database = await open();
    await makeAccount(database.store);
    [service, guarded] = await Promise.all([
      database.serve(),
      database.serve({ env: { METRICS_TOKEN: metricsToken, CALL_PAYER: "developer" } }),
    ]);
  });

  it("answer without a key", async () => {
    for (const path of ["/health/live", "/health/ready"]) {
      const answer = await send(service, path);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.json(), { status: "ok" });
    }
    for (const path of ["/api/status", "/openapi.json", "/docs/", "/metrics"]) {
      assert.equal((await send(service, path)).status, 200, path);
      assert.equal((await send(service, path, { method: "HEAD" })).status, 200, path);
    }
  });

  it("report version, price, payer, thresholds and tiers", async () => {
    const { uptime_seconds: uptime, model_version: model, models, log, ...status } = (await send(service, "/api/status")).json();
    assert.equal((log as { size: number } | null)?.size ?? 0, 0, "a job opens the log when it first runs");
    assert(Number.isInteger(uptime) && (uptime as number) >= 0);
    const account = await makeAccount(database.store);
    assert.equal(model, (await predict(service, account.liveKey)).json().model_version);
    assert.deepEqual((models as { version: string; released: string }[]).map(({ version: each, released }) => [each, released]), releasedModels.map((each) => [each.model.version, each.released]));
    assert.equal((models as { sunset: string | null }[]).at(-1)!.sunset, null);
    assert.deepEqual(status, {
      version,
      workers: { configured: 1, ready: 1, restarts: 0 },
      price_usd: 0.05,
      payer: "platform",
      payer_explained: "Calls are paid from the operator's funds; the developer earns a share of each.",
      prepaid_from: null,
      payout_rules: { call_hold_days: 14, click_hold_days: 7, unreviewed_monthly_usd: 350, unreviewed_total_monthly_usd: null, payout_minimum_usd: 50, payee_change_hold_days: 7, four_eyes: "off", funded: false },
      // As docs/attestation.md says them.
      attestation: {
        next_ms: [{ min: 3_000, max: 6_000 }, { min: 8_000, max: 12_000 }, { min: 20_000, max: 30_000 }],
        attested_from_ms: 3_000,
        clock_tolerance_ms: 1_000,
        late_after_ms: 45_000,
        late_credit_ms_max: 30_000,
        token_life_ms: 1_800_000,
        session_life_ms: 86_400_000,
        network_quota: { per_minute: 20, per_hour: 120 },
        site_quota: { per_minute: 2_000, per_hour: 60_000 },
      },
      durability: {
        store: database.dialect === "sqlite" ? "embedded" : "postgres",
        survives_loss_of_primary: "no",
        explained: database.dialect === "sqlite"
          ? "The store is on one disk. What was acknowledged survives a crash of the machine, and after the loss of its disk only as far as backups go."
          : "PostgreSQL acknowledges a commit without waiting for a standby: when the primary is lost, what it acknowledged last may be lost with it.",
      },
      reports: { from: "primary", stale_seconds_max: 0 },
      findings: { overdue: 0, oldest_days: 0 },
      thresholds: { high: 70, medium: 40 },
      tiers: [
        { name: "Starter", per_hour: 1_000, per_minute: 50, per_hour_reachable: 1_000, share_percent: 68, earns_usd_per_call: 0.034 },
        { name: "Growth", per_hour: 10_000, per_minute: 200, per_hour_reachable: 10_000, share_percent: 69, earns_usd_per_call: 0.0345 },
        { name: "Scale", per_hour: 100_000, per_minute: 1_000, per_hour_reachable: 60_000, share_percent: 70, earns_usd_per_call: 0.035 },
      ],
    });
    const other = (await send(guarded, "/api/status")).json();
    assert.deepEqual([other.payer, other.payer_explained], ["developer", "The developer's account is charged for each call and credited its share."]);
  });

  it("expose metrics of calls, failures, durations, commits, the queue and the limiter", async () => {
    const account = await makeAccount(database.store);
    await predict(service, account.liveKey);
    await predict(service, account.liveKey, { body: "{" });
    await predict(service, undefined);
    await send(service, "/api/nothing/that-nobody-may-see");
    const answer = await send(service, "/metrics");
    assert.match(String(answer.headers["content-type"]), /^text\/plain; version=0\.0\.4/);
    for (const series of [
      /^assay_calls_total\{route="\/api\/ml\/predict",status="200"\} [1-9]/m,
      /^assay_calls_total\{route="\/api\/ml\/predict",status="400"\} [1-9]/m,
      /^assay_calls_total\{route="\/api\/ml\/predict",status="401"\} [1-9]/m,
      /^assay_failures_total\{code="invalid_request"\} [1-9]/m,
      /^assay_failures_total\{code="invalid_api_key"\} [1-9]/m,
      /^assay_failures_total\{code="not_found"\} [1-9]/m,
      /^assay_call_duration_seconds_bucket\{le="0\.005",route="\/api\/ml\/predict"\} \d/m,
      /^assay_call_duration_seconds_count\{route="\/api\/ml\/predict"\} [1-9]/m,
      /^assay_commit_batch_size_sum [1-9]/m,
      /^assay_commit_duration_seconds_count [1-9]/m,
      /^assay_commit_failures_total 0$/m,
      /^assay_commit_queue_depth 0$/m,
      /^assay_limiter_mode\{mode="memory"\} 1$/m,
      /^assay_limiter_mode\{mode="redis"\} 0$/m,
      /^process_resident_memory_bytes \d/m,
    ]) {
      assert.match(answer.text, series);
    }
    assert(!answer.text.includes("nobody-may-see"), "paths are not labels");
  });

  it("show metrics to this machine only, not through a proxy or under another host name [threat: local-only-page]", async () => {
    const { port } = new URL(service.url);
    const statusWith = async (headers: Record<string, string>) => (await send(service, "/metrics", { headers })).status;
    assert.equal(await statusWith({}), 200);
    assert.equal(await statusWith({ host: `localhost:${port}` }), 200);
    for (const header of ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"]) {
      assert.equal(await statusWith({ [header]: "127.0.0.1" }), 403, header);
    }
    for (const host of ["assay.example.com", `127.0.0.1.example.com:${port}`, "localhost.example.com"]) {
      assert.equal(await statusWith({ host }), 403, host);
    }
    assert.equal(await statusWith({ authorization: "Bearer anything", "x-forwarded-for": "1.2.3.4" }), 403);
    const refused = await send(service, "/metrics", { headers: { via: "1.1 proxy" } });
    assert.deepEqual(refused.json(), { error: "forbidden", message: "Metrics are for this machine, or with METRICS_TOKEN." });
  });

  it("show metrics only with the token when one is set", async () => {
    const statusWith = async (headers: Record<string, string>) => (await send(guarded, "/metrics", { headers })).status;
    assert.equal(await statusWith({ authorization: `Bearer ${metricsToken}`, "x-forwarded-for": "1.2.3.4", host: "assay.example.com" }), 200);
    assert.equal(await statusWith({}), 403, "not even this machine");
    for (const authorization of ["Bearer wrong", `Bearer ${metricsToken}x`, metricsToken, `Basic ${metricsToken}`, "Bearer "]) {
      assert.equal(await statusWith({ authorization }), 403, authorization);
    }
  });

  it("answer 503 while the server drains, which then exits cleanly", async () => {
    const node = await database.serve();
    assert.equal((await send(node, "/health/ready")).status, 200);
    const stopped = node.stop();
    const seen = new Set<string>();
    for (let isServing = true; isServing; ) {
      const answer = await send(node, "/health/ready").catch(() => undefined);
      isServing = answer !== undefined;
      if (answer && answer.status !== 200) {
        seen.add(`${answer.status} ${String(answer.headers.connection)} ${String(answer.headers["retry-after"])} ${answer.text}`);
      }
    }
    assert.deepEqual([...seen], [`503 close 1 {"status":"unavailable","reason":"draining"}`]);
    assert.equal(await stopped, 0);
  });

  it("and all others answer a request that was in flight when the port closed", async () => {
    const account = await makeAccount(database.store);
    const node = await database.serve();
    const { hostname, port } = new URL(node.url);
    const socket = connect(Number(port), hostname).setEncoding("utf8");
    let received = "";
    socket.on("data", (text: string) => {
      received += text;
    });
    await once(socket, "connect");
    const body = JSON.stringify(goodBody);
    socket.write("POST /api/ml/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n");
    // Its answer shows that the server has read the bytes sent before.
    await send(node, "/health/live");
    const stopped = node.stop();
    await waitUntil(() => send(node, "/health/live", { headers: { connection: "close" } }).then(() => false, () => true), "the port is closed");
    socket.write(`X-API-Key: ${account.liveKey}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    await once(socket, "close");
    assert.match(received, /^HTTP\/1\.1 200 /);
    assert.match(received, /connection: close/i);
    assert.match(received, /assay-receipt: 1\./i);
    assert.equal(await stopped, 0);
    assert.equal((await readLedger(database.store, account.accountId)).length, 1);
  });
});

describe("readiness", () => {
  /** The routes alone, on a store that can only be pinged. */
  function appWith(ping: Store["ping"], isStarting = false): TypedApp {
    const app = fastify() as unknown as TypedApp;
    addOperationsRoutes(app, {
      store: { ping } as Store,
      reports: reportsFrom({ ping } as unknown as Store),
      nowMs: Date.now,
      metrics: createMetrics({ commitQueueDepth: () => 0, nowMs: Date.now, jobs: () => [], countOverdueFindings: () => Promise.resolve(0), measureLog: async () => ({ size: 7, newestMs: 0, waiting: 2 }), reportLagMs: undefined, measureDeliveries: async () => ({ pending: 0, oldestDueMs: 0 }), readWitnessStates: undefined, countUnpartitionedRows: undefined }),
      metricsToken: undefined,
      isLogPublished: false,
      logWitnesses: [],
      isLocal: true,
      version,
      models: createModels(releasedModels, []),
      payer: "platform",
      prepaidFromMs: undefined,
      balances: createBalances({} as Store, { ...growthLimits, nowMs: Date.now, monotonicMs: Date.now, minimumMicroUsd: 0 }),
      payoutRules: { ...growthLimits, callHoldDays: 14, clickHoldDays: 7, payoutMinimumMicroUsd: 0, payeeChangeHoldDays: 7, payoutFourEyes: true },
      isStarting: () => isStarting,
      isDraining: () => false,
      workersStatus: alone.status,
    });
    return app;
  }

  it("is 503 until the start is over, while the process is live", async () => {
    const app = appWith(() => Promise.resolve(), true);
    const ready = await app.inject("/health/ready");
    assert.deepEqual([ready.statusCode, ready.json()], [503, { status: "unavailable", reason: "starting" }]);
    assert.equal((await app.inject("/health/live")).statusCode, 200);
  });

  for (const [what, ping] of [
    ["fails", () => Promise.reject(new Error("secret-of-the-inside"))],
    ["never answers", () => new Promise<void>(() => {})],
  ] as const) {
    it(`is 503 when the store ${what}, while the process stays live`, async () => {
      const app = appWith(ping);
      const ready = await app.inject("/health/ready");
      assert.equal(ready.statusCode, 503);
      assert.deepEqual(ready.json(), { status: "unavailable", reason: "the store does not answer" });
      assert.equal((await app.inject("/health/live")).statusCode, 200);
    });
  }
});
