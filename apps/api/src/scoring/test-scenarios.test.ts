import type { Balance } from "@assay/contract/balance.ts";
import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { makeAccount, type TestAccount } from "../../test/make-account.ts";
import { readLedger, receiptOf } from "../../test/read-ledger.ts";
import { predict, send } from "../../test/send.ts";
import type { TestService } from "../../test/start-service.ts";

describeBothStores("Assay-Test-Scenario", (open) => {
  let database: TestDatabase;
  let service: TestService;
  let account: TestAccount;

  before(async () => {
    database = await open();
    account = await makeAccount(database.store);
    service = await database.serve();
  });

  const force = (scenario: string, key = account.testKey) => predict(service, key, { headers: { "assay-test-scenario": scenario } });

  it("forces each trust level with consistent score and recommendation, unbilled", async () => {
    const recommendations = { low: "low_value_user", medium: "standard_user", high: "high_value_user" };
    for (const level of ["low", "medium", "high"] as const) {
      const answer = await force(level);
      assert.equal(answer.status, 200);
      const { trust_level: trustLevel, service_score: score, recommendation, revenue_attribution: revenue } = answer.json();
      assert.equal(trustLevel, level);
      assert.equal(trustLevel, (score as number) >= 70 ? "high" : (score as number) >= 40 ? "medium" : "low");
      assert.equal(recommendation, recommendations[level]);
      assert.equal(revenue, 0);
      assert.equal(receiptOf(answer), undefined);
    }
  });

  it("forces a 429 that does not count, and a 500 without internal details", async () => {
    const { testKey } = await makeAccount(database.store);
    const limited = await force("rate_limited", testKey);
    assert.equal(limited.status, 429);
    assert.equal(limited.headers["retry-after"], "60");
    assert.deepEqual(limited.json(), {
      error: "rate_limit_exceeded",
      message: "The burst limit of 50 calls per minute is used up. Try again in 60 seconds.",
      retry_after: 60,
      limit: "burst",
    });
    const failed = await force("server_error", testKey);
    assert.equal(failed.status, 500);
    assert.equal(failed.json().error, "internal_error");
    assert.match(String(failed.headers.ratelimit), /^"hour";r=999;/, "the 500 is the first call that counts");
    assert(!failed.text.includes("test key"));
  });

  it("forces a 402 for every billable call, and for no other", async () => {
    const { testKey } = await makeAccount(database.store);
    const headers = { "x-api-key": testKey, "content-type": "application/json", "assay-test-scenario": "payment_required" };
    const analysis = await send(service, "/api/servicescore/analyze", { method: "POST", headers, body: {} });
    for (const answer of [await force("payment_required", testKey), analysis]) assert.deepEqual([answer.status, answer.json().error], [402, "payment_required"]);
    assert.equal((await send(service, "/api/usage", { headers })).status, 200);
  });

  it("shows the money of an account on hold in balance and statement, whatever the account has", async () => {
    const { testKey } = await makeAccount(database.store);
    const ask = (path: string, scenario?: string) =>
      send(service, path, { headers: { "x-api-key": testKey, ...(scenario !== undefined && { "assay-test-scenario": scenario }) } });
    const month = new Date().toISOString().slice(0, 7);
    const balance = (await ask("/api/balance", "held")).json() as unknown as Balance;
    const statement = (await ask(`/api/statements/${month}`, "held")).json() as unknown as { balance: Balance; calls: number };
    for (const { confirmed, pending_usd: pendingUsd } of [balance, statement.balance]) {
      assert.deepEqual([pendingUsd, confirmed.usd, confirmed.payable_usd, confirmed.waiting.map(({ reason, usd }) => [reason, usd])], [20, 100, 0, [["held", 100]]]);
    }
    assert.equal(statement.calls, 0, "the rest of the statement is the account's own");
    for (const scenario of [undefined, "high"]) assert.equal((await ask("/api/balance", scenario)).json()["accrued_usd"], 0);
  });

  it("does not change the score for no_fill", async () => {
    const [forced, plain] = [await force("no_fill"), await predict(service, account.testKey)];
    assert.equal(forced.status, 200);
    assert.equal(forced.json().service_score, plain.json().service_score);
  });

  it("must be one of the scenarios", async () => {
    for (const wrong of ["HIGH", "none", "low, high", ""]) {
      const answer = await force(wrong);
      assert.equal(answer.status, 400, wrong);
      assert.deepEqual(answer.json(), {
        error: "invalid_request",
        message: "Assay-Test-Scenario must be one of low, medium, high, rate_limited, server_error, no_fill, payment_required, session_token_used, held.",
      });
    }
  });

  it("is refused with a live key, and nothing is billed", async () => {
    for (const scenario of ["low", "medium", "high", "rate_limited", "server_error", "no_fill", "payment_required", "session_token_used", "held", "nonsense"]) {
      const answer = await force(scenario, account.liveKey);
      assert.equal(answer.status, 400, scenario);
      assert.equal(answer.json().message, "Assay-Test-Scenario is for test keys only.");
    }
    assert.deepEqual(await readLedger(database.store, account.accountId), []);
  });
});
