import fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { keyStateOf } from "../../access/keys/key-state.ts";
import { type AnsweredRequest, createRequestGatherer, endpointOf, refusalsPerMinuteMax, successesPerMinuteMax } from "../../access/requests/gather-requests.ts";
import { checkPayee } from "../../register/check-payee.ts";
import { monthAndLastMonth, todayAndYesterday } from "./read-overview.ts";

const hour = 3_600_000;
const noon = Date.UTC(2026, 2, 31, 12, 30);

const request = (more: Partial<AnsweredRequest> = {}): AnsweredRequest => ({
  accountId: "acct_1",
  keyId: "key_1",
  atMs: noon,
  requestId: "req_1",
  method: "POST",
  route: "/api/ml/predict",
  status: 200,
  durationMs: 1,
  failure: undefined,
  ...more,
});

describe("the request log", () => {
  const gather = () => {
    let id = 0;
    return createRequestGatherer(() => `log_${(id += 1)}`);
  };

  it("counts every request and has each as a line or in a summary", () => {
    const anyRequest = fc.record({
      accountId: fc.constantFrom("acct_1", "acct_2"),
      keyId: fc.constantFrom("", "key_1", "key_2"),
      status: fc.constantFrom(200, 400, 429),
      route: fc.constantFrom("/api/ml/predict", "/ml/predict", "/api/usage"),
      // Bursts with pauses: minutes that overflow, and minutes that end before a flush.
      afterMs: fc.oneof({ weight: 150, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 30_000, max: 90_000 }) }),
      isFlushed: fc.oneof({ weight: 100, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    });
    fc.assert(
      fc.property(fc.array(anyRequest, { minLength: 300, maxLength: 900 }), (requests) => {
        const gatherer = gather();
        const taken: ReturnType<typeof gatherer.take>[] = [];
        let atMs = noon;
        for (const { afterMs, isFlushed, ...rest } of requests) {
          atMs += afterMs;
          gatherer.add(request({ ...rest, atMs }));
          if (isFlushed) taken.push(gatherer.take(atMs, false));
        }
        taken.push(gatherer.take(atMs, true));
        const total = (rows: readonly { requests: number }[]) => rows.reduce((sum, row) => sum + row.requests, 0);
        assert.equal(total(taken.flatMap(({ hours }) => hours)), requests.length);
        assert.equal(total(taken.flatMap(({ logs }) => logs)), requests.length);
        for (const { hours } of taken) {
          const names = hours.map((row) => [row.account_id, row.hour, row.endpoint, row.key_id, row.status].join(" "));
          assert.equal(new Set(names).size, names.length, "no row twice in one write");
        }
        assert.deepEqual(gatherer.take(atMs, true), { hours: [], logs: [] });
      }),
      { numRuns: 40 },
    );
  });

  it("keeps a bounded number of lines of a flood and summarises the rest in one", () => {
    const gatherer = gather();
    const failure = { code: "rate_limit_exceeded", message: "wait" };
    for (let count = 0; count < 100_000; count += 1) gatherer.add(request({ status: 429, failure }));
    for (let count = 0; count < 1_000; count += 1) gatherer.add(request({}));
    const { hours, logs } = gatherer.take(noon, false);
    assert.deepEqual(hours.map(({ status, requests }) => [status, requests]), [[200, 1_000], [429, 100_000]]);
    assert.equal(logs.length, refusalsPerMinuteMax + successesPerMinuteMax);
    assert.deepEqual(gatherer.take(noon + 30_000, false).logs, [], "the minute is not over");
    const { logs: summaries } = gatherer.take(noon + 60_000, false);
    assert.deepEqual(
      summaries.map((row) => [row.status, row.requests, row.request_id, row.error]),
      [[429, 100_000 - refusalsPerMinuteMax, null, "rate_limit_exceeded"], [200, 1_000 - successesPerMinuteMax, null, null]],
    );
  });

  it("keeps room for successes beside refusals, and for other accounts", () => {
    const gatherer = gather();
    for (let count = 0; count < 1_000; count += 1) gatherer.add(request({ status: 400 }));
    gatherer.add(request({ requestId: "req_good" }));
    gatherer.add(request({ accountId: "acct_2", keyId: "key_9", requestId: "req_other" }));
    const ids = new Set(gatherer.take(noon, false).logs.map((row) => row.request_id));
    assert(ids.has("req_good") && ids.has("req_other"));
  });

  it("counts each request in its hour", () => {
    const gatherer = gather();
    gatherer.add(request({ atMs: Date.UTC(2026, 0, 1, 0, 59, 59, 999) }));
    gatherer.add(request({ atMs: Date.UTC(2026, 0, 1, 1) }));
    const { hours } = gatherer.take(noon, true);
    assert.deepEqual(hours.map((row) => [row.hour, row.requests]), [[Date.UTC(2026, 0, 1), 1], [Date.UTC(2026, 0, 1, 1), 1]]);
  });

  it("names billed endpoints as the ledger does", () => {
    assert.equal(endpointOf({ method: "POST", route: "/ml/predict" }), "predict");
    assert.equal(endpointOf({ method: "GET", route: "/api/sessions/:session_id" }), "GET /api/sessions/:session_id");
  });
});

