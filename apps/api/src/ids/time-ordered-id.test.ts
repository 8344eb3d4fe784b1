import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type * as ids from "./time-ordered-id.ts";

// A copy of its own: ids never go back, so tests of the same process would get ids of this one's times.
const own = new URL("./time-ordered-id.ts?own", import.meta.url).href;
const { idAt, lowestIdAt, timeOfId, timeOrderedId } = (await import(own)) as typeof ids;
const nowMs = Date.UTC(2026, 6, 1);

describe("an id", () => {
  it("is its prefix and 22 letters and digits", () => {
    for (const id of [timeOrderedId("sess", nowMs), idAt("sess", nowMs)]) assert.match(id, /^sess_[0-9A-Za-z]{22}$/);
  });

  it("is unique and above the ones before it, within a millisecond and when the clock goes back", () => {
    const times = [...Array.from({ length: 5_000 }, () => nowMs + 1), nowMs + 2, nowMs + 1, nowMs + 3];
    const ids = times.map((atMs) => timeOrderedId("sess", atMs));
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(ids, ids.toSorted((one, other) => (one < other ? -1 : 1)));
  });

  it("tells when it was made, and is not below the lowest of its millisecond, nor above that of the next", () => {
    const atMs = nowMs + 10;
    for (const id of [timeOrderedId("sess", atMs), idAt("sess", atMs)]) {
      assert.equal(timeOfId(id), atMs);
      assert(lowestIdAt("sess", atMs) < id && id < lowestIdAt("sess", atMs + 1));
    }
  });
});
