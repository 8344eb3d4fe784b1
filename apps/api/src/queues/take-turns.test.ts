import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { takeTurns } from "./take-turns.ts";

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Work by name that ends when the test says so; names begin with their subject. */
function start(turns: { atOnceMax: number; perSubjectMax: number; waitingMax: number }) {
  const inTurn = takeTurns({ ...turns, what: "pieces of work" });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (name: string) =>
    inTurn(name[0]!, async () => {
      started.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      if (name.endsWith("!")) throw new Error("failed");
      return name;
    });
  const end = async (name: string) => {
    ends.get(name)!();
    await nextTurn();
  };
  return { begin, end, started };
}

describe("work that takes turns", () => {
  it("never runs more at once than it may, whether it succeeds or fails, and the place is free again afterwards", async () => {
    const { begin, end, started } = start({ atOnceMax: 2, perSubjectMax: 2, waitingMax: 10 });
    const outcomes = Promise.allSettled(["a1", "a2!", "a3", "a4"].map(begin));
    assert.deepEqual(started, ["a1", "a2!"]);
    await end("a2!");
    assert.deepEqual(started, ["a1", "a2!", "a3"]);
    await end("a1");
    assert.deepEqual(started, ["a1", "a2!", "a3", "a4"]);
    await end("a3");
    await end("a4");
    assert.deepEqual((await outcomes).map(({ status }) => status), ["fulfilled", "rejected", "fulfilled", "fulfilled"]);
    const last = begin("a5");
    await end("a5");
    assert.equal(await last, "a5");
  });

  it("lets nobody have all places, and serves whoever waits subject by subject", async () => {
    const { begin, end, started } = start({ atOnceMax: 2, perSubjectMax: 1, waitingMax: 100 });
    const flood = Array.from({ length: 20 }, (_, index) => begin(`a${index}`));
    const quiet = begin("b");
    assert.deepEqual(started, ["a0", "b"], "one place is left for others");
    const [second, third] = [begin("c"), begin("d")];
    await end("a0");
    await end("b");
    await end("a1");
    assert.deepEqual(started, ["a0", "b", "a1", "c", "d"], "behind one of the flood's, not behind nineteen");
    for (const name of ["c", "d", ...Array.from({ length: 18 }, (_, index) => `a${index + 2}`)]) await end(name);
    await Promise.all([...flood, quiet, second, third]);
  });

  it("turns the flood away, not the one who comes last", async () => {
    const { begin, end } = start({ atOnceMax: 1, perSubjectMax: 1, waitingMax: 4 });
    const taken = ["a1", "a2", "a3"].map(begin);
    await assert.rejects(begin("a4"), { code: "overloaded" });
    taken.push(begin("b1"));
    await assert.rejects(begin("b2"), { code: "overloaded" });
    for (const name of ["a1", "a2", "b1", "a3"]) await end(name);
    assert.deepEqual(await Promise.all(taken), ["a1", "a2", "a3", "b1"]);
  });
});
