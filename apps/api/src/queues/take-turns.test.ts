import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { takeTurns } from "./take-turns.ts";

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Named work that ends when the test says so; the first letter of a name is its subject. */
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
  it("never exceeds the concurrency limit, and frees the place whether the work succeeds or fails", async () => {
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

  it("limits the places of one subject, and serves waiting work subject by subject", async () => {
    const { begin, end, started } = start({ atOnceMax: 2, perSubjectMax: 1, waitingMax: 100 });
    const flood = Array.from({ length: 20 }, (_, index) => begin(`a${index}`));
    const quiet = begin("b");
    assert.deepEqual(started, ["a0", "b"], "one place is reserved for other subjects");
    const [second, third] = [begin("c"), begin("d")];
    await end("a0");
    await end("b");
    await end("a1");
    assert.deepEqual(started, ["a0", "b", "a1", "c", "d"], "behind one call of the flood, not behind nineteen");
    for (const name of ["c", "d", ...Array.from({ length: 18 }, (_, index) => `a${index + 2}`)]) await end(name);
    await Promise.all([...flood, quiet, second, third]);
  });

  it("refuses the flood, not the latest subject to arrive", async () => {
    const { begin, end } = start({ atOnceMax: 1, perSubjectMax: 1, waitingMax: 4 });
    const taken = ["a1", "a2", "a3"].map(begin);
    await assert.rejects(begin("a4"), { code: "overloaded" });
    taken.push(begin("b1"));
    await assert.rejects(begin("b2"), { code: "overloaded" });
    for (const name of ["a1", "a2", "b1", "a3"]) await end(name);
    assert.deepEqual(await Promise.all(taken), ["a1", "a2", "a3", "b1"]);
  });
});
