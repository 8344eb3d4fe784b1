/**
 * One node on a pair of PostgreSQL under Patroni, under load, and the primary is cut off. A file of its own beside
 * failover only for its time; `npm run test:faults -- failover --rounds 10` runs both.
 */
import { after, before, describe, it } from "node:test";
import { startService } from "../start-service.ts";
import { whyHaIsSkipped } from "./rig/ha-cluster.ts";
import { listPrimaryFaults } from "./rig/ha-faults.ts";
import { startFrontends, whyFrontendsAreSkipped } from "./rig/ha-frontends.ts";
import { playRound } from "./rig/ha-round.ts";
import { losePrimary, openStage } from "./rig/ha-stage.ts";

describe("a node on a pair of PostgreSQL under Patroni", { skip: whyHaIsSkipped() }, () => {
  let stage: Awaited<ReturnType<typeof openStage>>;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage?.close());

  for (const name of ["cut_off", "half_cut_off"] as const) {
    it(`keeps every acknowledged call once when the primary is ${name.replaceAll("_", " ")}, goes on by itself within 15 s, and is not deceived by the old one`, () => losePrimary(stage, name));
  }

  it("does the same behind PgBouncer and HAProxy, which asks Patroni for the primary", { skip: whyFrontendsAreSkipped() }, async () => {
    const frontends = await startFrontends(stage.cluster);
    try {
      const service = await startService({ databaseUrl: frontends.databaseUrl });
      try {
        const result = await playRound({ ...stage, service }, listPrimaryFaults(stage.cluster).killed);
        process.stdout.write(`killed, behind PgBouncer and HAProxy: ${JSON.stringify(result)}\n`);
      } finally {
        await service.kill9();
      }
    } finally {
      await frontends.close();
    }
  });
});
