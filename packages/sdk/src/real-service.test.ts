import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openStore } from "../../../apps/api/src/store/open-store.ts";
import { makeAccount } from "../../../apps/api/test/make-account.ts";
import { makeTestFolder, startService, type TestService } from "../../../apps/api/test/start-service.ts";
import { Assay, AssayError } from "./assay.ts";
import { attestSession, makeSite } from "./testing/attest-session.ts";
import { startFaultProxy } from "./testing/fault-proxy.ts";

const signals = { user_engagement: 0.75, session_duration: 180, scroll_depth: 0.8, interaction_count: 12, page_views: 5, return_visitor: true };

describe("the SDK and the real service", () => {
  let service: TestService;
  let live: Assay;
  let test: Assay;

  const origin = "https://shop.example";
  let siteId: string;
  let liveKey: string;
  /** A token that was never used. */
  const attest = () => attestSession(service.url, { siteId, origin });

  before(async () => {
    const settings = { dataDir: makeTestFolder(), databaseUrl: undefined };
    const { store } = await openStore(settings, { nowMs: Date.now(), onConnectionError: () => {} });
    const account = await makeAccount(store);
    ({ liveKey } = account);
    siteId = await makeSite(store, { accountId: account.accountId, origins: [origin] });
    await store.close();
    service = await startService(settings);
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
    assert.equal(explained.by_signal.reduce((total, { points }) => total + points, explained.base_value), explained.unrounded_score);
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

  it("agree on an attested session, which the service has measured and the caller need not", async () => {
    const report = { session_data: { return_visitor: true, interaction_count: 900 }, session_token: await attest(), sequence: 1 };
    const tried = await test.analyze(report);
    const verdict = await live.predict(report);
    const measured = { user_engagement: 1, session_duration: 3, scroll_depth: 0.5, interaction_count: 3, page_views: 2 };
    for (const answer of [tried, verdict, await live.session(verdict.session_id)]) {
      assert.deepEqual([answer.attestation, answer.attested, answer.attestation_issues], ["server_timed", Object.keys(measured), []]);
    }
    assert.deepEqual((await live.session(verdict.session_id)).signals, { ...measured, return_visitor: true });
    const again = await live.predict(signals, { sessionToken: report.session_token });
    assert.deepEqual([again.attestation, again.attested, again.attestation_issues], ["asserted", [], ["token_used"]]);
    const used = await failureOf(live.score(report));
    assert.deepEqual([used.code, used.status, used.isRetryable, used.attempts], ["session_token_used", 409, false, 1]);
  });

  it("agree that a retry after a lost answer gets the attested answer, and uses the session once", async (t) => {
    const sessionToken = await attest();
    const left = ["cut_after" as const];
    const proxy = await startFaultProxy(service.url, { choose: () => left.shift() ?? "none", between: (from) => from, lateMs: 0 });
    t.after(() => proxy.close());
    const throughFaults = new Assay({ apiKey: liveKey, baseUrl: proxy.url });
    const first = await throughFaults.predict({ session_data: {}, session_token: sessionToken }, { idempotencyKey: "visit-1" });
    assert.deepEqual([first.attestation, first.meta.attempts, first.meta.replayed], ["server_timed", 2, true]);
    const later = await failureOf(live.predict({ session_data: {}, session_token: sessionToken }));
    assert.equal(later.code, "session_token_used");
  });

  it("agree on tokens that nobody issued, and on the scenario of a used one", async () => {
    const token = await attest();
    // The last character may hold bits that mean nothing.
    const [head, tail] = [token.slice(0, -2), token.at(-1)!];
    const forged = `${head}${token.at(-2) === "A" ? "B" : "A"}${tail}`;
    const invalid = await failureOf(live.predict(signals, { sessionToken: forged }));
    assert.deepEqual([invalid.code, invalid.status, invalid.isRetryable], ["invalid_request", 400, false]);
    const used = await failureOf(test.predict(signals, { testScenario: "session_token_used" }));
    assert.deepEqual([used.code, used.status], ["session_token_used", 409]);
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
