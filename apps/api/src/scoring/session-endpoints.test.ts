import { currentModel } from "@assay/scoring/current-model.ts";
import { signalNames } from "@assay/scoring/signals.ts";
import { type TrustLevel, trustLevels } from "@assay/scoring/trust-level.ts";
import fc from "fast-check";
import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { makeAccount, type TestAccount, vastTier } from "../../test/make-account.ts";
import { readLedger, receiptOf } from "../../test/read-ledger.ts";
import { type Answer, goodBody, goodSignals, predict } from "../../test/send.ts";
import type { TestService } from "../../test/start-service.ts";

type Analysis = {
  service_score: number;
  base_value: number;
  contributions: { signal: string; value: number | boolean | null; points: number }[];
  by_signal: { signal: string; points: number }[];
  would_raise: { signal: string; from: number | boolean; to: number | boolean; score: number }[];
  unrounded_score: number;
  interval: [number, number];
  reasons: { code: string; message: string }[];
  thresholds: unknown;
};

const anySignals = fc.record(
  {
    user_engagement: fc.double({ min: 0, max: 1, noNaN: true }),
    session_duration: fc.oneof(fc.double({ min: 0, max: 31_536_000, noNaN: true }), fc.integer({ min: 0, max: 4_000 })),
    scroll_depth: fc.double({ min: 0, max: 1, noNaN: true }),
    interaction_count: fc.oneof(fc.nat(100), fc.nat(2_147_483_647)),
    page_views: fc.oneof(fc.nat(40), fc.nat(2_147_483_647)),
    return_visitor: fc.boolean(),
  },
  { requiredKeys: ["user_engagement", "session_duration"] },
);

const paths = { predict: "/api/ml/predict", score: "/api/ml/score", analyze: "/api/ml/analyze" };
type Endpoint = keyof typeof paths;

const scenarioHeader = (scenario: string) => ({ "assay-test-scenario": scenario });

/** Every number is a short binary fraction, so the sum is exact in any order. */
function assertAddsUp(analysis: Analysis): void {
  const sum = analysis.contributions.reduceRight((total, { points }) => total + points, analysis.base_value);
  assert.equal(sum, analysis.unrounded_score);
  assert.equal(analysis.by_signal.reduceRight((total, { points }) => total + points, analysis.base_value), analysis.unrounded_score);
  assert.deepEqual(analysis.by_signal.slice(0, 7).map(({ signal }) => signal), [...signalNames, "plausibility"]);
  assert.equal(Math.round(analysis.unrounded_score * 10) / 10, analysis.service_score);
  const [low, high] = analysis.interval;
  assert(low <= analysis.service_score && analysis.service_score <= high, JSON.stringify(analysis.interval));
}

