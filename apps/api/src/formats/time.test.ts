import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isoTime, msPerSecond } from "./time.ts";

describe("a time as text", () => {
  it("is what Date makes of it, for every millisecond of a second and between seconds in any order", () => {
    const startMs = Date.UTC(2028, 1, 29, 23, 59, 59);
    for (let ms = 0; ms < msPerSecond; ms += 1) {
      for (const atMs of [startMs + ms, startMs + msPerSecond, startMs + ms]) assert.equal(isoTime(atMs), new Date(atMs).toISOString());
    }
  });
});
