import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { exchangeBytes as exchange } from "../../test/exchange-bytes.ts";
import { makeAccount, type TestAccount, vastTier } from "../../test/make-account.ts";
import { type Answer, goodBody, predict, send } from "../../test/send.ts";
import type { TestService } from "../../test/start-service.ts";
import { makeKey } from "../access/keys/key-format.ts";
import { revokeKey } from "../access/keys/revoke-key.ts";
import { suspendAccount } from "../people/change-account.ts";

const requestIdPattern = /^req_[0-9A-Za-z]{8,}$/;

/** The remaining calls of both windows, from the RateLimit header. */
function remainingOf(answer: Answer): number[] {
  return [...String(answer.headers.ratelimit).matchAll(/r=(\d+)/g)].map((match) => Number(match[1]));
}

describeBothStores("a refused call", (open) => {
  let database: TestDatabase;
  let service: TestService;
  let account: TestAccount;

  before(async () => {
    database = await open();
    account = await makeAccount(database.store, { tier: vastTier });
    service = await database.serve();
  });

  /** One invalid key of every kind; the service has not cached any of them. */
  async function makeInvalidKeys(): Promise<Record<string, string | undefined>> {
    const { store } = database;
    const nowMs = Date.now();
    const [revoked, expired, suspended] = await Promise.all([makeAccount(store), makeAccount(store), makeAccount(store)]);
    await revokeKey(store, { keyId: revoked.liveKeyId, nowMs, channel: undefined });
    await store.write([store.db.updateTable("api_keys").set({ expires_at: nowMs - 1 }).where("id", "=", expired.liveKeyId)]);
    await suspendAccount(store, { accountId: suspended.accountId, reason: "a test", actorAccountId: null, nowMs, channel: undefined });
    const wellFormed = makeKey("live");
    return {
      absent: undefined,
      empty: "",
      malformed: "not-a-key",
      "bad checksum": wellFormed.slice(0, -1) + (wellFormed.endsWith("0") ? "1" : "0"),
      "too long": `${wellFormed}0`,
      "another prefix": wellFormed.replace("assay_live_", "other_live_"),
      unknown: wellFormed,
      revoked: revoked.liveKey,
      expired: expired.liveKey,
      "suspended, live": suspended.liveKey,
      "suspended, test": suspended.testKey,
    };
  }

  it("gets the same 401 for every kind of invalid key [threat: guessed-key]", async () => {
    const bodies = new Set<string>();
    const headerNames = new Set<string>();
    for (const [kind, key] of Object.entries(await makeInvalidKeys())) {
      // Twice: from the store, then from the cache.
      for (const answer of [await predict(service, key), await predict(service, key)]) {
        assert.equal(answer.status, 401, kind);
        assert.match(String(answer.headers["x-request-id"]), requestIdPattern);
        bodies.add(answer.text);
        headerNames.add(Object.keys(answer.headers).join());
      }
    }
    assert.deepEqual([...bodies], [JSON.stringify({ error: "invalid_api_key", message: "The API key is missing, unknown or not active." })]);
    assert.equal(headerNames.size, 1, "the headers do not differ either");
  });

  it("with an invalid key is answered before the body is read", async () => {
    const head = `POST /api/ml/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-API-Key: ${makeKey("live")}\r\n`;
    const withLength = await exchange(service, `${head}Content-Length: 60000\r\n\r\n{"session_data"`, (text) => text.includes("invalid_api_key"));
    assert.match(withLength, /^HTTP\/1\.1 401 /);
    // The key is checked before Content-Length and Content-Type.
    const tooLarge = await exchange(service, `${head}Content-Length: 60000000\r\n\r\n{`, (text) => text.includes("invalid_api_key"));
    assert.match(tooLarge, /^HTTP\/1\.1 401 /);
    const wrongType = await predict(service, undefined, { headers: { "content-type": "text/xml" }, body: "<a/>" });
    assert.equal(wrongType.status, 401);
  });

  it("over its limit is answered before the body is read", async () => {
    const { testKey } = await makeAccount(database.store);
    const head = `POST /api/ml/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-API-Key: ${testKey}\r\nAssay-Test-Scenario: rate_limited\r\n`;
    const received = await exchange(service, `${head}Content-Length: 60000\r\n\r\n{`, (text) => text.includes("rate_limit_exceeded"));
    assert.match(received, /^HTTP\/1\.1 429 /);
  });

  it("uses quota if its body is invalid, and none if its key is", async () => {
    const { liveKey } = await makeAccount(database.store);
    const first = remainingOf(await predict(service, liveKey));
    assert.deepEqual(first, [999, 49]);
    const bad = await predict(service, liveKey, { body: "{" });
    assert.equal(bad.status, 400);
    assert.deepEqual(remainingOf(bad), [998, 48]);
    const typo = liveKey.slice(0, -1) + (liveKey.endsWith("0") ? "1" : "0");
    const refused = await predict(service, typo);
    assert.equal(refused.status, 401);
    assert.equal(refused.headers.ratelimit, undefined);
    assert.deepEqual(remainingOf(await predict(service, liveKey)), [997, 47]);
  });

  it("with an unreadable body gets a message that does not repeat the body [threat: prototype-pollution]", async () => {
    const wrong: [body: string, status: number, message: string][] = [
      ['{"session_data": {"user_engagement": secret-text', 400, "The body is not valid JSON."],
      ["{'session_data': 1}", 400, "The body is not valid JSON."],
      ["﻿", 400, "The body is not valid JSON."],
      ['{"__proto__": {"a": 1}}', 400, "The body is not valid JSON."],
      ["", 400, "The body is empty; a JSON object was expected."],
      [`{"x":"${"a".repeat(64 * 1024)}"}`, 413, "The body is larger than 64 KiB."],
    ];
    for (const [body, status, message] of wrong) {
      const answer = await predict(service, account.liveKey, { body });
      assert.equal(answer.status, status, body.slice(0, 60));
      assert.equal(answer.json().message, message);
      assert(!answer.text.includes("secret-text"));
      assert.match(String(answer.headers["x-request-id"]), requestIdPattern);
    }
  });

  it("is refused for its size from one byte over 64 KiB [threat: oversized-request]", async () => {
    const bodyOf = (bytes: number) => {
      const text = JSON.stringify({ ...goodBody, filling: "" });
      return text.replace('"filling":""', `"filling":"${"a".repeat(bytes - text.length)}"`);
    };
    const fits = await predict(service, account.liveKey, { body: bodyOf(64 * 1024) });
    assert.equal(fits.status, 200);
    const over = await predict(service, account.liveKey, { body: bodyOf(64 * 1024 + 1) });
    assert.equal(over.status, 413);
    assert.equal(over.json().error, "payload_too_large");
    const chunked = await exchange(
      service,
      `POST /api/ml/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-API-Key: ${account.liveKey}\r\n` +
        `Transfer-Encoding: chunked\r\n\r\n10001\r\n${bodyOf(64 * 1024 + 1)}\r\n0\r\n\r\n`,
      (text) => text.includes("payload_too_large"),
    );
    assert.match(chunked, /^HTTP\/1\.1 413 /);
  });

  it("with another content type gets 415", async () => {
    for (const type of ["text/plain", "application/xml", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "nonsense"]) {
      const answer = await predict(service, account.liveKey, { headers: { "content-type": type } });
      assert.equal(answer.status, 415, type);
      assert.deepEqual(answer.json(), {
        error: "unsupported_media_type",
        message: "Send the body as JSON with Content-Type: application/json.",
      });
    }
    const withCharset = await predict(service, account.liveKey, { headers: { "content-type": "application/json; charset=utf-8" } });
    assert.equal(withCharset.status, 200);
  });

  it("at an unknown address gets 404 as JSON", async () => {
    for (const path of ["/api/nothing", "/api/ml/predict/more", "/api/", "/ml/nothing", "/nothing"]) {
      const answer = await send(service, path);
      assert.equal(answer.status, 404, path);
      assert.equal(answer.json().error, "not_found");
      assert.match(String(answer.headers["content-type"]), /^application\/json/);
    }
    assert.equal((await send(service, "/api/%zz")).status, 400, "an address that cannot be decoded");
  });

  it("with another method gets 405 and the allowed ones", async () => {
    const wrong: [method: string, path: string, allow: string][] = [
      ["GET", "/api/ml/predict", "POST"],
      ["PUT", "/ml/predict", "POST"],
      ["DELETE", "/api/usage", "GET, HEAD"],
      ["POST", "/api/statements/2026-01", "GET, HEAD"],
      ["POST", "/api/status", "GET, HEAD"],
      ["PATCH", "/health/ready", "GET, HEAD"],
      ["OPTIONS", "/api/ml/predict", "POST"],
    ];
    for (const [method, path, allow] of wrong) {
      const answer = await send(service, path, { method });
      assert.equal(answer.status, 405, `${method} ${path}`);
      assert.equal(answer.headers.allow, allow);
      assert.equal(answer.json().error, "method_not_allowed");
      assert.equal(answer.headers["access-control-allow-origin"], undefined);
    }
  });

  it("gets a new request id with every status, never the caller's", async () => {
    const { testKey } = await makeAccount(database.store);
    const scenario = (value: string) => predict(service, testKey, { headers: { "assay-test-scenario": value } });
    const answers = await Promise.all([
      predict(service, account.liveKey, { headers: { "x-request-id": "mine", "request-id": "mine" } }),
      predict(service, undefined),
      predict(service, account.liveKey, { body: "{" }),
      predict(service, account.liveKey, { body: "a".repeat(70_000) }),
      predict(service, account.liveKey, { headers: { "content-type": "text/plain" } }),
      send(service, "/api/nothing"),
      send(service, "/api/%zz"),
      send(service, "/api/ml/predict"),
      send(service, "/health/live"),
      scenario("rate_limited"),
      scenario("server_error"),
    ]);
    assert.deepEqual(answers.map(({ status }) => status), [200, 401, 400, 413, 415, 404, 400, 405, 200, 429, 500]);
    for (const { status, headers } of answers) assert.match(String(headers["x-request-id"]), requestIdPattern, String(status));
    assert.equal(new Set(answers.map(({ headers }) => headers["x-request-id"])).size, answers.length);
  });

  it("gets a request id even if it is not valid HTTP", async () => {
    const received = await exchange(service, "GET / HTTP/1.1\r\nHost: x\r\nbad header line\r\n\r\n", () => false);
    assert.match(received, /^HTTP\/1\.1 400 /);
    assert.match(received, /x-request-id: req_/i);
    assert.match(received, /"error":"invalid_request"/);
  });
});
