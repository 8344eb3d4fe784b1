import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { describeNextConfirmed, describeState } from "./describe-day.ts";

const nowMs = Date.parse("2026-03-20T12:00:00Z");
const pending = (day: string, confirmsAt: string) => ({ day, state: "pending" as const, confirms_at: confirmsAt, settled_at: null });

describe("a day of calls in words", () => {
  it("says when it is confirmed, or that something keeps it back after that time", () => {
    assert.equal(describeState(pending("2026-03-10", "2026-03-25T00:00:00Z"), nowMs), "confirmed on 25 Mar at the earliest");
    assert.equal(describeState(pending("2026-03-01", "2026-03-16T00:00:00Z"), nowMs), "kept back while a hold or a finding is open");
    assert.equal(describeState({ state: "reversed", confirms_at: null, settled_at: "2026-03-18T09:00:00Z" }, nowMs), "on 18 Mar");
    assert.equal(describeState({ state: "confirmed", confirms_at: null, settled_at: null }, nowMs), "");
  });

  it("names as the next one the oldest that is pending", () => {
    const settled = { day: "2026-03-08", state: "confirmed" as const, confirms_at: null };
    const days = [pending("2026-03-10", "2026-03-25T00:00:00Z"), pending("2026-03-09", "2026-03-24T00:00:00Z"), settled];
    assert.equal(describeNextConfirmed(days, nowMs), "Next, 9 Mar is confirmed on 24 Mar at the earliest.");
    assert.equal(describeNextConfirmed(days, Date.parse("2026-04-20")), "9 Mar is kept back while a hold or a finding is open.");
    assert.equal(describeNextConfirmed([settled], nowMs), undefined);
  });
});
