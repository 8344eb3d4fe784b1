import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { inspect } from "node:util";
import { Assay, AssayError, type AssayOptions, type Clock } from "./assay.ts";
import { systemClock } from "./call-with-retries.ts";
import { isVisitorDevice } from "./refuse-browser.ts";
import { type ScriptedServer, startScriptedServer, type Step } from "../../../clients/conformance/scripted-server.ts";

const apiKey = "assay_test_0123456789abcdefghijklmnopqrstuv012345";
const signals = { user_engagement: 0.75, session_duration: 180 };
const full = {
  service_score: 78.4,
  trust_level: "high",
  confidence: 0.91,
  revenue_attribution: 0.034,
  processing_time_ms: 0.4,
  session_id: "sess_0W4kTqZb00A8fLq2mXc3Rt",
  timestamp: "2026-01-15T09:30:00.000Z",
};
const short = {
  service_score: 78.4,
  trust_level: "high",
  revenue_attribution: 0.034,
  processing_time_ms: 0.4,
  attribution_confidence: 0.91,
  recommendation: "high_value_user",
};
const good: Step = { status: 200, body: full, headers: { "assay-receipt": "1.ab", "x-request-id": "req_1" } };
const failing = (status: number, more: Record<string, unknown> = {}): Step => ({ status, body: { error: "some_code", message: "said so", ...more }, headers: { "x-request-id": "req_1" } });

/** A clock whose waits take no time and are recorded. */
function fakeClock(): Clock & { waits: number[] } {
  const waits: number[] = [];
  let nowMs = 0;
  return {
    waits,
    nowMs: () => nowMs,
    async wait(ms, signal) {
      signal?.throwIfAborted();
      waits.push(ms);
      nowMs += ms;
    },
  };
}

const servers: ScriptedServer[] = [];
after(async () => {
  for (const server of servers) await server.close();
});

async function open(steps: readonly Step[], options: Partial<AssayOptions> = {}) {
  const server = await startScriptedServer(steps);
  servers.push(server);
  const clock = fakeClock();
  const assay = new Assay({ apiKey, baseUrl: server.url, clock, random: () => 0.5, ...options });
  return { assay, server, clock };
}

const keysOf = (server: ScriptedServer) => server.seen.map(({ headers }) => headers["idempotency-key"]);

async function failureOf(call: Promise<unknown>): Promise<AssayError> {
  const error: unknown = await call.then(() => assert.fail("the call succeeded"), (reason: unknown) => reason);
  assert.ok(error instanceof AssayError, inspect(error));
  return error;
}

