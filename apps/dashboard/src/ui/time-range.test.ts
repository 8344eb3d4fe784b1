import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseRange, rangeStart } from "./time-range.ts";

const nowMs = Date.parse("2026-03-10T15:42:10.500Z");

describe("time ranges", () => {
  it("cover 24 hours including the current one", () => {
    assert.equal(rangeStart("1", nowMs), "2026-03-09T16:00:00.000Z");
  });

  it("cover UTC days including today", () => {
    assert.equal(rangeStart("7", nowMs), "2026-03-04T00:00:00.000Z");
    assert.equal(rangeStart("30", nowMs), "2026-02-09T00:00:00.000Z");
  });

  it("keep the same start for a whole hour", () => {
    assert.equal(rangeStart("1", nowMs), rangeStart("1", nowMs + 17 * 60_000));
  });

  it("fall back to the default for unknown values in the URL", () => {
    assert.equal(parseRange("99999", "30"), "30");
    assert.equal(parseRange(undefined, "7"), "7");
    assert.equal(parseRange("90", "7"), "90");
  });
});
