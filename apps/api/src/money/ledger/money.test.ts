import type { StatementReply, UsageReply } from "@assay/contract/usage.ts";
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { inOneDay } from "../../../test/in-one-day.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../../test/make-charge.ts";
import { microOf, readLedger, receiptOf } from "../../../test/read-ledger.ts";
import { predict, send, waitUntil } from "../../../test/send.ts";
import type { TestService } from "../../../test/start-service.ts";
import { usdOf } from "../../formats/money.ts";
import { changeTier } from "../../people/change-account.ts";
import { splitGross } from "../price.ts";
import { hashEntry } from "./chain-entry.ts";
import { verifyLedger } from "./verify-ledger.ts";

type Sums = { calls: number; gross_usd: number; developer_usd: number; platform_usd: number };

const tiers = [
  { tier: "Starter", shareBps: 6_800, usd: 0.034, micro: 34_000 },
  { tier: "Growth", shareBps: 6_900, usd: 0.0345, micro: 34_500 },
  { tier: "Scale", shareBps: 7_000, usd: 0.035, micro: 35_000 },
];

describe("a share of the price", () => {
  it("is rounded down for the developer, and both shares add up to the price", () => {
    for (let shareBps = 6_800; shareBps <= 7_000; shareBps += 1) {
      for (const microUsd of [0, 1, 3, 49_999, 50_000, 50_001, 999_999_999]) {
        const { developerMicroUsd, platformMicroUsd } = splitGross({ microUsd, shareBps });
        assert.equal(developerMicroUsd, Number((BigInt(microUsd) * BigInt(shareBps)) / 10_000n));
        assert.equal(developerMicroUsd + platformMicroUsd, microUsd);
      }
    }
  });

  it("converts to USD exactly", () => {
    assert.deepEqual([34_000, 34_500, 35_000, 1, 500_000_000].map(usdOf), [0.034, 0.0345, 0.035, 0.000001, 500]);
  });
});