describe("retries of the client", () => {
  it("use one idempotency key for all attempts of a call, and a new one for the next call", async () => {
    const { assay, server } = await open([failing(500), "cut", failing(503), good]);
    const answer = await assay.predict(signals);
    assert.equal(answer.meta.attempts, 4);
    await assay.predict(signals);
    const keys = keysOf(server);
    assert.equal(new Set(keys.slice(0, 4)).size, 1);
    assert.match(String(keys[0]), /^[0-9a-f-]{36}$/);
    assert.notEqual(keys[4], keys[0]);
    assert.equal(new Set(server.seen.slice(0, 4).map(({ body }) => body)).size, 1, "every attempt is the same request");
  });

  it("use the caller's own idempotency key", async () => {
    const { assay, server } = await open([failing(500), good]);
    await assay.score(signals, { idempotencyKey: "order-17" });
    assert.deepEqual(keysOf(server), ["order-17", "order-17"]);
    await assert.rejects(assay.score(signals, { idempotencyKey: "a\nb" }), TypeError);
  });

  for (const step of [failing(429), failing(500), failing(502), failing(503), failing(504), "cut", "cut_inside", { status: 502, body: "<html>" }] as Step[]) {
    it(`follow ${typeof step === "string" ? step : `${step.status} ${JSON.stringify(step.body)}`}`, async () => {
      const { assay, server } = await open([step, good]);
      assert.equal((await assay.predict(signals)).service_score, 78.4);
      assert.equal(server.seen.length, 2);
    });
  }

  it("follow 409 idempotency_in_progress, after the wait that it names", async () => {
    const inProgress: Step = { status: 409, body: { error: "idempotency_in_progress", message: "" }, headers: { "retry-after": "1" } };
    const { assay, clock } = await open([inProgress, good]);
    await assay.predict(signals);
    assert.deepEqual(clock.waits, [1_125]);
  });

  for (const status of [400, 401, 403, 404, 409, 413, 415, 301]) {
    it(`do not follow ${status}`, async () => {
      const { assay, server } = await open([failing(status)]);
      const error = await failureOf(assay.predict(signals));
      assert.deepEqual([error.status, error.isRetryable, error.attempts, server.seen.length], [status, false, 1, 1]);
    });
  }

  it("back off exponentially with full jitter and end with the last error", async () => {
    const { assay, server, clock } = await open([failing(500)]);
    const error = await failureOf(assay.predict(signals));
    assert.deepEqual(clock.waits, [125, 250, 500, 1_000]);
    assert.deepEqual([error.code, error.status, error.requestId, error.isRetryable, error.attempts], ["some_code", 500, "req_1", true, 5]);
    assert.equal(error.idempotencyKey, keysOf(server)[0]);
    assert.equal(error.message, "said so");
  });

  it("wait as long as a 429 asks", async () => {
    const { assay, clock } = await open([failing(429, { retry_after: 12 }), good]);
    await assay.predict(signals);
    assert.deepEqual(clock.waits, [12_125]);
  });

  it("end at once when a 429 asks for a longer wait than the call may take", async () => {
    const { assay, server, clock } = await open([failing(429, { retry_after: 60 })]);
    const error = await failureOf(assay.predict(signals));
    assert.deepEqual([error.retryAfterSeconds, error.isRetryable, server.seen.length, clock.waits.length], [60, true, 1, 0]);
  });

  it("follow an attempt that timed out", async () => {
    const { assay, server } = await open(["silence", good], { timeoutMs: 1_000 });
    assert.equal((await assay.predict(signals)).meta.attempts, 2);
    assert.equal(new Set(keysOf(server)).size, 1);
    const slow = await open(["silence"], { timeoutMs: 20, attemptsMax: 1 });
    assert.equal((await failureOf(slow.assay.predict(signals))).code, "timeout");
  });

  it("end with network_failure when the connection is refused", async () => {
    const { assay, server } = await open([good], { attemptsMax: 2 });
    await server.close();
    servers.splice(servers.indexOf(server), 1);
    const error = await failureOf(assay.predict(signals));
    assert.deepEqual([error.code, error.status, error.attempts], ["network_failure", 0, 2]);
  });

  it("never follow a redirect, which would send the key to another host", async () => {
    const elsewhere = await open([good]);
    const { assay } = await open([{ status: 307, headers: { location: `${elsewhere.server.url}/api/ml/predict` } }]);
    assert.equal((await failureOf(assay.predict(signals))).code, "unexpected_status");
    assert.equal(elsewhere.server.seen.length, 0);
  });
});

