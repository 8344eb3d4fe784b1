import type { Mutant } from "./mutant.ts";

const failover = "apps/api/test/faults/postgres-failover.fault.test.ts";
const synchronous = "apps/api/src/store/synchronous-standby.test.ts";
const pgbouncer = "apps/api/test/faults/behind-pgbouncer.fault.test.ts";
const haproxy = "apps/api/test/faults/behind-haproxy.fault.test.ts";

export const failoverMutants: readonly Mutant[] = [
  {
    name: "a primary that was replaced is used again when it is back",
    file: "apps/api/src/store/primary/fence.ts",
    from: "if (timeline < timelineMax) throw",
    to: "if (timeline < 0) throw",
    killedBy: [haproxy, "follows the primary that Patroni names, and refuses the old one even if HAProxy leads to it again"],
    needs: "postgres",
  },
  {
    name: "connections to a primary that was replaced stay open",
    file: "apps/api/src/store/primary/fence.ts",
    from: "      if (itsTimeline === timeline) continue;\n",
    to: "      if (itsTimeline <= timeline) continue;\n",
    killedBy: [failover, "leaves a primary that was replaced while it was never down"],
    needs: "postgres",
  },
  {
    name: "a standby is taken for a primary",
    file: "apps/api/src/store/primary/fence.ts",
    from: "if (reading.isInRecovery) throw",
    to: "if (false) throw",
    killedBy: [failover, "refuses while it reaches a standby only, or nothing, and goes on when the primary is back"],
    needs: "postgres",
  },
  {
    name: "a commit counts although its wait for the standby was cancelled",
    file: "apps/api/src/store/primary/primary-client.ts",
    from: "if (routine === givesUpWaiting) this.cut",
    to: "if (routine === undefined) this.cut",
    killedBy: [synchronous, "is not acknowledged when somebody cancels its wait for the standby, until the standby has it"],
    needs: "postgres",
  },
  {
    name: "a commit that a crash has shown counts before the standby has it",
    file: "apps/api/src/store/commit-fence.ts",
    from: '"UPDATE commit_batches SET at = at WHERE id = $1 RETURNING committed"',
    to: '"SELECT committed FROM commit_batches WHERE id = $1"',
    killedBy: [synchronous, "is not acknowledged after a crash that shows it, until the standby has it"],
    needs: "postgres",
  },
  {
    name: "status promises for ever what was read once",
    file: "apps/api/src/store/durability.ts",
    from: "nowMs - reading.atMs > readingMsMax",
    to: "nowMs - reading.atMs > readingMsMax * 1_000",
    killedBy: [synchronous, "is said to survive only while it does, and only as long as that was read"],
    needs: "postgres",
  },
  {
    name: "a session without its settings is used",
    file: "apps/api/src/store/primary/primary-client.ts",
    from: "if (missing.length > 0) throw",
    to: "if (missing.length > 100) throw",
    killedBy: [pgbouncer, "does not start on sessions without their settings, and says how to set them"],
    needs: "postgres",
  },
  {
    name: "a pooler's session keeps the lock of migrations",
    file: "apps/api/src/store/migrate.ts",
    from: "if (client.isPooled) await waitForMigration(client);",
    to: "if (client.isPooled) await takeMigrationLock(client);",
    killedBy: [pgbouncer, "starts without a lock that would outlive its transaction, and refuses to migrate"],
    needs: "postgres",
  },
  {
    name: "statements are prepared behind a pooler",
    file: "apps/api/src/store/primary/primary-client.ts",
    from: "this.isPooled && isNamed(statement)",
    to: "!this.isPooled && isNamed(statement)",
    killedBy: [pgbouncer, "charges every call once while the pooler's sessions are ended under it"],
    needs: "postgres",
  },
  {
    name: "a replaced server behind a pooler decides that a call was not charged",
    file: "apps/api/src/store/commit-fence.ts",
    from: "    await client.recheck?.();\n",
    to: "",
    killedBy: ["apps/api/src/store/commit-fence.test.ts", "is not believed of a server that was replaced, and is unknown if no other one can be asked"],
    needs: "postgres",
  },
];
