import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { makeAccount, type TestAccount, vastTier } from "../../../test/make-account.ts";
import { readLedger, receiptOf } from "../../../test/read-ledger.ts";
import { predict, send } from "../../../test/send.ts";
import type { TestService } from "../../../test/start-service.ts";
import { msPerDay } from "../../formats/time.ts";

const noSignal = { present: 0, mean: 0, p50: 0 };
const noSignals = Object.fromEntries(
  ["user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor"].map((name) => [name, noSignal]),
);
const nothing = {
  sessions: 0,
  score: { mean: 0, p25: 0, p50: 0, p75: 0, histogram: Array.from({ length: 10 }, (_, band) => ({ from: band * 10, to: band * 10 + 10, count: 0 })) },
  levels: { high: 0, medium: 0, low: 0 },
  signals: noSignals,
};

describeBothStores("POST /api/servicescore/analyze", (open) => {
  let database: TestDatabase;
  let service: TestService;
  let account: TestAccount;

  before(async () => {
    database = await open();
    account = await makeAccount(database.store, { tier: vastTier });
    service = await database.serve();
  });

  const analyze = (body: unknown = {}, { key = account.liveKey, headers = {} }: { key?: string; headers?: Record<string, string> } = {}) =>
    predict(service, key, { path: "/api/servicescore/analyze", body, headers });

  it("answers an empty window with zeros and bills it", async () => {
    const { accountId, liveKey } = await makeAccount(database.store);
    const answer = await analyze({}, { key: liveKey });
    assert.equal(answer.status, 200);
    const { analysis_id: analysisId, from, to, processing_time_ms: ms, ...rest } = answer.json();
    assert.deepEqual(rest, { ...nothing, previous: nothing, findings: [], complete: true, revenue_attribution: 0.034 });
    assert.equal(Date.parse(to as string) - Date.parse(from as string), 7 * msPerDay);
    assert(typeof ms === "number" && ms > 0);
    const [entry, ...others] = await readLedger(database.store, accountId);
    assert.deepEqual(others, []);
    assert.deepEqual(receiptOf(answer), { seq: entry!.seq, hash: entry!.hash });
    assert.deepEqual([entry!.endpoint, entry!.ref, entry!.gross_micro, entry!.developer_micro], ["servicescore_analyze", analysisId, 50_000, 34_000]);
    assert.match(analysisId as string, /^an_[0-9A-Za-z]{20,}$/);
    const records = await database.store.db.selectFrom("session_records").select("id").where("account_id", "=", accountId).execute();
    assert.deepEqual(records, [], "an analysis is not a session");
    const usage = (await send(service, "/api/usage", { headers: { "x-api-key": liveKey } })).json();
    assert.deepEqual((usage.endpoints as { endpoint: string; calls: number }[]).map(({ endpoint, calls }) => [endpoint, calls]), [["servicescore_analyze", 1]]);
  });

  it("summarises only the account's own live sessions", async () => {
    const other = await makeAccount(database.store);
    const scores: number[] = [];
    for (let call = 0; call < 5; call += 1) {
      const body = { session_data: { user_engagement: call / 5, session_duration: 40 * call, page_views: call } };
      scores.push((await predict(service, account.liveKey, { body, path: ["/api/ml/score", "/api/ml/analyze", "/ml/predict"][call % 3]! })).json().service_score as number);
    }
    await predict(service, account.testKey);
    await predict(service, other.liveKey);
    const analysis = (await analyze({ to: new Date(Date.now() + 1_000).toISOString() })).json();
    const { mean, p50 } = analysis.score as { mean: number; p50: number };
    assert.equal(analysis.sessions, 5);
    assert(Math.abs(mean - scores.reduce((sum, score) => sum + score) / 5) < 0.001);
    assert.equal(p50, scores.toSorted((left, right) => left - right)[2]);
    assert.deepEqual((analysis.signals as Record<string, unknown>).session_duration, { present: 5, mean: 80, p50: 80 });
    assert.deepEqual((analysis.signals as Record<string, unknown>).scroll_depth, noSignal);
    assert.deepEqual((analysis.previous as { sessions: number }).sessions, 0);
    const forTest = await analyze({ to: new Date(Date.now() + 1_000).toISOString() }, { key: account.testKey });
    assert.deepEqual([forTest.json().sessions, forTest.json().revenue_attribution, receiptOf(forTest)], [5, 0, undefined]);
  });

  it("accepts a window by its ends, and refuses an invalid one unbilled", async () => {
    const entriesBefore = (await readLedger(database.store, account.accountId)).length;
    const wrong: [body: unknown, message: string | undefined][] = [
      [{ from: "yesterday" }, "from must be an ISO 8601 date or time"],
      [{ to: "2026-02-30" }, "to must be an ISO 8601 date or time"],
      [{ from: "" }, "from must be an ISO 8601 date or time"],
      [{ from: "2026-01-02", to: "2026-01-01" }, "from must not be after to"],
      [{ from: new Date(Date.now() + msPerDay).toISOString() }, "from must not be after to"],
      [{ from: "2026-01-01", to: "2026-04-04" }, "from and to must be at most 92 days apart"],
      [{ from: 1_767_225_600_000 }, "from must be a string"],
      [{ to: null }, "to must be a string"],
      ["[]", "The body must be a JSON object"],
      ["null", "The body must be a JSON object"],
      ["", "The body is empty; a JSON object was expected."],
      ["{", undefined],
      [{ email: "x" }, undefined],
    ];
    for (const [body, message] of wrong) {
      const answer = await analyze(body);
      assert.equal(answer.status, 400, JSON.stringify(body));
      if (message !== undefined) assert.deepEqual(answer.json(), { error: "invalid_request", message }, JSON.stringify(body));
    }
    assert.equal((await readLedger(database.store, account.accountId)).length, entriesBefore);
    const right: [body: object, from: string, to: string][] = [
      [{ from: "2026-01-01", to: "2026-04-03" }, "2026-01-01T00:00:00.000Z", "2026-04-03T00:00:00.000Z"],
      [{ from: "2026-01-01T10:30:00+02:00", to: "2026-01-01T08:30Z" }, "2026-01-01T08:30:00.000Z", "2026-01-01T08:30:00.000Z"],
      [{ to: "2026-01-08", unknown: 1 }, "2026-01-01T00:00:00.000Z", "2026-01-08T00:00:00.000Z"],
    ];
    for (const [body, from, to] of right) {
      const answer = await analyze(body);
      assert.deepEqual([answer.status, answer.json().from, answer.json().to], [200, from, to]);
    }
  });

  it("is idempotent under an idempotency key, for the same window only", async () => {
    const headers = { "idempotency-key": "traffic-1" };
    const entriesBefore = (await readLedger(database.store, account.accountId)).length;
    const first = await analyze({ from: "2026-01-01", to: "2026-01-02" }, { headers });
    await predict(service, account.liveKey);
    const again = await analyze({ to: "2026-01-02T00:00:00Z", from: "2026-01-01T00:00Z" }, { headers });
    assert.equal(again.text, first.text);
    assert.equal(again.headers["idempotent-replayed"], "true");
    assert.deepEqual(receiptOf(again), receiptOf(first));
    for (const body of [{}, { to: "2026-01-02" }, { from: "2026-01-01", to: "2026-01-03" }]) {
      assert.equal((await analyze(body, { headers })).json().error, "idempotency_conflict");
    }
    assert.equal((await predict(service, account.liveKey, { headers })).status, 409);
    assert.equal((await readLedger(database.store, account.accountId)).length, entriesBefore + 2);
    const other = { "idempotency-key": "traffic-2" };
    assert.equal((await analyze({}, { headers: other })).text, (await analyze({}, { headers: other })).text, "the default window is the same request");
  });

  it("serves concurrent requests", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => analyze()));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    assert.equal(new Set(answers.map((answer) => answer.json().analysis_id)).size, 20);
  });
});
