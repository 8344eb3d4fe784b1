import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { createLine } from "./line.ts";

describe("a line", () => {
  it("gives every item once, in the order of their arrival, and refuses those for which there is no room", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.array(fc.boolean(), { maxLength: 200 }), (waitingMax, steps) => {
        const line = createLine<number>(waitingMax);
        const model: number[] = [];
        for (const [nth, isArrival] of steps.entries()) {
          if (isArrival) {
            assert.equal(line.add(nth), model.length < waitingMax);
            if (model.length < waitingMax) model.push(nth);
          } else assert.equal(line.take(), model.shift());
          assert.equal(line.size(), model.length);
        }
      }),
    );
  });

  it("remembers what waits and nothing else, while it never ends [threat: beat-flood]", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const line = createLine<object>(100);
    const items: WeakRef<object>[] = [];
    const add = () => {
      const item = {};
      items.push(new WeakRef(item));
      assert.ok(line.add(item));
    };
    for (let nth = 0; nth < 50; nth += 1) add();
    for (let nth = 0; nth < 5_025; nth += 1) {
      add();
      line.take();
    }
    // What a WeakRef was made for in this turn of the event loop is not collected.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    assert.equal(items.filter((item) => item.deref() !== undefined).length, line.size());
  });
});
