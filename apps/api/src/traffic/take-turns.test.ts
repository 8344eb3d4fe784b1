import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { takeTurns } from "./take-turns.ts";

describe("work that takes turns", () => {
  test("never runs more at once than it may, in the order in which it came, and turns the rest away", async () => {
    const inTurn = takeTurns({ atOnceMax: 2, waitingMax: 3 });
    const started: number[] = [];
    const ends = new Map<number, () => void>();
    const begin = (name: number) =>
      inTurn(async () => {
        started.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        if (name === 2) throw new Error("failed");
        return name;
      });
    const works = [1, 2, 3, 4, 5, 6].map(begin);
    const outcomes = Promise.allSettled(works);
    await assert.rejects(works[5]!, { code: "overloaded" });
    for (const [name, running] of [[1, [1, 2]], [2, [1, 2, 3]], [3, [1, 2, 3, 4]], [4, [1, 2, 3, 4, 5]], [5, [1, 2, 3, 4, 5]]] as const) {
      assert.deepEqual(started, running);
      ends.get(name)!();
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.deepEqual((await outcomes).map(({ status }) => status), ["fulfilled", "rejected", "fulfilled", "fulfilled", "fulfilled", "rejected"]);
    const last = inTurn(() => Promise.resolve("a place is free again"));
    assert.equal(await last, "a place is free again");
  });
});