describe("the session that is scored", () => {
  const token = "at1.20470.u3m";
  const bodiesOf = (server: ScriptedServer) => server.seen.map(({ body }) => JSON.parse(body) as unknown);

  it("is sent with its token, as an option or in the report of the collector, by every method", async () => {
    const { assay, server } = await open([good]);
    for (const method of ["predict", "score", "analyze"] as const) {
      await assay[method](signals, { sessionToken: token });
      await assay[method]({ session_data: signals, session_token: token });
      await assay[method]({ session_data: {}, session_token: token });
    }
    const requests = [signals, signals, {}].map((data) => ({ session_data: data, session_token: token }));
    assert.deepEqual(bodiesOf(server), [...requests, ...requests, ...requests]);
    assert.deepEqual(new Set(server.seen.map(({ path }) => path)), new Set(["/api/ml/predict", "/api/ml/score", "/api/ml/analyze"]));
  });

  it("is sent without anything else that the page has posted", async () => {
    const { assay, server } = await open([good]);
    const posted = { session_data: signals, session_token: token, sequence: 3, visit: "v1" };
    await assay.predict(posted);
    assert.deepEqual(bodiesOf(server), [{ session_data: signals, session_token: token }]);
  });

  it("is sent without a token if that is empty, null or left out", async () => {
    const { assay, server } = await open([good]);
    for (const none of ["", null, undefined]) {
      await assay.predict(signals, { sessionToken: none });
      await assay.predict({ session_data: signals, session_token: none });
    }
    await assay.predict({ session_data: signals });
    assert.deepEqual(new Set(bodiesOf(server).map((body) => JSON.stringify(body))), new Set([JSON.stringify({ session_data: signals })]));
  });

  it("is sent with the token of the options, if there are two", async () => {
    const { assay, server } = await open([good]);
    await assay.predict({ session_data: signals, session_token: "older" }, { sessionToken: token });
    await assay.predict({ session_data: signals, session_token: token }, { sessionToken: "" });
    assert.deepEqual(bodiesOf(server), Array.from({ length: 2 }, () => ({ session_data: signals, session_token: token })));
  });

  it("is judged by the service if it is no session at all", async () => {
    const { assay, server } = await open([failing(400)]);
    for (const wrong of [undefined, null, 7, "text"]) await failureOf(assay.predict(wrong as unknown as typeof signals));
    assert.deepEqual(bodiesOf(server), [{}, { session_data: null }, { session_data: 7 }, { session_data: "text" }]);
  });

  for (const [status, code] of [[400, "session_token_expired"], [409, "session_token_used"]] as const) {
    it(`is not sent again after ${code}, which no fallback hides`, async () => {
      const { assay, server } = await open([failing(status, { error: code })]);
      const error = await failureOf(assay.predict({ session_data: {}, session_token: token }, { onUnavailable: null }));
      assert.deepEqual([error.code, error.status, error.isRetryable, error.attempts, server.seen.length], [code, status, false, 1, 1]);
    });
  }
});

describe("aborting a call", () => {
  it("rejects with the signal's reason, during an attempt and during a wait", async () => {
    const reason = new Error("the visitor has left");
    const { assay } = await open(["silence"]);
    await assert.rejects(assay.predict(signals, { signal: AbortSignal.abort(reason) }), reason);
    const during = new AbortController();
    const call = assay.predict(signals, { signal: during.signal });
    setTimeout(() => during.abort(reason), 20);
    await assert.rejects(call, reason);

    const waiting = new AbortController();
    const abortingClock: Clock = {
      ...systemClock,
      wait(ms, signal) {
        setImmediate(() => waiting.abort(reason));
        return systemClock.wait(ms, signal);
      },
    };
    const { assay: patient, server } = await open([failing(429, { retry_after: 20 })], { clock: abortingClock });
    const held = patient.predict(signals, { signal: waiting.signal, onUnavailable: null });
    await assert.rejects(held, reason, "a fallback does not hide that the caller aborted the call");
    assert.equal(server.seen.length, 1);
  });
});

describe("an unavailable service", () => {
  it("yields the fallback only for retryable errors", async () => {
    const { assay } = await open([failing(503)]);
    assert.equal(await assay.predict(signals, { onUnavailable: null }), null);
    assert.deepEqual(await assay.requestAd({}, { onUnavailable: { ad: null } }), { ad: null });
    await failureOf(assay.predict(signals, { onUnavailable: "throw" }));
    const refused = await open([failing(401)]);
    assert.equal((await failureOf(refused.assay.predict(signals, { onUnavailable: null }))).status, 401);
  });
});