describe("compared spans", () => {
  it("have the same length, unless last month was shorter", () => {
    const day = todayAndYesterday(noon);
    assert.deepEqual(day.present, { fromMs: Date.UTC(2026, 2, 31), toMs: Date.UTC(2026, 2, 31, 13) });
    assert.deepEqual(day.previous, { fromMs: Date.UTC(2026, 2, 30), toMs: Date.UTC(2026, 2, 30, 13) });
    const month = monthAndLastMonth(noon);
    assert.deepEqual(month.previous, { fromMs: Date.UTC(2026, 1), toMs: Date.UTC(2026, 2) }, "February has no 31st");
    assert.deepEqual(monthAndLastMonth(Date.UTC(2026, 0, 15, 6)).previous, { fromMs: Date.UTC(2025, 11), toMs: Date.UTC(2025, 11, 15, 7) });
  });

  it("never overlap", () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) }), (nowMs) => {
        for (const { present, previous } of [todayAndYesterday(nowMs), monthAndLastMonth(nowMs)]) {
          assert(previous.fromMs < previous.toMs && previous.toMs <= present.fromMs && present.fromMs <= nowMs && nowMs < present.toMs);
          assert.equal(present.toMs % hour, 0);
        }
      }),
    );
  });
});

describe("a key's state", () => {
  const key = { expires_at: null, revoked_at: null, replaced_by: null };
  it("follows from its times", () => {
    assert.equal(keyStateOf(key, 10).state, "active");
    assert.equal(keyStateOf({ ...key, expires_at: 10 }, 9).state, "active");
    assert.equal(keyStateOf({ ...key, expires_at: 10 }, 10).state, "expired");
    assert.equal(keyStateOf({ ...key, expires_at: 10, replaced_by: "key_2" }, 9).state, "rotated");
    assert.deepEqual(keyStateOf({ ...key, expires_at: 10, replaced_by: "key_2" }, 10), { state: "revoked", revokedAtMs: 10 });
    assert.deepEqual(keyStateOf({ expires_at: 10, replaced_by: "key_2", revoked_at: 5 }, 20), { state: "revoked", revokedAtMs: 5 });
  });
});

describe("a payee profile", () => {
  const profile = { legal_name: " A ", address: "B", country: "DE", tax_id: null, method: "bank_transfer" as const, account: "DE89 3704 0044 0532 0130 00", bank_code: null };
  const verdictOf = (change: object) => checkPayee({ ...profile, ...change }).kind;

  it("is valid with an IBAN, an account number with its bank, or a PayPal address", () => {
    assert.deepEqual(checkPayee(profile), { kind: "good", profile: { ...profile, legal_name: "A", account: "DE89370400440532013000" } });
    assert.equal(verdictOf({ account: "GB82 WEST 1234 5698 7654 32", bank_code: "westgb22" }), "good");
    assert.equal(verdictOf({ account: "000123456789", bank_code: "110000000" }), "good");
    assert.equal(verdictOf({ method: "paypal", account: "me@example.com" }), "good");
  });

  it("is invalid when any digit of its IBAN is wrong", () => {
    const iban = "DE89370400440532013000";
    for (let place = 2; place < iban.length; place += 1) {
      for (const digit of "0123456789") {
        const wrong = iban.slice(0, place) + digit + iban.slice(place + 1);
        assert.equal(verdictOf({ account: wrong }), wrong === iban ? "good" : "wrong", wrong);
      }
    }
    assert.equal(verdictOf({ account: "000123456789" }), "wrong");
    assert.equal(verdictOf({ method: "paypal", account: "nobody" }), "wrong");
    assert.equal(verdictOf({ bank_code: "short" }), "wrong");
  });
});