describeBothStores("the endpoints that score a session", (open) => {
  let database: TestDatabase;
  let service: TestService;
  let account: TestAccount;

  before(async () => {
    database = await open();
    account = await makeAccount(database.store, { tier: vastTier });
    service = await database.serve();
  });

  type Options = { key?: string; body?: unknown; headers?: Record<string, string> };
  const call = (endpoint: Endpoint, { key = account.liveKey, ...rest }: Options = {}): Promise<Answer> =>
    predict(service, key, { path: paths[endpoint], ...rest });

  it("score answers in the short form with the score of predict", async () => {
    const full = (await call("predict")).json();
    const answer = await call("score");
    assert.equal(answer.status, 200);
    const { session_id: sessionId, processing_time_ms: ms, ...rest } = answer.json();
    assert.match(sessionId as string, /^sess_[0-9A-Za-z]{20,}$/);
    assert(typeof ms === "number" && ms >= 0);
    assert.deepEqual(rest, {
      service_score: full.service_score,
      trust_level: full.trust_level,
      revenue_attribution: 0.035,
      attribution_confidence: full.confidence,
      recommendation: full.recommendation,
      model_version: full.model_version,
      calibration: "shipped",
      attestation: "asserted",
      attested: [],
      attestation_issues: [],
    });
  });

  it("analyze answers all fields of predict and explains the score", async () => {
    const full = (await call("predict")).json();
    const answer = await call("analyze");
    assert.equal(answer.status, 200);
    const analysis = answer.json();
    assert.deepEqual(Object.keys(analysis).slice(0, Object.keys(full).length), Object.keys(full));
    for (const name of ["service_score", "trust_level", "confidence", "revenue_attribution", "recommendation", "model_version"]) {
      assert.equal(analysis[name], full[name], name);
    }
    const { contributions, reasons, thresholds } = analysis as unknown as Analysis;
    assert.deepEqual(thresholds, { high: 70, medium: 40 });
    const valueOf = Object.fromEntries(contributions.map(({ signal, value }) => [signal, value]));
    for (const [name, value] of Object.entries(goodSignals)) assert.equal(valueOf[name], value, name);
    assert.equal(contributions.at(-1)!.signal, "plausibility");
    for (const { code, message } of reasons) assert(/^[a-z_]+$/.test(code) && message !== "");
  });

  it("analyze adds up to the score for any session", async () => {
    const sessions = fc.sample(anySignals, { numRuns: 150, seed: 7 });
    for (const signals of sessions) {
      const answer = await call("analyze", { body: { session_data: signals } });
      assert.equal(answer.status, 200, answer.text);
      const analysis = answer.json() as unknown as Analysis;
      assertAddsUp(analysis);
      assert.equal(analysis.service_score, currentModel.score(signals).serviceScore);
    }
  });

  it("analyze names changes that lift the level, as the API itself answers them", async () => {
    let named = 0;
    for (const signals of fc.sample(anySignals, { numRuns: 120, seed: 8 })) {
      const analysis = (await call("analyze", { body: { session_data: signals } })).json() as unknown as Analysis & { trust_level: TrustLevel };
      for (const { signal, from, to, score } of analysis.would_raise) {
        named += 1;
        assert.equal(from, signals[signal as keyof typeof signals]);
        const after = await call("predict", { body: { session_data: { ...signals, [signal]: to } } });
        assert.equal(after.status, 200, after.text);
        const { service_score: shown, trust_level: level } = after.json();
        assert.equal(shown, score);
        assert.ok(trustLevels.indexOf(level as TrustLevel) < trustLevels.indexOf(analysis.trust_level));
      }
    }
    assert.ok(named > 10, `only ${named}`);
  });

  it("explains an impossible session by the plausibility gate", async () => {
    const body = { session_data: { user_engagement: 1, session_duration: 1, interaction_count: 10_000 } };
    const analysis = (await call("analyze", { body })).json() as unknown as Analysis & { recommendation: string };
    assertAddsUp(analysis);
    assert(analysis.service_score <= 10);
    assert.equal(analysis.recommendation, "suspected_automation");
    assert(analysis.contributions.at(-1)!.points < 0);
    assert(analysis.reasons.some(({ code }) => code === "too_many_interactions_per_second"));
  });

  it("adds one contribution to a forced score, so that it still adds up", async () => {
    const key = account.testKey;
    for (const [level, score] of [["low", 15], ["medium", 55], ["high", 85]] as const) {
      const analysis = (await call("analyze", { key, headers: scenarioHeader(level) })).json() as unknown as Analysis & { trust_level: string };
      assert.deepEqual([analysis.trust_level, analysis.service_score], [level, score]);
      assertAddsUp(analysis);
      assert.equal(analysis.contributions.at(-1)!.signal, "test_scenario");
      assert.deepEqual(analysis.by_signal.at(-1), { signal: "test_scenario", points: analysis.contributions.at(-1)!.points });
      assert.equal(analysis.reasons[0]!.code, "test_scenario");
      const short = (await call("score", { key, headers: scenarioHeader(level) })).json();
      assert.deepEqual([short.trust_level, short.service_score, short.revenue_attribution], [level, score, 0]);
    }
    const raisable = { session_data: fc.sample(anySignals, { numRuns: 200, seed: 8 }).find((signals) => currentModel.explain(signals).wouldRaise.length > 0) };
    const forced = (await call("analyze", { key, headers: scenarioHeader("low"), body: raisable })).json() as unknown as Analysis;
    assert.deepEqual(forced.would_raise, [], "no signal would change what is forced");
    const plain = (await call("analyze", { key })).json() as unknown as Analysis;
    assert(!plain.contributions.some(({ signal }) => signal === "test_scenario"));
  });

  it("bills each call once under its own name, with a receipt and a record", async () => {
    const payer = await makeAccount(database.store);
    for (const [index, endpoint] of (["score", "analyze", "predict"] as const).entries()) {
      const answer = await call(endpoint, { key: payer.liveKey });
      const entries = await readLedger(database.store, payer.accountId);
      assert.equal(entries.length, index + 1);
      const entry = entries.at(-1)!;
      assert.deepEqual(receiptOf(answer), { seq: entry.seq, hash: entry.hash });
      const { session_id: sessionId, revenue_attribution: revenue } = answer.json();
      assert.deepEqual([entry.endpoint, entry.ref, entry.gross_micro, entry.developer_micro], [endpoint, sessionId, 50_000, 34_000]);
      assert.equal(revenue, 0.034);
      const record = await database.store.db
        .selectFrom("session_records")
        .select(["endpoint", "ledger_seq", "mode"])
        .where("id", "=", sessionId as string)
        .executeTakeFirstOrThrow();
      assert.deepEqual({ ...record }, { endpoint, ledger_seq: entry.seq, mode: "live" });
    }
    for (const endpoint of ["score", "analyze"] as const) {
      const answer = await call(endpoint, { key: payer.testKey });
      assert.equal(answer.json().revenue_attribution, 0);
      assert.equal(receiptOf(answer), undefined);
      assert.equal((await call(endpoint, { key: payer.liveKey, body: {} })).status, 400);
    }
    assert.equal((await readLedger(database.store, payer.accountId)).length, 3);
  });

  it("answers 409 when an idempotency key is used for another endpoint", async () => {
    for (const endpoint of ["predict", "score", "analyze"] as const) {
      const headers = { "idempotency-key": `first-on-${endpoint}` };
      const first = await call(endpoint, { headers });
      const again = await call(endpoint, { headers });
      assert.equal(again.text, first.text);
      assert.equal(again.headers["idempotent-replayed"], "true");
      const entriesBefore = (await readLedger(database.store, account.accountId)).length;
      for (const other of (["predict", "score", "analyze"] as const).filter((each) => each !== endpoint)) {
        const conflict = await call(other, { headers });
        assert.equal(conflict.status, 409);
        assert.equal(conflict.json().error, "idempotency_conflict");
      }
      assert.equal((await readLedger(database.store, account.accountId)).length, entriesBefore);
    }
  });

  it("refuses on score and analyze what predict refuses", async () => {
    const wrong: [body: unknown, error: string][] = [
      [{}, "invalid_request"],
      [{ session_data: { ...goodSignals, user_engagement: 1.2 } }, "invalid_request"],
      [{ session_data: { ...goodSignals, page_views: null } }, "invalid_request"],
      ["{", "invalid_request"],
      [{ session_data: { ...goodSignals, email: "x" } }, "personal_data"],
    ];
    for (const endpoint of ["score", "analyze"] as const) {
      for (const [body, error] of wrong) {
        const answer = await call(endpoint, { body });
        assert.deepEqual([answer.status, answer.json().error], [400, error], JSON.stringify(body));
      }
      assert.equal((await call(endpoint, { key: "assay_live_nobody", body: goodBody })).status, 401);
    }
  });
});
