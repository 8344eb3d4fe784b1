import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { createFairQueue } from "./fair-queue.ts";

const fill = (waitingMax: number, groups: readonly string[]) => {
  const queue = createFairQueue<string>(waitingMax);
  const taken = groups.filter((group, index) => queue.add(group, `${group}${index}`));
  return { queue, taken };
};

describe("a fair queue", () => {
  it("gives every waiting group its share of the next batch, however many items another group has", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 20, max: 300 }),
        fc.integer({ min: 1, max: 300 }),
        (depths, itemsMax, perGroupMax) => {
          const { queue } = fill(1_000_000, depths.flatMap((depth, index) => Array<string>(depth).fill(String.fromCharCode(97 + index))));
          const batch = queue.take({ itemsMax, perGroupMax });
          assert(batch.length <= itemsMax);
          const countOf = (index: number) => batch.filter((item) => item.startsWith(String.fromCharCode(97 + index))).length;
          const share = Math.min(perGroupMax, Math.floor(itemsMax / depths.length));
          for (const [index, depth] of depths.entries()) {
            assert(countOf(index) >= Math.min(depth, share), `group ${index} of depth ${depth} has ${countOf(index)}, its share is ${share}`);
            assert(countOf(index) <= perGroupMax);
          }
          // No place stays empty while a group has items to give.
          const available = depths.reduce((sum, depth) => sum + Math.min(depth, perGroupMax), 0);
          assert.equal(batch.length, Math.min(itemsMax, available));
        },
      ),
    );
  });

  it("returns every item once and in its group's order, whatever the batch sizes", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 200 }), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), (groups, itemsMax, perGroupMax) => {
        const { queue, taken } = fill(10_000, groups);
        const given: string[] = [];
        while (queue.size() > 0) given.push(...queue.take({ itemsMax, perGroupMax }));
        for (const group of "abcd") {
          const numbers = given.filter((item) => item.startsWith(group)).map((item) => Number(item.slice(1)));
          assert.deepEqual(numbers, numbers.toSorted((one, other) => one - other));
        }
        assert.equal(new Set(given).size, taken.length);
      }),
    );
  });

  it("serves the groups that were not served last time first", () => {
    const { queue } = fill(100, Array.from("aabbccddee"));
    assert.deepEqual(queue.take({ itemsMax: 3, perGroupMax: 3 }).map((item) => item[0]), ["a", "b", "c"]);
    assert.deepEqual(queue.take({ itemsMax: 3, perGroupMax: 3 }).map((item) => item[0]), ["d", "e", "a"]);
  });

  it("leaves room for newcomers: k floods get 1/(k+1) of the places each, and the same share stays free", () => {
    for (const floods of [1, 2, 3, 9]) {
      const groups = Array.from({ length: 1_000 * floods }, (_, index) => `flood ${index % floods} `);
      const { queue, taken } = fill(1_000, groups);
      const each = Math.floor(1_000 / (floods + 1));
      assert(Math.abs(taken.length - floods * each) <= floods, `${taken.length} items of ${floods} floods were accepted`);
      assert(queue.add("newcomer", "newcomer"));
    }
  });

  it("lets go of the items that it has handed out: they are gone with the next minor collection", () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as (options: { type: "minor" }) => void;
    const oldBytes = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === "old_space")!.space_used_size;
    const queue = createFairQueue<number[]>(10);
    const handOut = () => {
      queue.add("acct_1", Array.from({ length: 1_000 }, () => 0.5));
      queue.take({ itemsMax: 10, perGroupMax: 10 });
      collect({ type: "minor" });
    };
    // A queue that has not been used for a while is old.
    for (let round = 0; round < 5; round += 1) collect({ type: "minor" });
    handOut();
    const before = oldBytes();
    for (let round = 0; round < 1_000; round += 1) handOut();
    assert.ok(oldBytes() - before < 1_000_000, `${oldBytes() - before} bytes of 8,000,000 have grown old`);
  });
});
