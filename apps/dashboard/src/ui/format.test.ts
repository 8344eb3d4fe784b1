import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatChange, formatExactUsd, formatLocalTime, formatMicroUsd, formatMonth, formatRelative, formatStatistic, formatUsd } from "./format.ts";

describe("formatting", () => {
  it("shows fractions of a cent only below one dollar", () => {
    assert.equal(formatUsd(0.034), "$0.034");
    assert.equal(formatUsd(0.0345), "$0.0345");
    assert.equal(formatUsd(0), "$0.00");
    assert.equal(formatUsd(12_345.6789), "$12,345.68");
    assert.equal(formatUsd(-1.005), "-$1.01");
  });

  it("keeps every micro-dollar of exact amounts", () => {
    assert.equal(formatExactUsd(12_345.678901), "$12,345.678901");
    assert.equal(formatMicroUsd(1), "$0.000001");
    assert.equal(formatMicroUsd(-34_000), "-$0.034");
  });

  it("gives no change if the earlier value is zero", () => {
    assert.equal(formatChange(5, 0), undefined);
    assert.deepEqual(formatChange(15, 10), { text: "+50%", direction: "up" });
    assert.deepEqual(formatChange(5, 10), { text: "−50%", direction: "down" });
    assert.deepEqual(formatChange(10, 10), { text: "0%", direction: "same" });
  });

  it("gives three digits of what was measured, with a unit or a power of ten where it is very large or small", () => {
    assert.equal(formatStatistic(1_234.5), "1,230");
    assert.equal(formatStatistic(0.0416), "0.0416");
    assert.equal(formatStatistic(0), "0");
    assert.equal(formatStatistic(4_560_000), "4.56M");
    assert.equal(formatStatistic(4.56e21), "4.56E21");
    assert.equal(formatStatistic(0.0004), "4E-4");
  });

  it("formats months in UTC", () => {
    assert.equal(formatMonth("2026-01"), "January 2026");
  });

  it("includes the year only if it is not the current one", () => {
    const now = Date.parse("2026-06-15T12:00:00Z");
    assert.doesNotMatch(formatLocalTime("2026-03-10T12:00:00Z", now), /2026/);
    assert.match(formatLocalTime("2025-03-10T12:00:00Z", now), /2025/);
  });

  it("formats relative times", () => {
    const now = Date.parse("2026-01-15T12:00:00Z");
    assert.equal(formatRelative("2026-01-15T09:30:00Z", now), "2 hours ago");
    assert.equal(formatRelative("2026-01-15T11:59:59.900Z", now), "just now");
    assert.equal(formatRelative("2026-01-16T12:00:00Z", now), "tomorrow");
  });
});
