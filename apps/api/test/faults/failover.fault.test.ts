/**
 * One node on a pair of PostgreSQL under Patroni, under load. The primary's machine is lost in each way once; the long
 * form does it several times, as does failover-cut-off, where the machine is cut off instead:
 *
 *   npm run test:faults -- failover --rounds 10
 */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { whyHaIsSkipped } from "./rig/ha-cluster.ts";
import { loseAcknowledged } from "./rig/ha-lossy.ts";
import { losePrimary, openStage } from "./rig/ha-stage.ts";

describe("a node on a pair of PostgreSQL under Patroni", { skip: whyHaIsSkipped() }, () => {
  let stage: Awaited<ReturnType<typeof openStage>>;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage?.close());

  for (const name of ["killed", "frozen"] as const) {
    it(`keeps every acknowledged call once when the primary is ${name}, goes on by itself within 15 s, and is not deceived by the old one`, () => losePrimary(stage, name));
  }

  it("without a synchronous standby loses acknowledged calls, as the status had said, and goes on with a consistent ledger and another log", async () => {
    const result = await loseAcknowledged(stage);
    process.stdout.write(`not synchronous: ${JSON.stringify(result)}\n`);
    assert.ok(result.lost > 0, "without this, the other tests would show nothing");
  });
});
