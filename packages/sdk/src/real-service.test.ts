import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { makeAccount } from "../../../apps/api/test/make-account.ts";
import { makeTestFolder, startService, type TestService } from "../../../apps/api/test/start-service.ts";
import { Assay, AssayError } from "./assay.ts";

const signals = { user_engagement: 0.75, session_duration: 180, scroll_depth: 0.8, interaction_count: 12, page_views: 5, return_visitor: true };

describe("the SDK and the real service", () => {
  let service: TestService;
  let live: Assay;
  let test: Assay;

  before(async () => {
    service = await startService({ dataDir: makeTestFolder() });
    const account = await makeAccount({ dataDir: service.dataDir, databaseUrl: undefined });
    live = new Assay({ apiKey: account.liveKey, baseUrl: service.url, attemptsMax: 2 });
    test = new Assay({ apiKey: account.testKey, baseUrl: service.url, attemptsMax: 2 });
  });
  after(() => service?.stop());

  async function failureOf(call: Promise<unknown>): Promise<AssayError> {
    const error: unknown = await call.then(() => assert.fail("the call succeeded"), (reason: unknown) => reason);
    assert.ok(error instanceof AssayError, String(error));
    return error;
  }

  it("agree on every method", async () => {
    const verdict = await live.predict(signals);
    assert.match(verdict.meta.receipt ?? "", /^1\.[0-9a-f]{64}$/);
    assert.match(verdict.meta.requestId ?? "", /^req_/);
    const short = await live.score(signals);
    assert.deepEqual([short.service_score, short.confidence], [verdict.service_score, verdict.confidence]);
    const explained = await live.analyze(signals);
    const sum = explained.contributions.reduce((total, { points }) => total + points, explained.base_value);
    assert.equal(sum, explained.unrounded_score);
    const recorded = await live.reportOutcome(verdict.session_id, "converted");
    assert.equal(recorded.outcome, "converted");
    const again = await live.session(verdict.session_id);
    assert.deepEqual([again.service_score, again.outcome, again.signals], [verdict.service_score, "converted", signals]);
    const traffic = await live.analyzeTraffic();
    assert.equal(traffic.sessions, 3);
    assert.match(traffic.meta.receipt ?? "", /^4\./);
  });

  it("agree that a repeated idempotency key replays the call, and that another call under it is a conflict", async () => {
    const first = await live.predict(signals, { idempotencyKey: "order-1" });
    const second = await live.predict(signals, { idempotencyKey: "order-1" });
    assert.deepEqual([second.session_id, second.meta.receipt, second.meta.replayed], [first.session_id, first.meta.receipt, true]);
    const conflict = await failureOf(live.score(signals, { idempotencyKey: "order-1" }));
    assert.deepEqual([conflict.code, conflict.status, conflict.isRetryable], ["idempotency_conflict", 409, false]);
  });

  it("agree on errors", async () => {
    const personal = await failureOf(live.predict({ ...signals, email: "somebody" } as typeof signals));
    assert.deepEqual([personal.code, personal.status, personal.attempts], ["personal_data", 400, 1]);
    assert.equal((await failureOf(live.predict({ ...signals, user_engagement: 2 }))).code, "invalid_request");
    assert.equal((await failureOf(live.session("sess_00000000000000000000"))).code, "not_found");
    const limited = await failureOf(test.predict(signals, { testScenario: "rate_limited" }));
    assert.deepEqual([limited.code, limited.retryAfterSeconds, limited.isRetryable], ["rate_limit_exceeded", 60, true]);
    const broken = await failureOf(test.predict(signals, { testScenario: "server_error" }));
    assert.deepEqual([broken.code, broken.attempts], ["internal_error", 2]);
  });

  it("agree on ads and on requests without an ad", async () => {
    const none = await test.requestAd({ format: "native" }, { testScenario: "no_fill" });
    assert.deepEqual([none.ad, none.noFillReason], [null, "test_scenario"]);
    assert.equal((await failureOf(live.requestAd({ user_context: { app_category: "no spaces please" } }))).code, "invalid_request");
  });
});
