import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Admitted, createFence, NotPrimary } from "./fence.ts";
import type { ServerReading } from "./read-server.ts";

const primary: ServerReading = { isInRecovery: false, isReadOnly: false, systemId: "one", timeline: 3, pid: 1, synchronousStandbys: undefined, hidesReplication: false, settings: {} };

const refusal = (message: RegExp) => (error: unknown) => error instanceof NotPrimary && message.test(error.message);

/** A connection that notes why it was cut. */
function connect({ isPooled } = { isPooled: false }): Admitted & { cuts: string[] } {
  const cuts: string[] = [];
  return { cuts, isPooled, cut: (reason) => void cuts.push(reason.message) };
}

describe("the fence", () => {
  it("refuses a server of another cluster, whatever its timeline, and goes on with the first cluster", () => {
    const fence = createFence();
    fence.judge(primary);
    const connection = connect();
    fence.admit(connection, primary);
    for (const timeline of [1, 3, 9, undefined]) assert.throws(() => fence.judge({ ...primary, systemId: "two", timeline }), refusal(/another cluster/));
    fence.judge(primary);
    assert.deepEqual(connection.cuts, [], "a stranger's timeline replaces nobody");
  });

  it("judges a server by what it tells of cluster and timeline, and learns the cluster from the first that tells", () => {
    const fence = createFence();
    fence.judge({ ...primary, systemId: undefined });
    fence.judge({ ...primary, systemId: "two" });
    fence.judge({ ...primary, systemId: undefined });
    assert.throws(() => fence.judge(primary), refusal(/another cluster/));
    fence.judge({ ...primary, systemId: "two", timeline: undefined });
    assert.throws(() => fence.judge({ ...primary, systemId: undefined, timeline: 2 }), refusal(/timeline 2, and 3 has begun/));
  });

  it("refuses a read-only primary except where nothing is written, and learns nothing from one that it refused", () => {
    const fence = createFence();
    const readOnly = { ...primary, isReadOnly: true };
    assert.throws(() => fence.judge({ ...readOnly, systemId: "two", timeline: 9 }), refusal(/read-only/));
    assert.equal(fence.hasSeenAny(), false);
    fence.judge(primary);
    assert.throws(() => fence.judge(readOnly, { mayBeReadOnly: false }), refusal(/read-only/));
    fence.judge(readOnly, { mayBeReadOnly: true });
    fence.judge(primary, { mayBeReadOnly: true });
  });

  it("refuses a standby, also where nothing is written", () => {
    const fence = createFence();
    const standby = { ...primary, isInRecovery: true, isReadOnly: true, timeline: undefined };
    for (const mayBeReadOnly of [false, true]) assert.throws(() => fence.judge(standby, { mayBeReadOnly }), refusal(/standby/));
    assert.equal(fence.hasSeenAny(), false);
  });

  it("cuts every connection to a lower timeline when a higher one is seen, and refuses the server that was replaced", () => {
    const fence = createFence();
    fence.judge(primary);
    const [old, pooled, forgotten, silent] = [connect(), connect({ isPooled: true }), connect(), connect()];
    for (const connection of [old, pooled, forgotten]) fence.admit(connection, primary);
    fence.admit(silent, { ...primary, timeline: undefined });
    fence.forget(forgotten);
    fence.judge(primary);
    assert.deepEqual(old.cuts, [], "the same timeline again");
    const promoted = { ...primary, timeline: 4 };
    const early = connect();
    // Connected to the promoted server before anybody judged it.
    fence.admit(early, promoted);
    fence.judge(promoted);
    assert.deepEqual([old, pooled, silent].map(({ cuts }) => cuts.length), [1, 1, 1]);
    assert.match(old.cuts[0]!, /timeline 4 has begun elsewhere/);
    assert.deepEqual([forgotten.cuts, early.cuts], [[], []]);
    assert.throws(() => fence.judge(primary), refusal(/timeline 3, and 4 has begun/));
    fence.judge({ ...primary, timeline: 5 });
    assert.deepEqual([old.cuts.length, early.cuts.length], [1, 1], "each is cut once");
  });

  it("cuts pooled connections alone when a pooler leads elsewhere", () => {
    const fence = createFence();
    fence.judge(primary);
    const [direct, pooled] = [connect(), connect({ isPooled: true })];
    fence.admit(direct, primary);
    assert.equal(fence.hasPooled(), false);
    fence.admit(pooled, primary);
    assert.equal(fence.hasPooled(), true);
    fence.cutPooled(new Error("elsewhere"));
    assert.deepEqual([direct.cuts, pooled.cuts, fence.hasPooled()], [[], ["elsewhere"], false]);
  });

  it("has seen a server that tells its cluster or its timeline", () => {
    for (const silent of [{ systemId: undefined }, { timeline: undefined }]) {
      const fence = createFence();
      assert.equal(fence.hasSeenAny(), false);
      fence.judge({ ...primary, ...silent });
      assert.equal(fence.hasSeenAny(), true);
    }
  });
});
