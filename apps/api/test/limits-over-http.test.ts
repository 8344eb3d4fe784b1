import assert from "node:assert/strict";
import { before, it } from "node:test";
import { setTier } from "../src/people/change-account.ts";
import { issueKey } from "../src/access/keys/issue-key.ts";
import { describeBothStores, type TestDatabase } from "./both-stores.ts";
import { makeAccount } from "./make-account.ts";
import { readLedger } from "./read-ledger.ts";
import { type Answer, predict, send } from "./send.ts";
import type { TestService } from "./start-service.ts";

const limitPattern = /^"hour";r=(\d+);t=(\d+), "burst";r=(\d+);t=(\d+)$/;

/** The `RateLimit` header, which must have exactly the documented form. */
function limitsOf(answer: Answer) {
  const match = limitPattern.exec(String(answer.headers.ratelimit));
  assert(match, String(answer.headers.ratelimit));
  const [hourLeft, hourSeconds, burstLeft, burstSeconds] = match.slice(1).map(Number);
  return { hourLeft: hourLeft!, hourSeconds: hourSeconds!, burstLeft: burstLeft!, burstSeconds: burstSeconds! };
}

describeBothStores("the limits of an account", (open) => {
  let database: TestDatabase;
  let service: TestService;

  before(async () => {
    database = await open();
    const tier = { share_bps: 6_800, nowMs: Date.now(), channel: undefined };
    await setTier(database.store, { name: "Tiny", per_hour: 1_000, per_minute: 5, ...tier });
    await setTier(database.store, { name: "Hourly", per_hour: 4, per_minute: 100, ...tier });
    service = await database.serve();
  });

  const callMany = (key: string, count: number) => Promise.all(Array.from({ length: count }, () => predict(service, key)));
  const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).toSorted((one, other) => one - other);

  it("are in the headers of every answer to a keyed request, in the documented format", async () => {
    const { liveKey } = await makeAccount(database.store);
    const headers = { "x-api-key": liveKey };
    const answers = [
      await predict(service, liveKey),
      await predict(service, liveKey, { body: "{" }),
      await predict(service, liveKey, { headers: { "content-type": "text/plain" } }),
      await predict(service, liveKey, { body: "a".repeat(70_000) }),
      await predict(service, liveKey, { headers: { "assay-test-scenario": "high" } }),
      await send(service, "/api/usage", { headers }),
      await send(service, "/api/statements/2026-01", { headers }),
    ];
    assert.deepEqual(answers.map(({ status }) => status), [200, 400, 415, 413, 400, 200, 200]);
    for (const [index, answer] of answers.entries()) {
      assert.equal(answer.headers["ratelimit-policy"], '"hour";q=1000;w=3600, "burst";q=50;w=60');
      const limits = limitsOf(answer);
      assert.deepEqual([limits.hourLeft, limits.burstLeft], [999 - index, 49 - index], "every request counts, whatever its answer");
      assert(limits.burstSeconds >= 1 && limits.burstSeconds <= 61);
      assert(limits.hourSeconds >= 1 && limits.hourSeconds <= 3_660);
    }
  });

  it("are neither reported nor consumed by requests that need no key", async () => {
    for (const path of ["/api/status", "/health/live", "/health/ready", "/openapi.json", "/api/nothing"]) {
      const answer = await send(service, path, { headers: { "x-api-key": (await makeAccount(database.store)).liveKey } });
      assert.equal(answer.headers.ratelimit, undefined, path);
    }
  });

  it("refuse calls beyond the burst limit with a 429 that names the limit and the wait [threat: exceeded-limit]", async () => {
    const { liveKey, accountId } = await makeAccount(database.store, { tier: "Tiny" });
    const answers = await callMany(liveKey, 12);
    assert.deepEqual(statusesOf(answers), [200, 200, 200, 200, 200, 429, 429, 429, 429, 429, 429, 429]);
    for (const answer of answers.filter(({ status }) => status === 429)) {
      const { retry_after: seconds, ...body } = answer.json();
      assert(Number.isInteger(seconds) && (seconds as number) >= 1 && (seconds as number) <= 61);
      assert.equal(answer.headers["retry-after"], String(seconds));
      const unit = seconds === 1 ? "second" : "seconds";
      const message = `The burst limit of 5 calls per minute is used up. Try again in ${String(seconds)} ${unit}.`;
      assert.deepEqual(body, { error: "rate_limit_exceeded", message, limit: "burst" });
      const limits = limitsOf(answer);
      assert.deepEqual([limits.burstLeft, limits.burstSeconds], [0, seconds]);
      assert.equal(limits.hourLeft, 995, "a refused call consumes neither window");
      assert.equal(answer.headers["assay-receipt"], undefined);
    }
    assert.equal((await readLedger(database.store, accountId)).length, 5);
  });

  it("refuse calls beyond the hourly limit without consuming the burst window [threat: exceeded-limit]", async () => {
    const { liveKey } = await makeAccount(database.store, { tier: "Hourly" });
    const answers = await callMany(liveKey, 9);
    assert.deepEqual(statusesOf(answers), [200, 200, 200, 200, 429, 429, 429, 429, 429]);
    const refused = await predict(service, liveKey);
    assert.equal(refused.json().limit, "hour");
    assert.match(refused.json().message as string, /^The hour limit of 4 calls per hour is used up\. Try again in \d+ seconds\.$/);
    assert.deepEqual([limitsOf(refused).hourLeft, limitsOf(refused).burstLeft], [0, 96]);
    assert((refused.json().retry_after as number) > 61);
  });

  it("are shared by all live keys of the account, and not with other accounts", async () => {
    const account = await makeAccount(database.store, { tier: "Tiny" });
    const second = await issueKey(database.store, { accountId: account.accountId, mode: "live", name: "second", nowMs: Date.now() });
    const answers = await Promise.all([account.liveKey, second.key].flatMap((key) => callMany(key, 5)));
    assert.deepEqual(statusesOf(answers.flat()), [200, 200, 200, 200, 200, 429, 429, 429, 429, 429]);
    const other = await makeAccount(database.store, { tier: "Tiny" });
    assert.equal((await predict(service, other.liveKey)).status, 200);
  });

  it("are separate for test keys, with Starter's limits, whatever the live keys did", async () => {
    const account = await makeAccount(database.store, { tier: "Tiny" });
    const second = await issueKey(database.store, { accountId: account.accountId, mode: "test", name: "second", nowMs: Date.now() });
    await callMany(account.liveKey, 6);
    const first = await predict(service, account.testKey);
    assert.equal(first.status, 200);
    assert.equal(first.headers["ratelimit-policy"], '"hour";q=1000;w=3600, "burst";q=50;w=60');
    assert.equal(limitsOf(first).burstLeft, 49);
    assert.equal(limitsOf(await predict(service, second.key)).burstLeft, 48, "test keys share their windows");
    const answers = await callMany(account.testKey, 60);
    assert.equal(answers.filter(({ status }) => status === 200).length, 48);
  });
});
