import { growthLimits } from "../../../test/money/growth-limits.ts";
import { currentModel } from "@assay/scoring/current-model.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { createSeededRandom } from "../../../test/faults/rig/seeded-random.ts";
import { msPerDay } from "../../formats/time.ts";
import { verifyLedger } from "../../money/ledger/verify-ledger.ts";
import { demoMoney } from "../../money/ledger/pools.ts";
import { exportPayouts } from "../../money/payouts/export-payouts.ts";
import { lastPayableMonth } from "../../money/payable-months.ts";
import { movePayoutTo } from "../../money/payouts/move-payouts.ts";
import { readPlatformMoney } from "../../money/payouts/platform-money.ts";
import { listCandidates } from "../../money/payouts/propose-payouts.ts";
import { drawDay, listDays } from "./draw-demo-traffic.ts";
import { makeDemo } from "./make-demo.ts";
import { daysOfDemo } from "./plan-demo.ts";

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

describe("the days of a demo", () => {
  it("reach back into the month that is payable, whatever the date is", () => {
    for (let dayMs = Date.parse("2026-01-01T09:00:00Z"); dayMs < Date.parse("2027-01-01T00:00:00Z"); dayMs += msPerDay) {
      const { endMs } = lastPayableMonth(dayMs);
      const [first] = listDays(daysOfDemo(1, dayMs), dayMs);
      assert.equal((endMs - first!.startMs) / msPerDay, 10, new Date(dayMs).toISOString());
      assert.equal(daysOfDemo(90, dayMs), 90);
    }
  });
});

describeBothStores("a demo", (open) => {
  it("goes from calls to a payout by the rules for everybody, and no total includes it", async () => {
    const { store } = await open();
    const { next: random } = createSeededRandom(2);
    const limits = { ...growthLimits, unreviewedMonthlyMicroUsd: 50_000_000 };
    const settings = { ...limits, callHoldDays: 14, clickHoldDays: 7, minimumMicroUsd: 10_000_000, retentionDays: 90 };
    const options = { ...settings, days: 3, size: 0.2, password: "seven quiet herons", model: currentModel, payer: "platform" as const, nowMs, random, onProgress: () => {} };
    const made = await makeDemo(store, options);
    assert(made.kind === "made");
    const accounts = await store.db.selectFrom("accounts").select(["id", "email", "demo"]).execute();
    assert.deepEqual(new Set(accounts.map((each) => each.demo)), new Set([1]));
    const idOf = (email: string) => accounts.find((each) => each.email === email)!.id;
    assert.equal((await verifyLedger(store)).ok, true);
    const levels = new Set((await store.db.selectFrom("session_records").select("recommendation").execute()).map((row) => row.recommendation));
    assert.ok(levels.size >= 3, [...levels].join());
    assert.ok((await store.db.selectFrom("session_outcomes").select("seq").execute()).length > 0);

    const isShops = (accountId: string) => accountId === idOf("demo@localhost");
    const records = await store.db.selectFrom("session_records").select(["account_id", "attested", "attestation_issues", "at"]).execute();
    const attested = records.filter((each) => (each.attested ?? 0) > 0);
    const lately = records.filter((each) => isShops(each.account_id) && each.at > nowMs - 13 * msPerDay);
    const share = attested.filter((each) => each.at > nowMs - 13 * msPerDay).length / lately.length;
    assert.ok(share > 0.4 && share < 0.9, `${share} of the shop's sessions are attested`);
    assert.ok(attested.every((each) => isShops(each.account_id)), "the others have no site");
    assert.ok(records.some((each) => each.at < nowMs - 15 * msPerDay) && attested.every((each) => each.at > nowMs - 15 * msPerDay), "since the collector is on its pages");
    const issues = new Set(records.flatMap((each) => each.attestation_issues?.split(",") ?? []));
    assert.ok(issues.has("too_short") && issues.has("crowded_network"), [...issues].join());
    const sum = (rows: { calls: number }[]) => rows.reduce((total, { calls }) => total + calls, 0);
    const siteDays = await store.db.selectFrom("site_days").select(["attested_calls as calls"]).execute();
    const rollups = await store.db.selectFrom("usage_rollups").select(["attested_calls as calls"]).execute();
    const networkDays = await store.db.selectFrom("network_days").select(["calls"]).execute();
    assert.deepEqual([sum(siteDays), sum(rollups), sum(networkDays)], [attested.length, attested.length, attested.length]);

    const findings = await store.db.selectFrom("findings").select(["account_id", "code", "opened_at", "closed_at"]).execute();
    assert.deepEqual(findings.map((each) => [each.account_id, each.code, each.closed_at]), [[idOf("demo-script@localhost"), "exact_duplicates", null]]);
    assert.ok(findings[0]!.opened_at < nowMs - msPerDay, "at the time when the check found it");
    const reversals = await store.db.selectFrom("call_reversals").select(["account_id", "calls"]).execute();
    assert.deepEqual(reversals.map((each) => [each.account_id, each.calls]), [[idOf("demo-script@localhost"), 200]]);
    const clicks = await store.db.selectFrom("clicks").select("status").distinct().orderBy("status").execute();
    assert.deepEqual(clicks.map((each) => each.status), ["confirmed", "pending", "reversed"]);
    const campaigns = await store.db.selectFrom("campaigns").select("status").where("house", "=", 0).execute();
    assert.deepEqual(campaigns.map((each) => each.status), ["ended"], "it pays nobody from now on");

    const real = await readPlatformMoney(store);
    assert.deepEqual([real.fundingMicroUsd, real.earnedMicroUsd, real.underWayMicroUsd, real.advertiserMicroUsd], [0, 0, 0, 0]);
    assert.deepEqual((await listCandidates(store, { ...limits, nowMs, minimumMicroUsd: 1 })).candidates, []);
    const payouts = await store.db.selectFrom("payouts").select(["id", "account_id", "status", "month"]).execute();
    assert.deepEqual(payouts.map((each) => [each.account_id, each.status, each.month]), [[idOf("demo@localhost"), "proposed", "2026-02"]]);
    const { candidates } = await listCandidates(store, { ...settings, nowMs }, demoMoney);
    const { states } = candidates.find((each) => each.accountId === idOf("demo-game@localhost"))!;
    assert.equal(states.payableMicroUsd, limits.unreviewedMonthlyMicroUsd);
    assert.equal(states.waiting[0]?.reason, "growth_review");

    const operator = { ...limits, actorAccountId: null, fourEyes: true, nowMs, note: null };
    await movePayoutTo(store, { ...operator, payoutId: payouts[0]!.id, to: "approved" });
    assert.equal((await exportPayouts(store, operator)).isDemo, true);
    assert.equal((await movePayoutTo(store, { ...operator, payoutId: payouts[0]!.id, to: "paid" })).kind, "moved");
    assert.ok((await readPlatformMoney(store, demoMoney)).paidMicroUsd > 0);
    assert.equal((await readPlatformMoney(store)).paidMicroUsd, 0);
    assert.equal((await makeDemo(store, options)).kind, "exists");
  });
});