describeBothStores("the money of a call", (open, dialect) => {
  let database: TestDatabase;
  let service: TestService;
  let payingService: TestService;

  before(async () => {
    database = await open();
    await makeAccount(database.store);
    [service, payingService] = await Promise.all([database.serve(), database.serve({ env: { CALL_PAYER: "developer" } })]);
  });

  const get = async <Body>(path: string, key: string): Promise<Body> => {
    const answer = await send(service, path, { headers: { "x-api-key": key } });
    assert.equal(answer.status, 200, answer.text);
    return answer.json() as Body;
  };
  const thisMonth = () => new Date().toISOString().slice(0, 7);

  for (const { tier, shareBps, usd, micro } of tiers) {
    it(`is ${usd} USD of 0.05 at ${tier}, in the answer and in the ledger`, async () => {
      const account = await makeAccount(database.store, { tier });
      const answers = [await predict(service, account.liveKey), await predict(service, account.liveKey, { path: "/ml/predict" })];
      const entries = await readLedger(database.store, account.accountId);
      assert.equal(entries.length, answers.length);
      for (const [index, answer] of answers.entries()) {
        const { session_id: sessionId, revenue_attribution: revenue, timestamp } = answer.json();
        assert.equal(revenue, usd);
        const { hash, ...entry } = entries[index]!;
        assert.deepEqual(entry, {
          account_id: account.accountId,
          seq: index + 1,
          at: Date.parse(timestamp as string),
          kind: "call",
          ref: sessionId,
          endpoint: "predict",
          payer: "platform",
          share_bps: shareBps,
          gross_micro: 50_000,
          developer_micro: micro,
          platform_micro: 50_000 - micro,
          prev_hash: index === 0 ? "0".repeat(64) : entries[index - 1]!.hash,
        });
        assert.equal(hash, hashEntry(entry));
        assert.deepEqual(receiptOf(answer), { seq: index + 1, hash });
      }
    });
  }

  it("follows the tier at the time of the call; earlier calls keep theirs", () => inOneDay(async () => {
    const { accountId, liveKey } = await makeAccount(database.store);
    assert.equal((await predict(service, liveKey)).json().revenue_attribution, 0.034);
    await changeTier(database.store, { accountId, tier: "Scale", actorAccountId: null, nowMs: Date.now(), channel: undefined });
    await waitUntil(async () => (await predict(service, liveKey)).json().revenue_attribution === 0.035, "the new tier holds");
    const statement = await get<StatementReply>(`/api/statements/${thisMonth()}`, liveKey);
    assert.deepEqual(statement.lines.map((line) => line.share_percent), [68, 70]);
    const entries = await readLedger(database.store, accountId);
    assert.equal(entries[0]?.developer_micro, 34_000);
    assert.equal(entries.at(-1)?.developer_micro, 35_000);
  }));

  it("is charged and credited to the developer if the developer pays", () => inOneDay(async () => {
    const account = await makeAccount(database.store);
    const answer = await predict(payingService, account.liveKey);
    assert.equal(answer.json().revenue_attribution, 0.034);
    await predict(payingService, account.liveKey);
    const entries = await readLedger(database.store, account.accountId);
    assert.deepEqual(entries.map(({ payer }) => payer), ["developer", "developer"]);
    const statement = await get<StatementReply>(`/api/statements/${thisMonth()}`, account.liveKey);
    assert.equal(statement.charged_usd, 0.1);
    assert.equal(statement.developer_usd, 0.068);
    assert.equal(microOf(statement.balance_usd), 2 * (34_000 - 50_000));
  }));

  it("does not move for a test key: no charge, no receipt, no usage, no statement", () => inOneDay(async () => {
    const account = await makeAccount(database.store);
    const answer = await predict(service, account.testKey);
    assert.equal(answer.status, 200);
    assert.equal(answer.json().revenue_attribution, 0);
    assert.equal(receiptOf(answer), undefined);
    const real = await predict(service, account.liveKey);
    assert.equal(answer.json().service_score, real.json().service_score, "the score is real");
    assert.equal((await readLedger(database.store, account.accountId)).length, 1);
    for (const key of [account.liveKey, account.testKey]) {
      assert.equal((await get<UsageReply>("/api/usage", key)).calls, 1);
      assert.equal((await get<StatementReply>(`/api/statements/${thisMonth()}`, key)).calls, 1);
    }
  }));

  it("is never charged for an answer other than 200", async () => {
    const account = await makeAccount(database.store);
    const refusals = [{ body: "{" }, { body: {} }, { body: { session_data: { email: "a@example.com" } } }, { headers: { "assay-test-scenario": "high" } }];
    for (const refusal of refusals) assert.equal((await predict(service, account.liveKey, refusal)).status, 400);
    assert.deepEqual(await readLedger(database.store, account.accountId), []);
  });

  it("is equal in usage, statement and ledger to the micro-dollar", () => inOneDay(async () => {
    const account = await makeAccount(database.store, { tier: "Growth" });
    await Promise.all(Array.from({ length: 37 }, () => predict(service, account.liveKey)));
    await Promise.all(Array.from({ length: 5 }, () => predict(payingService, account.liveKey)));
    const entries = await readLedger(database.store, account.accountId);
    const sum = (field: "gross_micro" | "developer_micro" | "platform_micro") => entries.reduce((total, entry) => total + entry[field], 0);
    const [usage, statement] = [await get<UsageReply>("/api/usage", account.liveKey), await get<StatementReply>(`/api/statements/${thisMonth()}`, account.liveKey)];
    const parts = [usage, statement, ...[usage.endpoints, usage.series, statement.lines].map(addUp)];
    for (const part of parts) {
      assert.equal(part.calls, 42);
      assert.equal(microOf(part.gross_usd), sum("gross_micro"));
      assert.equal(microOf(part.developer_usd), sum("developer_micro"));
      assert.equal(microOf(part.platform_usd), sum("platform_micro"));
    }
    assert.deepEqual(new Map(statement.lines.map(({ payer, calls }) => [payer, calls])), new Map([["platform", 37], ["developer", 5]]));
    assert.deepEqual(usage.endpoints.map(({ endpoint }) => endpoint), ["predict"]);
    const report = await verifyLedger(database.store);
    assert.deepEqual([report.ok, report.breaks], [true, []]);
  }));

  function addUp(parts: Sums[]): Sums {
    const total = { calls: 0, gross_usd: 0, developer_usd: 0, platform_usd: 0 };
    for (const part of parts) for (const name of Object.keys(total) as (keyof Sums)[]) total[name] += part[name];
    return total;
  }

  it("belongs to the UTC month, day and hour of the call", async () => {
    const { store } = database;
    const times = ["2026-01-15T12:00:00.000Z", "2026-01-31T23:59:59.999Z", "2026-02-01T00:00:00.000Z", "2026-02-28T23:30:00.000Z"].map(Date.parse);
    const account = await makeAccount(store, { nowMs: times[0]! });
    const clock = { nowMs: 0 };
    const charger = makeCharger(store, clock);
    for (const atMs of times) {
      clock.nowMs = atMs;
      await charger.charge(makeCharge({ accountId: account.accountId, atMs }));
    }
    const callsOf = async (month: string) => (await get<StatementReply>(`/api/statements/${month}`, account.liveKey)).calls;
    assert.deepEqual(await Promise.all(["2025-12", "2026-01", "2026-02", "2026-03"].map(callsOf)), [0, 2, 2, 0]);
    const byDay = await get<UsageReply>("/api/usage?from=2026-01-01&to=2026-03-01", account.liveKey);
    assert.equal(byDay.granularity, "day");
    assert.deepEqual(byDay.series.map(({ start, calls }) => [start, calls]), [
      ["2026-01-15T00:00:00.000Z", 1],
      ["2026-01-31T00:00:00.000Z", 1],
      ["2026-02-01T00:00:00.000Z", 1],
      ["2026-02-28T00:00:00.000Z", 1],
    ]);
    const byHour = await get<UsageReply>("/api/usage?from=2026-01-31T12:00:00Z&to=2026-02-01T01:00:00%2B00:00", account.liveKey);
    assert.equal(byHour.granularity, "hour");
    assert.deepEqual(byHour.series.map(({ start }) => start), ["2026-01-31T23:00:00.000Z", "2026-02-01T00:00:00.000Z"]);
    const withinAnHour = await get<UsageReply>("/api/usage?from=2026-01-31T23:30:00&to=2026-01-31T23:45:00Z", account.liveKey);
    const { from, to, calls } = withinAnHour;
    assert.deepEqual({ from, to, calls }, { from: "2026-01-31T23:00:00.000Z", to: "2026-02-01T00:00:00.000Z", calls: 1 }, "a span is whole hours");
    const untilMidnight = await get<UsageReply>("/api/usage?from=2026-01-31&to=2026-02-01", account.liveKey);
    assert.equal(untilMidnight.calls, 1, "the end of a span is excluded");
  });

  it("never moves backwards in time, so that a month is a range of entries", async () => {
    const { store } = database;
    const startMs = Date.parse("2026-03-31T23:59:59.000Z");
    const account = await makeAccount(store, { nowMs: startMs });
    const charger = makeCharger(store, { nowMs: startMs });
    for (const shiftMs of [2_000, -5_000, 3_000]) {
      await charger.charge(makeCharge({ accountId: account.accountId, atMs: startMs + shiftMs }));
    }
    const entries = await readLedger(store, account.accountId);
    assert.deepEqual(entries.map(({ at }) => at - startMs), [2_000, 2_000, 3_000]);
    assert.equal((await get<StatementReply>("/api/statements/2026-03", account.liveKey)).calls, 0);
    assert.equal((await get<StatementReply>("/api/statements/2026-04", account.liveKey)).calls, 3);
  });

  it("is visible to its own account only", async () => {
    const [one, other] = await Promise.all([makeAccount(database.store), makeAccount(database.store)]);
    await predict(service, one.liveKey);
    assert.equal((await get<UsageReply>("/api/usage", other.liveKey)).calls, 0);
    assert.equal((await get<StatementReply>(`/api/statements/${thisMonth()}`, other.liveKey)).balance_usd, 0);
  });

  it("is not reported for an invalid span or month", async () => {
    const { liveKey } = await makeAccount(database.store, { tier: "Scale" });
    const wrong: [path: string, message: string][] = [
      ["/api/usage?from=yesterday", "from must be an ISO 8601 date or time"],
      ["/api/usage?to=01/02/2026", "to must be an ISO 8601 date or time"],
      ["/api/usage?from=2026-02-30", "from must be an ISO 8601 date or time"],
      ["/api/usage?from=2026-01-01T25:00:00Z", "from must be an ISO 8601 date or time"],
      ["/api/usage?from=", "from must be an ISO 8601 date or time"],
      ["/api/usage?from=2026-02-01&to=2026-01-01", "from must not be after to"],
      ["/api/usage?from=2026-01-01&to=2026-04-04", "from and to must be at most 92 days apart"],
      ["/api/usage?from=2026-01-01&from=2026-01-02", "from must be a string"],
      ["/api/statements/2026-13", "month must be a month such as 2026-01"],
      ["/api/statements/2026-00", "month must be a month such as 2026-01"],
      ["/api/statements/2026-1", "month must be a month such as 2026-01"],
      ["/api/statements/now", "month must be a month such as 2026-01"],
    ];
    for (const [path, message] of wrong) {
      const answer = await send(service, path, { headers: { "x-api-key": liveKey } });
      assert.equal(answer.status, 400, path);
      assert.deepEqual(answer.json(), { error: "invalid_request", message }, path);
    }
    const widest = await send(service, "/api/usage?from=2026-01-01&to=2026-04-03", { headers: { "x-api-key": liveKey } });
    assert.equal(widest.status, 200, `${dialect}: 92 days are allowed`);
    assert.equal((await send(service, "/api/usage")).status, 401);
    assert.equal((await send(service, "/api/statements/2026-01")).status, 401);
  });
});
