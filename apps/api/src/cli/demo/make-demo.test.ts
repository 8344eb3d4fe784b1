import { growthLimits } from "../../../test/money/growth-limits.ts";
import { currentModel } from "@assay/scoring/current-model.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { createSeededRandom } from "../../../test/faults/rig/seeded-random.ts";
import { msPerDay } from "../../formats/time.ts";
import { verifyLedger } from "../../money/ledger/verify-ledger.ts";
import { fundPlatform, readPlatformMoney } from "../../money/payouts/platform-money.ts";
import { listCandidates } from "../../money/payouts/propose-payouts.ts";
import { makeStatement, monthOf } from "../../money/statements/make-statement.ts";
import { drawDay, listDays } from "./draw-demo-traffic.ts";
import { makeDemo } from "./make-demo.ts";

const nowMs = Date.parse("2026-03-20T15:30:00Z");

describe("drawn traffic", () => {
  it("peaks in the evening, is lower at weekends, and ends at the present", () => {
    const { next: random } = createSeededRandom(1);
    const days = listDays(28, nowMs).map((day) => drawDay({ ...day, untilMs: day.startMs + msPerDay }, 240, random));
    const callsAt = (from: number, to: number) =>
      days.flat().filter((call) => new Date(call.atMs).getUTCHours() >= from && new Date(call.atMs).getUTCHours() < to).length;
    assert.ok(callsAt(18, 21) > 4 * callsAt(2, 5));
    const isWeekend = (atMs: number) => [0, 6].includes(new Date(atMs).getUTCDay());
    const weekend = days.flat().filter((call) => isWeekend(call.atMs)).length / 8;
    assert.ok(weekend < 0.85 * (days.flat().filter((call) => !isWeekend(call.atMs)).length / 20));
    assert.ok(drawDay(listDays(1, nowMs)[0]!, 240, random).every((call) => call.atMs < nowMs));
  });
});

describeBothStores("demo traffic", (open) => {
  it("is billed like any other, verifies in the ledger, and is excluded from every total", async () => {
    const { store } = await open();
    const { next: random } = createSeededRandom(2);
    const options = { ...growthLimits, days: 3, callHoldDays: 14, clickHoldDays: 7, minimumMicroUsd: 50_000_000, password: "seven quiet herons", model: currentModel, payer: "platform" as const, retentionDays: 90, nowMs, random, onProgress: () => {} };
    const made = await makeDemo(store, options);
    assert.equal(made.kind, "made");
    const account = await store.db.selectFrom("accounts").select(["id", "demo", "verified_at"]).executeTakeFirstOrThrow();
    assert.equal(account.demo, 1);
    const statement = await makeStatement(store, { accountId: account.id, month: monthOf(nowMs), nowMs });
    assert.equal(statement?.calls, made.kind === "made" ? made.calls : undefined);
    const report = await verifyLedger(store);
    assert.deepEqual([report.ok, report.entries], [true, statement?.calls]);
    const levels = new Set((await store.db.selectFrom("session_records").select("recommendation").execute()).map((row) => row.recommendation));
    assert.ok(levels.size >= 3, [...levels].join());
    assert.ok((await store.db.selectFrom("session_outcomes").select("seq").execute()).length > 0);

    await fundPlatform(store, { microUsd: 1_000_000_000, actorAccountId: null, nowMs });
    assert.deepEqual([(await readPlatformMoney(store)).earnedMicroUsd, (await readPlatformMoney(store)).availableMicroUsd], [0, 1_000_000_000]);
    const { candidates } = await listCandidates(store, { ...growthLimits, nowMs: nowMs + 60 * msPerDay, minimumMicroUsd: 1 });
    assert.deepEqual(candidates, [], "a demo account is never paid");
    assert.equal((await makeDemo(store, options)).kind, "exists");
  });
});
