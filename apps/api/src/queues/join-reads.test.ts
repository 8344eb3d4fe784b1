import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { joinReads } from "./join-reads.ts";

/** Reads that end when the test says so. */
function start() {
  const ends: PromiseWithResolvers<number>[] = [];
  const ask = joinReads(() => {
    ends.push(Promise.withResolvers<number>());
    return ends.at(-1)!.promise;
  });
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    ask,
    reads: () => ends.length,
    async end(value: number | Error) {
      if (typeof value === "number") ends.at(-1)!.resolve(value);
      else ends.at(-1)!.reject(value);
      await nextTurn();
    },
  };
}

describe("joined reads", () => {
  it("are one at a time, and the one after it for all that asked meanwhile", async () => {
    const { ask, reads, end } = start();
    const first = ask();
    const later = Array.from({ length: 1_000 }, ask);
    assert.equal(reads(), 1);
    await end(1);
    assert.equal(reads(), 2);
    const last = ask();
    await end(2);
    assert.equal(reads(), 3);
    await end(3);
    assert.deepEqual([await first, new Set(await Promise.all(later)), await last], [1, new Set([2]), 3]);
    void ask();
    assert.equal(reads(), 4, "nobody waits: it begins at once");
    await end(4);
  });

  it("that fail, fail for those that waited for them only", async () => {
    const { ask, reads, end } = start();
    const outcomes = Promise.allSettled([ask(), ask(), ask()]);
    await end(new Error("away"));
    await end(2);
    assert.deepEqual((await outcomes).map((each) => (each.status === "fulfilled" ? each.value : "failed")), ["failed", 2, 2]);
    const again = ask();
    await end(3);
    assert.deepEqual([await again, reads()], [3, 3]);
  });
});