describe("reading answers", () => {
  it("returns the confidence under both names with either shape, and the receipt", async () => {
    const { assay } = await open([good, { status: 200, body: short }]);
    const first = await assay.predict(signals);
    assert.deepEqual([first.confidence, first.attribution_confidence, first.session_id], [0.91, 0.91, full.session_id]);
    assert.deepEqual(first.meta, { requestId: "req_1", receipt: "1.ab", replayed: false, attempts: 1 });
    const second = await assay.predict(signals);
    assert.deepEqual([second.confidence, second.attribution_confidence, second.recommendation], [0.91, 0.91, "high_value_user"]);
  });

  for (const body of ["<html>", [], "null", { service_score: "78", trust_level: "high", confidence: 1 }, { ...full, trust_level: "?" }]) {
    it(`rejects ${JSON.stringify(body)} as a verdict`, async () => {
      const { assay, server } = await open([{ status: 200, body }, good]);
      assert.equal((await assay.predict(signals)).service_score, 78.4);
      assert.equal(new Set(keysOf(server)).size, 1);
      const alone = await open([{ status: 200, body }], { attemptsMax: 1 });
      assert.equal((await failureOf(alone.assay.predict(signals))).code, "unreadable_answer");
    });
  }

  it("returns null and the reason when there is no ad, and sends no idempotency key with free calls", async () => {
    const ad = { ad_id: "ad_1", creative: {} };
    const { assay, server } = await open([{ status: 204, headers: { "assay-no-fill": "no_campaign" } }, { status: 200, body: ad }, good, { status: 200, body: { outcome: "bot" } }]);
    const none = await assay.requestAd({ format: "native" });
    assert.deepEqual([none.ad, none.noFillReason], [null, "no_campaign"]);
    const some = await assay.requestAd();
    assert.deepEqual([some.ad?.ad_id, some.noFillReason], ["ad_1", undefined]);
    await assay.session("sess_/x");
    await assay.reportOutcome("sess_1", "bot");
    assert.deepEqual(keysOf(server), [undefined, undefined, undefined, undefined]);
    assert.deepEqual(server.seen.map(({ method, path }) => `${method} ${path}`), [
      "POST /api/ads/request",
      "POST /api/ads/request",
      "GET /api/sessions/sess_%2Fx",
      "POST /api/sessions/sess_1/outcome",
    ]);
  });

  it("says that nothing was measured where an installation says nothing about it", async () => {
    const timed = { ...full, attestation: "server_timed", attested: ["session_duration"], attestation_issues: ["late_beats", "of_tomorrow"] };
    const { assay } = await open([good, { status: 200, body: timed }]);
    const old = await assay.predict(signals);
    assert.deepEqual([old.attestation, old.attested, old.attestation_issues], ["asserted", [], []]);
    const measured = await assay.predict(signals);
    assert.deepEqual([measured.attestation, measured.attested, measured.attestation_issues], ["server_timed", ["session_duration"], ["late_beats", "of_tomorrow"]]);
  });

  it("keeps the path prefix of the base URL", async () => {
    const { server } = await open([good]);
    await new Assay({ apiKey, baseUrl: `${server.url}/behind/` }).predict(signals);
    assert.equal(server.seen[0]?.path, "/behind/api/ml/predict");
  });
});

describe("the API key", () => {
  it("does not appear when the client or its errors are printed", async () => {
    const { assay } = await open([failing(401)]);
    const error = await failureOf(assay.predict(signals));
    for (const thing of [assay, error]) assert.doesNotMatch(inspect(thing, { depth: 10, showHidden: true }), /0123456789abc/);
    assert.throws(() => new Assay({ apiKey: `${apiKey}\n`, baseUrl: "http://127.0.0.1" }), (wrong: Error) => !wrong.message.includes("0123456789abc"));
  });

  it("is rejected where visitors could read it", () => {
    const chrome = { userAgent: "Mozilla/5.0 (X11; Linux) Chrome/140" };
    assert.equal(isVisitorDevice({ window: {}, document: {}, navigator: chrome }), true);
    assert.equal(isVisitorDevice({ WorkerGlobalScope: {}, navigator: chrome }), true);
    assert.equal(isVisitorDevice({ navigator: { product: "ReactNative" } }), true);
    assert.equal(isVisitorDevice({ navigator: { userAgent: "Node.js/24" } }), false);
    assert.equal(isVisitorDevice({ WorkerGlobalScope: {}, navigator: { userAgent: "Cloudflare-Workers" } }), false);
    const page = globalThis as { window?: unknown; document?: unknown };
    Object.assign(page, { window: {}, document: {} });
    try {
      assert.throws(() => new Assay({ apiKey, baseUrl: "http://127.0.0.1" }), /servers only/);
    } finally {
      delete page.window;
      delete page.document;
    }
  });

  for (const [name, options] of Object.entries({
    "a base URL without a protocol": { baseUrl: "assay.example.com" },
    "a base URL with a password": { baseUrl: "https://a:b@example.com" },
    "an empty key": { apiKey: "" },
    "a limit of 0 attempts": { attemptsMax: 0 },
    "a timeout of half a millisecond": { timeoutMs: 0.5 },
  })) {
    it(`${name} is rejected`, () => {
      assert.throws(() => new Assay({ apiKey, baseUrl: "http://127.0.0.1", ...options }), TypeError);
    });
  }
});
