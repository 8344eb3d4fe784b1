import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { shareLoad } from "./share-load.ts";
import type { WorkerLoad } from "./worker-messages.ts";

type Loaded = { name: string; load: WorkerLoad | undefined };
const workers = (...loads: ([number, number] | undefined)[]): Loaded[] =>
  loads.map((load, index) => ({ name: `worker ${index + 1}`, load: load && { utilization: load[0], connections: load[1] } }));
const handedOver = (of: Loaded[]) => shareLoad(of).map(({ of: { name }, connections }) => [name, connections]);

describe("the busiest worker", () => {
  it("hands half of the difference over to one that idles", () => {
    assert.deepEqual(handedOver(workers([0.8, 40], [0, 0])), [["worker 1", 20]]);
    assert.deepEqual(handedOver(workers([0.2, 10], [0.9, 90], [0.6, 30])), [["worker 2", 35]]);
  });

  it("keeps its callers while it has time for them, or the others have no more", () => {
    assert.deepEqual(handedOver(workers([0.35, 40], [0, 0])), []);
    assert.deepEqual(handedOver(workers([0.95, 400], [0.75, 20])), []);
  });

  it("hands over once per report of every worker", () => {
    const both = workers([0.9, 40], [0.1, 2]);
    assert.equal(shareLoad(both).length, 1);
    assert.equal(shareLoad(both).length, 0, "what was handed over has not arrived yet");
    assert.deepEqual(handedOver(workers([0.9, 40], undefined)), [], "a worker that starts has not reported");
  });
});
