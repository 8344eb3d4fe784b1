import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createFairQueue } from "./fair-queue.ts";

const fill = (waitingMax: number, groups: readonly string[]) => {
  const queue = createFairQueue<string>(waitingMax);
  const taken = groups.filter((group, index) => queue.add(group, `${group}${index}`));
  return { queue, taken };
};

describe("a fair queue", () => {
  it("gives every group that waits its part of the next batch, however deep another one's flood is", () => {
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
          const part = Math.min(perGroupMax, Math.floor(itemsMax / depths.length));
          for (const [index, depth] of depths.entries()) {
            assert(countOf(index) >= Math.min(depth, part), `group ${index} of depth ${depth} has ${countOf(index)}, its part is ${part}`);
            assert(countOf(index) <= perGroupMax);
          }
          // Nobody's place stays empty while somebody may still give.
          const couldGive = depths.reduce((sum, depth) => sum + Math.min(depth, perGroupMax), 0);
          assert.equal(batch.length, Math.min(itemsMax, couldGive));
        },
      ),
    );
  });

  it("gives out everything once, each group's in its order, whatever the batches", () => {
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

  it("serves first, the next time, whoever did not have a turn", () => {
    const { queue } = fill(100, Array.from("aabbccddee"));
    assert.deepEqual(queue.take({ itemsMax: 3, perGroupMax: 3 }).map((item) => item[0]), ["a", "b", "c"]);
    assert.deepEqual(queue.take({ itemsMax: 3, perGroupMax: 3 }).map((item) => item[0]), ["d", "e", "a"]);
  });

  it("leaves room for newcomers: k floods get 1/(k+1) of the places each, and as many stay free", () => {
    for (const floods of [1, 2, 3, 9]) {
      const groups = Array.from({ length: 1_000 * floods }, (_, index) => `flood ${index % floods} `);
      const { queue, taken } = fill(1_000, groups);
      const each = Math.floor(1_000 / (floods + 1));
      assert(Math.abs(taken.length - floods * each) <= floods, `${taken.length} of ${floods} floods were let in`);
      assert(queue.add("newcomer", "newcomer"));
    }
  });
});
