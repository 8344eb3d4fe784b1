import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { spanOf, startOfSpan } from "./span.ts";

const nowMs = Date.parse("2026-03-10T15:42:10.500Z");

describe("spans of time", () => {
  it("hold 24 hours, this one included", () => {
    assert.equal(startOfSpan("1", nowMs), "2026-03-09T16:00:00.000Z");
  });

  it("hold as many days of UTC as they say, today included", () => {
    assert.equal(startOfSpan("7", nowMs), "2026-03-04T00:00:00.000Z");
    assert.equal(startOfSpan("30", nowMs), "2026-02-09T00:00:00.000Z");
  });

  it("begin at the same moment all hour long", () => {
    assert.equal(startOfSpan("1", nowMs), startOfSpan("1", nowMs + 17 * 60_000));
  });

  it("take nothing from an address that is not on offer", () => {
    assert.equal(spanOf("99999", "30"), "30");
    assert.equal(spanOf(undefined, "7"), "7");
    assert.equal(spanOf("90", "7"), "90");
  });
});
