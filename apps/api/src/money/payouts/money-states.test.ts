import fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { lastPayableMonth, nextPayableMs } from "../payable-months.ts";
import { type AccountSums, coverNext, findMoneyStates, type FundingLeft, payableUpToMicroUsd, type PayFacts } from "./money-states.ts";

const nowMs = Date.parse("2026-03-20T12:00:00Z");
const sums = (more: Partial<AccountSums> = {}): AccountSums => ({
  balanceMicroUsd: 120_000_000,
  depositsMicroUsd: 0,
  pendingMicroUsd: 5_000_000,
  dueMicroUsd: 100_000_000,
  unexaminedMicroUsd: [],
  beyondGrowthMicroUsd: 0,
  inPayoutMicroUsd: 0,
  paidMicroUsd: 7_000_000,
  ...more,
});
const facts = (more: Partial<PayFacts> = {}): PayFacts => ({
  hasHold: false,
  hasFinding: false,
  isLinkedToHeld: false,
  hasPayee: true,
  payeeUsableFromMs: 0,
  minimumMicroUsd: 50_000_000,
  isFunded: true,
  nowMs,
  ...more,
});

describe("the states of an account's money", () => {
  it("include a month from the 15th after its end, and name the next such day", () => {
    const at = (text: string) => lastPayableMonth(Date.parse(text)).name;
    assert.equal(at("2026-03-14T23:59:59.999Z"), "2026-01");
    assert.equal(at("2026-03-15T00:00:00.000Z"), "2026-02");
    assert.equal(at("2026-01-15T00:00:00.000Z"), "2025-12");
    assert.equal(lastPayableMonth(nowMs).endMs, Date.parse("2026-03-01T00:00:00Z"));
    assert.equal(nextPayableMs(Date.parse("2026-03-14T23:59:59.999Z")), Date.parse("2026-03-15T00:00:00Z"));
    assert.equal(nextPayableMs(Date.parse("2026-12-15T00:00:00Z")), Date.parse("2027-01-15T00:00:00Z"));
  });

  it("separate what is payable, what is not due yet, what is pending and what was paid", () => {
    const states = findMoneyStates(sums(), facts());
    assert.deepEqual(states, {
      accruedMicroUsd: 127_000_000,
      pendingMicroUsd: 5_000_000,
      confirmedMicroUsd: 122_000_000,
      waiting: [{ reason: "not_yet_due", microUsd: 15_000_000 }],
      payableMicroUsd: 100_000_000,
      inPayoutMicroUsd: 0,
      paidMicroUsd: 7_000_000,
      owedMicroUsd: 0,
      nextMs: Date.parse("2026-04-15T00:00:00Z"),
    });
  });

  it("count what is in a payout as the first of what is due: none of it is payable again", () => {
    const { payableMicroUsd, inPayoutMicroUsd, waiting } = findMoneyStates(sums({ inPayoutMicroUsd: 60_000_000 }), facts({ minimumMicroUsd: 0 }));
    assert.deepEqual([payableMicroUsd, inPayoutMicroUsd, waiting], [40_000_000, 60_000_000, [{ reason: "not_yet_due", microUsd: 15_000_000 }]]);
  });

  it("name the first reason that applies, from the gravest on, and end with it", () => {
    const reasonOf = (more: Partial<PayFacts>) => findMoneyStates(sums(), facts(more)).waiting.find(({ reason }) => reason !== "not_yet_due")?.reason;
    const worse: Partial<PayFacts>[] = [
      { isFunded: false },
      { payeeUsableFromMs: nowMs + 1 },
      { hasPayee: false },
      { minimumMicroUsd: 100_000_001 },
      { isLinkedToHeld: true },
      { hasFinding: true },
      { hasHold: true },
    ];
    const reasons = ["not_funded", "payee_changed", "payee_missing", "below_minimum", "linked_account", "finding_open", "held"];
    assert.deepEqual(worse.map((each) => reasonOf(each)), reasons);
    let all = {};
    assert.deepEqual(worse.map((each) => reasonOf((all = { ...all, ...each }))), reasons);
    assert.equal(reasonOf({ payeeUsableFromMs: nowMs, minimumMicroUsd: 100_000_000 }), undefined);
  });

  it("give the day on which a changed payee may be paid to, if that comes first", () => {
    assert.equal(findMoneyStates(sums(), facts({ payeeUsableFromMs: nowMs + 1 })).nextMs, nowMs + 1);
    const late = Date.parse("2026-05-01T00:00:00Z");
    assert.equal(findMoneyStates(sums(), facts({ payeeUsableFromMs: late })).nextMs, Date.parse("2026-04-15T00:00:00Z"));
  });

  it("never call a deposit or a pending click payable", () => {
    assert.equal(payableUpToMicroUsd(sums({ depositsMicroUsd: 30_000_000 })), 85_000_000);
    assert.equal(payableUpToMicroUsd(sums({ pendingMicroUsd: 121_000_000 })), 0);
  });

  it("add up exactly, whatever the sums and facts: accrued, confirmed, and the balance", () => {
    const micro = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
    const positive = fc.integer({ min: 0, max: 1_000_000_000 });
    const anySums = fc.record({
      balanceMicroUsd: micro,
      depositsMicroUsd: positive,
      pendingMicroUsd: positive,
      dueMicroUsd: micro,
      unexaminedMicroUsd: fc.array(fc.record({ reason: fc.constantFrom("repeated_session" as const, "unexamined" as const, "crowded_network" as const), microUsd: positive }), { maxLength: 3 }),
      beyondGrowthMicroUsd: positive,
      inPayoutMicroUsd: positive,
      paidMicroUsd: positive,
    });
    const anyFacts = fc.record({
      hasHold: fc.boolean(),
      hasFinding: fc.boolean(),
      isLinkedToHeld: fc.boolean(),
      hasPayee: fc.boolean(),
      payeeUsableFromMs: fc.constantFrom(0, nowMs + 1),
      minimumMicroUsd: fc.constantFrom(0, 50_000_000),
      isFunded: fc.boolean(),
      nowMs: fc.constant(nowMs),
    });
    fc.assert(
      fc.property(anySums, anyFacts, (some, someFacts) => {
        const states = findMoneyStates(some, someFacts);
        const waiting = states.waiting.reduce((sum, { microUsd }) => sum + microUsd, 0);
        assert.equal(states.accruedMicroUsd, states.pendingMicroUsd + states.confirmedMicroUsd);
        assert.equal(states.confirmedMicroUsd, waiting + states.payableMicroUsd + states.inPayoutMicroUsd + states.paidMicroUsd);
        assert.equal(some.balanceMicroUsd, states.accruedMicroUsd - states.paidMicroUsd + some.depositsMicroUsd - states.owedMicroUsd);
        assert.ok(states.waiting.every(({ microUsd }) => microUsd > 0) && states.payableMicroUsd >= 0);
        assert.ok(states.payableMicroUsd + states.inPayoutMicroUsd <= Math.max(states.inPayoutMicroUsd, some.dueMicroUsd), "not more than what is due");
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("funding", () => {
  const coverAll = (leftMicroUsd: number, wanted: readonly (readonly [string, number])[]): boolean[] => {
    let funding: FundingLeft = { leftMicroUsd, uncoveredMonth: null };
    return wanted.map(([month, microUsd]) => {
      const { isCovered, ...left } = coverNext(funding, { month, microUsd });
      funding = left;
      return isCovered;
    });
  };

  it("goes to the oldest month first: nobody newer overtakes what it does not cover", () => {
    assert.deepEqual(coverAll(10, [["2026-01", 6], ["2026-02", 5], ["2026-03", 1]]), [true, false, false]);
    assert.deepEqual(coverAll(10, [["2026-01", 6], ["2026-01", 5], ["2026-01", 4], ["2026-02", 0]]), [true, false, true, false]);
    assert.deepEqual(coverAll(10, [["2026-01", 10], ["2026-02", 1]]), [true, false]);
  });
});
