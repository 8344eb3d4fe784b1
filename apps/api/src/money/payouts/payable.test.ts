import fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type AccountSums, judgePayability, lastPayableMonth, payableMicroUsdOf } from "./payable.ts";

const sums = (more: Partial<AccountSums> = {}): AccountSums => ({
  balanceAtEndMicroUsd: 100_000_000,
  outSinceMicroUsd: 0,
  balanceNowMicroUsd: 120_000_000,
  pendingBeforeEndMicroUsd: 0,
  pendingMicroUsd: 0,
  ...more,
});
const facts = { isSuspended: false, isDemo: false, hasPayee: true, hasOpenFinding: false, hasOpenPayout: false, minimumMicroUsd: 50_000_000 };

describe("what may be paid out", () => {
  it("is what months earned whose 15th after their end has come", () => {
    const at = (text: string) => lastPayableMonth(Date.parse(text)).name;
    assert.equal(at("2026-03-14T23:59:59.999Z"), "2026-01");
    assert.equal(at("2026-03-15T00:00:00.000Z"), "2026-02");
    assert.equal(at("2026-01-15T00:00:00.000Z"), "2025-12");
    assert.equal(lastPayableMonth(Date.parse("2026-03-20T00:00:00Z")).endMs, Date.parse("2026-03-01T00:00:00Z"));
  });

  it("leaves out what may still be reversed and what was paid since", () => {
    assert.equal(payableMicroUsdOf(sums()), 100_000_000);
    assert.equal(payableMicroUsdOf(sums({ pendingBeforeEndMicroUsd: 30_000_000, pendingMicroUsd: 30_000_000 })), 70_000_000);
    assert.equal(payableMicroUsdOf(sums({ outSinceMicroUsd: -100_000_000, balanceNowMicroUsd: 20_000_000 })), 0);
  });

  it("is never more than is there, whatever happened since the month's end", () => {
    const micro = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
    const positive = fc.integer({ min: 0, max: 1_000_000_000 });
    fc.assert(
      fc.property(micro, micro, micro, positive, positive, (atEnd, out, now, before, pending) => {
        const given = sums({ balanceAtEndMicroUsd: atEnd, outSinceMicroUsd: out, balanceNowMicroUsd: now, pendingBeforeEndMicroUsd: before, pendingMicroUsd: pending });
        const payable = payableMicroUsdOf(given);
        assert.ok(payable >= 0 && payable <= Math.max(0, now - pending) && payable <= Math.max(0, atEnd + out - before));
      }),
    );
  });

  it("waits for the minimum, the payee, open findings and open payouts, and says for which", () => {
    const reasonOf = (more: Partial<typeof facts>, some = sums()) => {
      const verdict = judgePayability(some, { ...facts, ...more });
      return verdict.kind === "held" ? verdict.reason : verdict.amountMicroUsd;
    };
    assert.equal(reasonOf({}), 100_000_000);
    assert.equal(reasonOf({ minimumMicroUsd: 100_000_001 }), "below_minimum");
    assert.equal(reasonOf({ hasPayee: false }), "payee_profile_missing");
    assert.equal(reasonOf({ hasOpenFinding: true }), "finding_open");
    assert.equal(reasonOf({ hasOpenPayout: true }), "open_payout");
    assert.equal(reasonOf({ isSuspended: true }), "account_suspended");
    assert.equal(reasonOf({ isDemo: true }), "demo_account");
    assert.equal(reasonOf({}, sums({ balanceAtEndMicroUsd: 0 })), "nothing_payable");
  });
});
